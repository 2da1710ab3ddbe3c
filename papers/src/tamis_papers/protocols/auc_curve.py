"""Yen, Chen & Lin's experiment on labelled data: how little a linear classifier changes.

Columns are ranked on the training part of each fold, without labels, and removed worst first; a
LIBLINEAR classifier is trained on what is left and its area under the ROC curve (AUC) taken on the
test part. PFR is the share of columns that can be removed while the AUC stays within a tolerance of
that of all columns, ACA the average change up to there; a gain counts as a change. The paper names
no settings of the classifier: C = 1 and the scale of its columns are ours. Nor does it say whether
PFR ends where the curve first leaves the band (the default) or last was in it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.progress import track
from tamis_papers.laboratory.numbers import RANK_TOL, TIE, Floats, Indices
from tamis_papers.laboratory.order import order_columns

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


def measure_auc(
    X: Any,
    y: Any,
    method_id: str,
    *,
    n_folds: int = 5,
    fractions: Sequence[float] = FRACTIONS,
    classifier: str = "svm",
    C: float = 1.0,
    tol: float = 1e-6,
    scale: str = "standard",
    options: Mapping[str, Any] | None = None,
    order: Callable[[Floats], Indices] | None = None,
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
        Columns of the classifier, by the training part: "standard" (mean 0, deviation 1), "minmax"
        (from 0 to 1) or "none". The method always sees standardised columns.
    options
        Settings of the method.
    order
        Gives the columns of a training part, best first, in the place of the method.
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
    rank = order or partial(order_columns, method=method_id, options=options)
    folds = []
    for train, test in track("folds done", splitter.split(X, y), n_folds):
        inside, outside = _fill_missing(X[train], X[test])
        best = rank(inside)
        inside, outside = _scale_columns(inside, outside, scale)
        targets = (y[train] == labels[1], y[test] == labels[1])
        model = _model(classifier, C, tol, random_state)
        folds.append(_areas(model, inside[:, best], outside[:, best], targets, kept))
    return AucCurve(method_id, grid, np.mean(folds, axis=0), np.array(folds))


def _fill_missing(train: Floats, test: Floats) -> tuple[Floats, Floats]:
    """Fill missing values with the means of the training part, 0 where there is none."""
    known = ~np.isnan(train)
    sums = np.where(known, train, 0.0).sum(axis=0)
    means = sums / np.maximum(known.sum(axis=0), 1)
    return np.where(known, train, means), np.where(np.isnan(test), means, test)


def _scale_columns(train: Floats, test: Floats, rule: str) -> tuple[Floats, Floats]:
    if rule == "none":
        return train, test
    if rule == "standard":
        start, width = train.mean(axis=0), train.std(axis=0)
    elif rule == "minmax":
        start, width = train.min(axis=0), np.ptp(train, axis=0)
    else:
        raise TamisError(f"scale={rule!r}: give 'standard', 'minmax' or 'none'.")
    factor = np.divide(1.0, width, out=np.zeros_like(width), where=width > 0)
    return (train - start) * factor, (test - start) * factor


def _model(classifier: str, C: float, tol: float, random_state: int) -> Any:
    settings = {"C": C, "tol": tol, "max_iter": _MOST_STEPS, "random_state": random_state}
    if classifier == "svm":
        from sklearn.svm import LinearSVC

        # One optimum, two ways to it: Newton steps on the weights end closer to it than descent by
        # single rows, in a fraction of the time.
        return LinearSVC(dual=False, **settings)
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
    sizes = np.unique(kept).tolist()
    compact = _Compact(train, test)
    for k in track("classifiers trained", sizes, len(sizes)):
        inside, outside = compact.first(k)
        model.fit(inside, targets[0])
        areas[k] = roc_auc_score(targets[1], model.decision_function(outside))
    return np.array([areas[k] for k in kept.tolist()])


class _Compact:
    """The first k columns, for k that grow; more columns than rows as few that say the same.

    A penalty on squared weights knows the rows only by their inner products. Of n rows with more
    than n columns these are also the inner products of n coordinates: the same problem and the
    same scores of the rows, at a fraction of the cost.
    """

    def __init__(self, train: Floats, test: Floats) -> None:
        self._train, self._test = train, test
        self._seen = 0
        self._inner = np.zeros((len(train), len(train)))
        self._across = np.zeros((len(test), len(train)))

    def first(self, k: int) -> tuple[Floats, Floats]:
        """Give the rows of the training and of the test part."""
        if k <= len(self._train):
            return self._train[:, :k], self._test[:, :k]
        new = self._train[:, self._seen : k]
        self._inner += new @ new.T
        self._across += self._test[:, self._seen : k] @ new.T
        self._seen = k
        values, vectors = np.linalg.eigh(self._inner)
        used = values > RANK_TOL * values[-1]
        root, vectors = np.sqrt(values[used]), vectors[:, used]
        return vectors * root, self._across @ (vectors / root)


def measure_removed(
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
    >>> measure_removed(x, auc, 0.01), measure_removed(x, auc, 0.01, mode="last")
    (0.2, 0.4)
    """
    if mode not in ("first", "last"):
        raise TamisError(f"mode={mode!r}: give 'first' or 'last'.")
    values = np.asarray(auc)
    inside = np.abs(values - values[0]) <= tolerance + TIE
    if mode == "last":
        return float(removed[int(np.flatnonzero(inside)[-1])])
    return float(removed[len(inside) - 1 if inside.all() else int(np.argmin(inside)) - 1])


def measure_change(
    removed: Sequence[float] | Floats, auc: Sequence[float] | Floats, *, end: float | None = None
) -> float:
    """Give ACA: the mean distance of the curve from its start, up to `end`, a point of the grid.

    The curve is taken as straight between its points, and split where it crosses its start.

    Examples
    --------
    >>> round(measure_change([0.0, 1.0, 2.0], [0.5, 0.6, 0.4]), 6)
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
