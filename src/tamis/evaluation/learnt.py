"""How well a linear model on the kept columns predicts the labels of held-out rows."""

from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.evaluation.common_ground import Ground
from tamis.evaluation.trial import Trial
from tamis.numerics.types import Floats, Indices
from tamis.statistics.target import Target

N_LEARNER_FOLDS = 5
PENALTIES = np.geomspace(1e3, 1e-8, 34)  # of ridge regression, as shares of the rows


def kind_of(target: Target) -> str:
    """Name the score: AUC for two classes, accuracy for more, R² for numbers."""
    if target.task == "regression":
        return "R²"
    return "AUC" if len(target.classes) == 2 else "accuracy"


def score_learner(ground: Ground, trial: Trial, k: int) -> Floats:
    """Give the score of each fold; a supervised method chooses its columns on the other rows.

    Other methods never see a label, so their columns of all rows serve.
    """
    target = ground.target
    assert target is not None
    kept = trial.list_kept(k)
    scores = []
    for train, test in split_rows(target):
        if trial.method.supervised:
            rows = ground.sample
            kept = trial.on_rows(rows.values[train], rows.labels[train], k)
        scores.append(score_fold(ground.rows[:, kept], target, train, test))
    return np.array(scores)


def split_rows(target: Target) -> list[tuple[Indices, Indices]]:
    """Give the training rows and the held-out rows of every fold; classes are split evenly."""
    from sklearn.model_selection import KFold, StratifiedKFold

    y = target.y
    if target.task == "regression":
        return list(KFold(N_LEARNER_FOLDS, shuffle=True, random_state=0).split(y))
    fewest = int(np.bincount(y).min())
    if fewest < N_LEARNER_FOLDS:
        raise TamisError(
            f"{target.what}: the rarest class has {fewest} rows, and {N_LEARNER_FOLDS} are needed "
            "to predict the labels of held-out rows."
        )
    return list(StratifiedKFold(N_LEARNER_FOLDS, shuffle=True, random_state=0).split(y, y))


def _model(task: str, n_rows: int) -> Any:
    """Make the linear model; ridge regression chooses its penalty by leave-one-out validation.

    One penalty for all would shrink correlated columns, whose differences may be what predicts.
    """
    from sklearn.linear_model import LogisticRegression, RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if task == "classification":
        return LogisticRegression(max_iter=1000)
    return make_pipeline(StandardScaler(), RidgeCV(alphas=n_rows * PENALTIES))


def score_fold(rows: Floats, target: Target, train: Indices, test: Indices) -> float:
    """Fit the linear model on the training rows, and score it on the others."""
    from sklearn.metrics import roc_auc_score
    from threadpoolctl import threadpool_limits

    y, model = target.standard_y, _model(target.task, len(train))
    with threadpool_limits(1):
        model.fit(rows[train], y[train])
        if kind_of(target) == "AUC":
            return float(roc_auc_score(y[test], model.decision_function(rows[test])))
        return float(model.score(rows[test], y[test]))
