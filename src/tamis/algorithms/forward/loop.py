"""The greedy loop on a Gram matrix: take the best column, condition on it, repeat."""

from collections.abc import Callable, Sequence

import numpy as np

from tamis.algorithms.forward.limits import Limits
from tamis.algorithms.greedy import Mask, reaches, take_greedily
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.types import Floats
from tamis.statistics.gram import Gram

Score = Callable[[Residual], Floats]


def take_forward(
    gram: Gram,
    k: int,
    score: Score,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    forbid: Sequence[int] = (),
    redundant: bool = False,
    tie: Score | None = None,
    limits: Limits | None = None,
) -> Path:
    """Take up to `k` columns, each the one with the highest score at its turn.

    Parameters
    ----------
    gram
        The Gram matrix of the centred columns.
    k
        Largest number of columns.
    score
        Gives every column a score, from what is left of the matrix.
    retain
        Stop once this share of the variance is reproduced.
    include
        Columns taken first, whatever their score.
    forbid
        Columns that are never taken.
    redundant
        Whether a column that the taken ones reproduce already may still be taken.
    tie
        Decides between columns with the same score; without it the first one is taken.
    limits
        Say which columns may come next.
    """
    allowed = np.ones(len(gram.diagonal()), dtype=bool)
    allowed[list(forbid)] = False

    def usable(residual: Residual) -> Mask:
        free = allowed if redundant else allowed & residual.free
        if limits is None:
            return free
        return free & limits.mark_next(residual.taken, 0 if reaches(residual, retain) else k)

    with small_products_on_one_thread(len(allowed) * gram.rank_bound):
        return take_greedily(
            Residual(gram, k),
            k,
            score,
            retain=retain,
            include=include,
            usable=usable,
            tie=tie,
            is_met=lambda residual: limits is None or limits.is_met(residual.taken),
        )
