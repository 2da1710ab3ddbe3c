"""What the relevance methods share: ranking by relevance and the 95% rule.

The 95% rule of Peluffo et al. asks for "approximately" 95% of a sum of shares. Read as "ceil" it is
the smallest head that reaches 95%, the usual convention; read as "floor", the largest head that
does not exceed it, it gives the numbers of columns and components in the paper.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg.lapack import dpotrf

from tamis.algorithms.by_score import order_of, put_included_first
from tamis.algorithms.column_pairs import Pairs, measure_order
from tamis.algorithms.path import Path, count_enough, head_size
from tamis.numerics.threads import scipy_on_one_thread
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram

RELEVANT_SHARE = 0.95

_FIRST_COMPONENTS = 16


def rank_by_relevance(
    gram: Gram,
    relevance: Floats,
    k: int,
    *,
    retain: float,
    include: Sequence[int],
    threshold: float | None,
    rule: str,
    squared: bool = False,
) -> Path:
    """Rank all columns, those to include first, then the most relevant; cut at the goal.

    `threshold` is the share of the summed relevance, or of its squares, that the kept head holds.
    """
    order = put_included_first(order_of(relevance), include)
    retained = measure_ranking(gram, order)
    if threshold is not None:
        parts = relevance[order] ** (2 if squared else 1)
        size = head_size(parts / parts.sum(), threshold, rule)
    else:
        size = min(k, count_enough(retained, retain))
    return Path(order, retained, relevance, size=max(size, len(include), 1))


def count_leading(gram: Gram, rule: str, share: float = RELEVANT_SHARE) -> int:
    """Count the principal components that hold `share` of the variance by the rule."""
    most, total = gram.rank_bound, gram.diagonal().sum()
    asked = most if gram.decomposable else _FIRST_COMPONENTS
    while True:
        values = gram.eigenvalues(min(asked, most))
        found = head_size(values / total, share, rule)
        if found < len(values) or asked >= most:
            return found
        asked *= 2


def measure_ranking(gram: Gram, order: Indices) -> Floats:
    """Give the share of variance that the first 1, 2, ... columns of any order reproduce."""
    d = len(order)
    gains = _regular_gains(gram, order) if gram.rank_bound == d else None
    if gains is not None:
        return np.minimum(np.cumsum(gains) / gram.diagonal().sum(), 1.0)
    pairs, head = Pairs(gram), min(d, 2 * gram.rank_bound)
    while True:
        found = measure_order(pairs, order[:head])
        if head == d or found[-1] >= 1.0 - RANK_TOL:
            return np.concatenate([found, np.full(d - head, found[-1])])
        head = min(2 * head, d)


def _regular_gains(gram: Gram, order: Indices) -> Floats | None:
    """Give what each column adds to those before it, or None when the matrix is near singular."""
    moved = gram.block(order, order)
    sizes = np.diagonal(moved).copy()
    with scipy_on_one_thread():
        # Symmetric, so the transpose, which is in Fortran order, is no other matrix and no copy.
        factor, failed = dpotrf(moved.T, lower=0, overwrite_a=1)
    nonzero = np.diagonal(factor) ** 2 > RANK_TOL * sizes
    return None if failed or not nonzero.all() else np.einsum("ij,ij->i", factor, factor)
