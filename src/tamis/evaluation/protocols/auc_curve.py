"""Yen, Chen & Lin's experiment on labelled data: how little a linear classifier changes.

Columns are ranked on the training part of each fold, without labels, and removed worst first; a
LIBLINEAR classifier is trained on what is left and its area under the ROC curve (AUC) taken on the
test part. PFR is the share of columns that can be removed while the AUC stays within a tolerance of
that of all columns, ACA the average change up to there; a gain counts as a change. The paper names
no settings of the classifier: C = 1 and standardised columns are ours. Nor does it say whether PFR
ends where the curve first leaves the band (the default) or last was in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.evaluation.protocols.order import column_order
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track

TOLERANCES = (0.01, 0.02, 0.03, 0.04)
FRACTIONS = tuple(percent / 100 for percent in range(100))
_MOST_STEPS = 20_000


@dataclass(frozen=True, eq=False)
class AucCurve:
    """AUC against the fraction of columns removed: the average, and every fold's own."""

    method: str
    removed: Floats
    auc: Floats
    folds: Floats


@dataclass(frozen=True)
class Change:
    """How far a method gets within a tolerance: columns removed and average change, as shares."""

    method: str
    tolerance: float
    removed: float
    change: float


def auc_curve(
    X: Any,
    y: Any,
    method_id: str,
    *,
    n_folds: int = 5,
    fractions: Sequence[float] = FRACTIONS,
    classifier: str = "svm",
    C: float = 1.0,
    tol: float = 1e-3,
    scale: bool = True,
    options: Mapping[str, Any] | None = None,
    random_state: int = 0,
) -> AucCurve:
    """Remove columns, worst first, and see what a linear classifier makes of the rest.

    Parameters
    ----------
    X, y
        Rows, which may have missing values (filled with the means of the training part), and two
        kinds of labels.
    method_id
        A registered method that gives an order.
    n_folds
        Folds of the stratified cross-validation.
    fractions
        Shares of the columns to remove, from 0 upwards.
    classifier
        "svm" or "logistic", both of LIBLINEAR.
    C
        Inverse strength of the penalty on squared weights.
    tol
        Where the classifier stops.
    scale
        Standardise the columns for the classifier, by the training part. The method always sees
        standardised columns.
    options
        Settings of the method.
    random_state
        Seed of the folds and of the classifier.
    """
    from sklearn.model_selection import StratifiedKFold

    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    labels = np.unique(y)
    if len(labels) != 2:
        raise TamisError(f"y has {len(labels)} kinds of labels: give two, such as 0 and 1.")
    grid = np.asarray(fractions, dtype=np.float64)
    if grid[0] != 0 or grid[-1] >= 1 or (np.diff(grid) <= 0).any():
        raise TamisError("fractions must rise from 0 and stay below 1: give such as 0, 0.1, 0.2.")
    kept = np.maximum(1, X.shape[1] - np.round(grid * X.shape[1]).astype(np.intp))
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    folds = []
    for train, test in track("folds done", splitter.split(X, y), n_folds):
        inside, outside = _filled(X[train], X[test])
        order = column_order(inside, method_id, options=options)
        if scale:
            inside, outside = _scaled(inside, outside)
        targets = (y[train] == labels[1], y[test] == labels[1])
        model = _model(classifier, C, tol, random_state)
        folds.append(_areas(model, inside[:, order], outside[:, order], targets, kept))
    return AucCurve(method_id, grid, np.mean(folds, axis=0), np.array(folds))


def _filled(train: Floats, test: Floats) -> tuple[Floats, Floats]:
    """Fill missing values with the means of the training part, 0 where there is none."""
    known = ~np.isnan(train)
    sums = np.where(known, train, 0.0).sum(axis=0)
    means = sums / np.maximum(known.sum(axis=0), 1)
    return np.where(known, train, means), np.where(np.isnan(test), means, test)


def _scaled(train: Floats, test: Floats) -> tuple[Floats, Floats]:
    mean, std = train.mean(axis=0), train.std(axis=0)
    factor = np.divide(1.0, std, out=np.zeros_like(std), where=std > 0)
    return (train - mean) * factor, (test - mean) * factor


