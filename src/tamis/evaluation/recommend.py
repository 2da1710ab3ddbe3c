"""Which method to take, on what that rests, and which others are as good within noise."""

from collections.abc import Sequence

import numpy as np

from tamis.errors import TamisError
from tamis.evaluation.contest import Contest, mean_of
from tamis.numerics.types import Floats
from tamis.values import dataclass

FIRST = ("prediction", "held-out", "share")  # what a recommendation rests on, if measured
_ERRORS = 2.0


@dataclass(frozen=True)
class Recommendation:
    """The best `method` by the mean of a criterion over the numbers of columns.

    `equal` are methods whose difference from it is within noise, `value` and `error` its mean and
    the standard error of that; `order` has all methods measured, best first. `folds` is 0 where
    noise is unknown.
    """

    method: str
    criterion: str
    value: float
    error: float
    folds: int
    equal: tuple[str, ...]
    order: tuple[str, ...]


def recommend(contest: Contest) -> Recommendation:
    """Compare by the first criterion that was measured for two methods, or for the only one.

    Folds share most of their training rows, so a difference over m folds has the variance of a
    fold's difference times 1/m + 1/(m - 1) (Nadeau and Bengio, 2003).
    """
    ids = [trial.method.id for trial in contest.trials]
    criteria = [*FIRST, *(criterion.id for criterion in contest.criteria)]
    for criterion in criteria:
        means = {one: mean_of(contest, criterion, one) for one in ids}
        known = {one: mean for one, mean in means.items() if mean is not None}
        if len(known) >= min(2, len(ids)):
            larger = next(c.larger for c in contest.criteria if c.id == criterion)
            return _best(contest, criterion, known, larger=larger)
    raise TamisError("The budget was spent before anything was measured: give more seconds.")


def _best(
    contest: Contest, criterion: str, means: dict[str, float], *, larger: bool
) -> Recommendation:
    sign = 1 if larger else -1
    # The first method of equals; means that differ by rounding are equal.
    order = sorted(means, key=lambda one: -sign * round(means[one], 9))
    best, *others = order
    folds = {one: _folds(contest, criterion, one) for one in order}
    mine = folds[best]
    if mine is None:
        same = tuple(o for o in others if round(means[o], 9) == round(means[best], 9))
        return Recommendation(best, criterion, means[best], 0.0, 0, same, tuple(order))
    equal = []
    for other in others:
        theirs = folds[other]
        if theirs is not None and len(theirs) == len(mine):
            apart = sign * (means[best] - means[other])
            if apart <= _ERRORS * correct_error(mine - theirs):
                equal.append(other)
    error = correct_error(mine)
    return Recommendation(
        best, criterion, means[best], error, len(mine), tuple(equal), tuple(order)
    )


def correct_error(folds: Floats) -> float:
    """Give the standard error of a mean over folds that share training rows.

    >>> round(correct_error(np.array([0.0, 1.0])), 4)
    0.866
    """
    m = len(folds)
    return float(np.sqrt((1 / m + 1 / max(m - 1, 1)) * folds.var(ddof=1))) if m > 1 else 0.0


def _folds(contest: Contest, criterion: str, method: str) -> Floats | None:
    """Give the mean over the numbers of columns, fold by fold."""
    found = [contest.figure(criterion, method, k) for k in contest.sizes]
    rows = [one.folds for one in found if one is not None and one.folds is not None]
    return None if len(rows) < len(found) else np.asarray(np.mean(_same_length(rows), axis=0))


def _same_length(rows: Sequence[Floats]) -> Sequence[Floats]:
    shortest = min(map(len, rows))
    return [row[:shortest] for row in rows]
