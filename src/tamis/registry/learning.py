"""Options of methods that train a learner and test it on other rows."""

from tamis.registry.option import Option

LEARNER = Option(
    "learner",
    "learner",
    "auto",
    "Model trained on the kept columns; 'auto': naive Bayes for classes, ridge regression for "
    "numbers.",
    choices=("auto", "naive-bayes", "knn", "logistic", "ridge", "tree"),
)
SCORING = Option(
    "scoring",
    "scoring",
    None,
    "Name of a scikit-learn scorer, or a function of learner, X and y; by default accuracy, or R² "
    "for regression.",
)
CV = Option("cv", "integer", 10, "Number of cross-validation folds.", least=2)
