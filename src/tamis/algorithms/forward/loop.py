"""The greedy loop on a Gram matrix: take the best column, condition on it, repeat."""

from collections.abc import Callable, Sequence

import numpy as np

from tamis.algorithms.greedy import Mask, reaches
from tamis.algorithms.limits import Limits, take_within
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.types import Floats
from tamis.statistics.gram import Gram

Score = Callable[[Residual], Floats]


def weigh_by_limits(limits: Limits, k: int, retain: float) -> Score:
    """Give what tells which columns may come next: 0 for the others, else one over the price.

    A score that is found by iteration is found as exactly as the choice among these needs.
    """

    def weigh(residual: Residual) -> Floats:
        usable = limits.mark_usable(residual.taken, k, enough=reaches(residual, retain))
        return np.asarray(usable / limits.price)

    return weigh


def take_forward(
    gram: Gram,
    k: int,
    score: Score,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    redundant: bool = False,
    tie: Score | None = None,
    limits: Limits | None = None,
    priced: bool = True,
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
    redundant
        Whether a column that the taken ones reproduce already may still be taken.
    tie
        Decides between columns with the same score; without it the first one is taken.
    limits
        Say which columns may come next, and what they cost.
    priced
        Whether the score is still to be divided by the price.
    """
    within = Limits.of(len(gram.diagonal())) if limits is None else limits

    def mark_free(residual: Residual) -> Mask:
        return np.ones_like(residual.free) if redundant else residual.free

    with small_products_on_one_thread(len(within.price) * gram.rank_bound):
        return take_within(
            Residual(gram, k),
            k,
            score,
            within,
            retain=retain,
            include=include,
            usable=mark_free,
            tie=tie,
            priced=priced,
        )