def _model(classifier: str, C: float, tol: float, random_state: int) -> Any:
    settings = {"C": C, "tol": tol, "max_iter": _MOST_STEPS, "random_state": random_state}
    if classifier == "svm":
        from sklearn.svm import LinearSVC

        # The dual is LIBLINEAR's own default; the primal creeps when columns depend on each other.
        return LinearSVC(dual=True, **settings)
    if classifier == "logistic":
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(solver="liblinear", **settings)
    raise TamisError(f"classifier={classifier!r}: give 'svm' or 'logistic'.")


def _areas(
    model: Any,
    train: Floats,
    test: Floats,
    targets: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    kept: Indices,
) -> Floats:
    """Train on the first so many columns, for each number, and take the area on the test part."""
    from sklearn.metrics import roc_auc_score

    areas = {}
    for k in track("classifiers trained", np.unique(kept).tolist(), len(np.unique(kept))):
        model.fit(train[:, :k], targets[0])
        areas[k] = roc_auc_score(targets[1], model.decision_function(test[:, :k]))
    return np.array([areas[k] for k in kept.tolist()])


def features_removed(
    removed: Sequence[float] | Floats,
    auc: Sequence[float] | Floats,
    tolerance: float,
    *,
    mode: str = "first",
) -> float:
    """Give PFR: the largest share removed while the AUC stays within the tolerance.

    "first" ends before the curve first leaves the band, "last" where it is in it for the last time.

    Examples
    --------
    >>> x, auc = [0.0, 0.1, 0.2, 0.3, 0.4], [0.90, 0.90, 0.91, 0.88, 0.905]
    >>> features_removed(x, auc, 0.01), features_removed(x, auc, 0.01, mode="last")
    (0.2, 0.4)
    """
    if mode not in ("first", "last"):
        raise TamisError(f"mode={mode!r}: give 'first' or 'last'.")
    values = np.asarray(auc)
    inside = np.abs(values - values[0]) <= tolerance + TIE
    if mode == "last":
        return float(removed[int(np.flatnonzero(inside)[-1])])
    return float(removed[len(inside) - 1 if inside.all() else int(np.argmin(inside)) - 1])


def average_change(
    removed: Sequence[float] | Floats, auc: Sequence[float] | Floats, *, end: float | None = None
) -> float:
    """Give ACA: the mean distance of the curve from its start, up to `end`, a point of the grid.

    The curve is taken as straight between its points, and split where it crosses its start.

    Examples
    --------
    >>> round(average_change([0.0, 1.0, 2.0], [0.5, 0.6, 0.4]), 6)
    0.05
    """
    x, e = np.asarray(removed, dtype=np.float64), np.asarray(auc, dtype=np.float64)
    upto = len(x) if end is None else int(np.searchsorted(x, end + TIE))
    x, e = x[:upto], e[:upto] - e[0]
    if len(x) < 2:
        return 0.0
    left, right = e[:-1], e[1:]
    size = np.abs(left) + np.abs(right)
    # Two triangles with heights l and r on a base of 1 have the area (l^2 + r^2) / (2 (l + r)).
    crossing = np.divide(left**2 + right**2, 2 * size, out=np.zeros_like(size), where=size > 0)
    areas = np.where(left * right < 0, crossing, size / 2)
    return float(areas @ np.diff(x) / (x[-1] - x[0]))


def changes(
    curve: AucCurve,
    *,
    tolerances: Sequence[float] = TOLERANCES,
    mode: str = "first",
    full_range: bool = False,
) -> list[Change]:
    """Give PFR and ACA for each tolerance; ACA ends at PFR unless the full range is requested."""
    found = []
    for tolerance in tolerances:
        removed = features_removed(curve.removed, curve.auc, tolerance, mode=mode)
        end = None if full_range else removed
        change = average_change(curve.removed, curve.auc, end=end)
        found.append(Change(curve.method, tolerance, removed, change))
    return found
