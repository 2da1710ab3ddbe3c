"""How well discriminants separate classes on rows they were not fitted to.

With about as many columns as rows a discriminant separates any labels, shuffled ones too. So the
rows are cut into folds, each class evenly; the discriminants are fitted without each fold, and
its rows get the class with the nearest mean score. Where a fold leaves no discriminant, its rows
get the largest class. The only row of a class is never held out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.algorithms.projection import Projection
from tamis.errors import TamisError
from tamis.progress import track
from tamis.statistics.cluster_labels import ClusterLabels
from tamis.statistics.label_codes import class_codes

Codes = NDArray[np.intp]

_FOLDS = 5
_MIN_ACCURACY_LOSS = 0.05
_ERRORS = 2.0


@dataclass(frozen=True)
class Separation:
    """Share of the rows whose class has the nearest mean score.

    Attributes
    ----------
    accuracy
        On held-out rows.
    fitted
        On the rows used for fitting.
    largest_class
        Accuracy of always predicting the largest class.
    folds, rows
        How many parts the rows were cut into, and how many rows there were.
    """

    accuracy: float
    fitted: float
    largest_class: float
    folds: int
    rows: int

    @property
    def overfitted(self) -> bool:
        """Whether the loss on held-out rows is over 5 points and over 2 standard errors."""
        error = np.sqrt(max(self.accuracy * (1 - self.accuracy), 0.0) / self.rows)
        return bool(self.fitted - self.accuracy > max(_MIN_ACCURACY_LOSS, _ERRORS * error))


def cross_validate(
    fit: Callable[[Any, Codes], Projection],
    full: Projection,
    rows: Any,
    codes: Codes,
    clusters: ClusterLabels | None = None,
) -> Separation:
    """Compare the discriminants `full` of all rows with those fitted without each fold.

    Where clusters stand for labels, those of a fold are made of the other rows.
    """
    folds = _folds(codes if clusters is None else np.zeros_like(codes))
    known = np.flatnonzero(folds >= 0)
    right = np.zeros(len(codes), dtype=bool)
    for fold in track("folds of cross-validation", range(_FOLDS), _FOLDS):
        held, rest = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        if len(held):
            seen = codes if clusters is None else class_codes(clusters.seen_from(rest), "y")
            right[held] = _guess_classes(fit, rows[rest], seen[rest], rows[held]) == seen[held]
    again = _nearest(full.project(rows), codes, full.project(rows))
    return Separation(
        float(np.mean(right[known])),
        float(np.mean(again == codes)),
        float(np.bincount(codes).max() / len(codes)),
        _FOLDS,
        len(codes),
    )


def _folds(codes: Codes) -> Codes:
    """Deal the rows of each class to the folds in turn, shuffled; -1 for the only row of one."""
    shuffled = np.random.default_rng(0).permutation(len(codes))
    folds = np.full(len(codes), -1, dtype=np.intp)
    dealt = 0
    for code in np.unique(codes):
        members = shuffled[codes[shuffled] == code]
        if len(members) > 1:
            folds[members] = (dealt + np.arange(len(members))) % _FOLDS
            dealt += len(members)
    return folds


def _guess_classes(
    fit: Callable[[Any, Codes], Projection], rows: Any, codes: Codes, held: Any
) -> Codes | int:
    try:
        found = fit(rows, codes)
    except TamisError:
        return int(np.bincount(codes).argmax())
    return _nearest(found.project(rows), codes, found.project(held))


def _nearest(scores: Any, codes: Codes, others: Any) -> Codes:
    """Give each of the others the class whose mean score is nearest."""
    from scipy.spatial.distance import cdist

    names, positions = np.unique(codes, return_inverse=True)
    means = np.array([scores[positions == position].mean(axis=0) for position in range(len(names))])
    return np.asarray(names[cdist(others, means, "sqeuclidean").argmin(axis=1)])
