"""Methods that rank columns by how a learner uses them."""

from functools import partial

from tamis.registry.method import Method
from tamis.registry.option import Option

_TIE_SEED = Option("random_state", "integer", 0, "Random seed, for columns whose splits are equal.")

_learn = partial(
    Method,
    needs="labelled rows",
    scale=None,
    keeps_copies=True,
    decides=True,
    tasks=("classification", "regression"),
)

EMBEDDED: tuple[Method, ...] = (
    _learn(
        id="tree-importance",
        name="Decision-tree importance",
        paper="Breiman et al.; Cunningham",
        about="ranks columns by how well a decision tree separates the classes with them",
        when="Labels are known, and thresholds or combinations of columns matter.",
        when_not="Columns that correlate: one may get all the credit, the others none.",
        cost="The rows in memory; one decision tree, n d log n.",
        kernel="tamis.algorithms.embedded.tree_importance:rank_by_tree",
        estimator="TreeImportance",
        details="Columns that correlate share their importance: of two copies a tree uses one.",
        example="""
        >>> import numpy as np
        >>> X = np.random.default_rng(0).standard_normal((60, 4))
        >>> TreeImportance().fit(X, X[:, 2] > 0).get_support(indices=True)
        array([2])
        """,
        references="""
        Breiman, L., Friedman, J., Olshen, R. & Stone, C. (1984). Classification and Regression
        Trees.
        """,
        options=(_TIE_SEED,),
        ranks="largest",
        shares_credit=True,
    ),
    _learn(
        id="permutation-importance",
        name="Permutation importance",
        paper="Breiman; Cunningham",
        about="ranks columns by how much worse a random forest predicts once they are shuffled",
        when="Labels are known, and you want what a forest loses without a column.",
        when_not="Columns that correlate: copies make each other look unimportant.",
        cost="The rows in memory; one forest, then ten predictions for each column.",
        kernel="tamis.algorithms.embedded.tree_importance:rank_by_permutation",
        estimator="PermutationImportance",
        details="Columns that correlate share their importance: one of two copies is not missed.",
        example="""
        >>> import numpy as np
        >>> X = np.random.default_rng(0).standard_normal((60, 4))
        >>> PermutationImportance().fit(X, X[:, 2] > 0).get_support(indices=True)
        array([2])
        """,
        references="Breiman, L. (2001). Random forests. Machine Learning 45, 5-32.",
        options=(
            Option(
                "oob",
                "flag",
                False,
                "Test each tree on the rows that are not in its bootstrap sample, as Breiman "
                "defined it, in place of rows held out from all trees.",
            ),
            Option("trees", "integer", 100, "Number of trees in the forest.", least=1),
            Option("random_state", "integer", 0, "Random seed of the forest and the shuffles."),
        ),
        ranks="largest",
        shares_credit=True,
    ),
    _learn(
        id="brain-damage",
        name="Optimal Brain Damage",
        paper="LeCun, Denker & Solla; Cunningham",
        about="removes the column whose weights a small neural network can spare most, and trains "
        "it on",
        when="Labels are known, and columns act together or in curves rather than straight lines.",
        when_not="Fewer than some hundred rows, or thousands of columns: the network is trained "
        "for each removal.",
        cost="The rows in memory; a training of the network for each column removed, n d each.",
        kernel="tamis.algorithms.embedded.brain_damage:rank_by_saliency",
        estimator="BrainDamage",
        example="""
        >>> import numpy as np
        >>> X = np.random.default_rng(0).standard_normal((200, 4))
        >>> BrainDamage().fit(X, X[:, 2] * X[:, 0] > 0).get_support(indices=True)
        array([0, 2])
        """,
        references="""
        LeCun, Y., Denker, J. S. & Solla, S. A. (1990). Optimal brain damage. Advances in Neural
        Information Processing Systems 2.
        """,
        options=(
            Option("hidden", "integer", 5, "Number of hidden units of the network.", least=1),
            Option(
                "decay",
                "amount",
                None,
                "Weight decay of the network (scikit-learn's alpha); by default the one with which "
                "held-out rows are predicted best.",
            ),
            Option("random_state", "integer", 0, "Random seed of the first weights."),
        ),
        searches=True,
        exceptions=("copies",),
    ),
)
