"""How well a linear model on the kept columns predicts the labels of held-out rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.evaluation.common_ground import Ground
from tamis.evaluation.trial import Trial
from tamis.numerics.threads import small_products_on_one_thread
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
    folds = split_rows(target)
    kept = [trial.list_kept(k)] * len(folds)
    if trial.method.supervised:
        kept = trial.list_kept_without(folds, k)
    pairs = zip(kept, folds, strict=True)
    return np.array([score_fold(ground.rows[:, one], target, *fold) for one, fold in pairs])


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
    y, model = target.standard_y, _model(target.task, len(train))
    with small_products_on_one_thread():
        model.fit(rows[train], y[train])
        if kind_of(target) == "AUC":
            return area_under_curve(
                y[test] == model.classes_[1], model.decision_function(rows[test])
            )
        return float(model.score(rows[test], y[test]))


def area_under_curve(positive: NDArray[np.bool_], scores: Floats) -> float:
    """Give the share of pairs of a positive and another row that the scores put in order.

    Ties count one half. It is the rank sum of Mann and Whitney: one sort.

    >>> area_under_curve(np.array([True, False, True]), np.array([0.9, 0.4, 0.4]))
    0.75
    """
    from scipy.stats import rankdata

    count = int(positive.sum())
    below = float(rankdata(scores)[positive].sum()) - count * (count + 1) / 2
    return below / (count * (len(scores) - count))
