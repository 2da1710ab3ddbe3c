"""The search of `sfs` and nothing besides, for the many parts of the rows that it is repeated on.

Neither limits nor scores nor shares are kept, only what the next pick needs: a step is little more
than the product of the matrix with one vector.
"""

import numpy as np
from numpy.typing import NDArray

from tamis.algorithms.forward.row_searches import search_together
from tamis.algorithms.residual import TRACE_FALL
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram
from tamis.statistics.grouped import GroupedGram, as_groups
from tamis.statistics.response import ResponseGram


def search_part(
    statistic: Gram | GroupedGram | ResponseGram, k: int, shrink: float | str
) -> Indices | None:
    """Take the columns that `take_groups` takes of some rows where nothing else rules.

    None where that takes more than the gains of single columns, each as important.
    """
    if isinstance(statistic, ResponseGram) or isinstance(shrink, str):
        return None
    grouped = as_groups(statistic)
    if not grouped.groups.single:
        return None
    if grouped.samples is not None:
        return search_together(grouped.gram, k, [shrink])[0]
    return None if shrink else search_plain(grouped.gram, k)


def search_plain(gram: Gram, k: int) -> Indices:
    """Take up to `k` columns, those that `greedy_reconstruction` takes.

    Examples
    --------
    The first two columns are collinear, so two picks reproduce all three.

    >>> from tamis.statistics.gram import DenseGram
    >>> search_plain(DenseGram(np.array([[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 3.0]])), 3)
    array([0, 2])
    """
    left = gram.diagonal()
    floor, norms, trace = RANK_TOL * left, gram.start_norms.copy(), float(left.sum())
    size = min(k, gram.rank_bound)
    W, taken = np.empty((size, len(left))), np.zeros(size, dtype=np.intp)
    with small_products_on_one_thread(len(left) * gram.rank_bound):
        for step in range(size):
            free = left > floor
            if not free.any():
                return taken[:step]
            taken[step] = pick = _pick(norms, left, free)
            done, w = W[:step], W[step]
            np.subtract(gram.column(pick), done[:, pick] @ done, out=w)
            w /= np.sqrt(left[pick])
            w[taken[:step]] = 0.0
            left -= w * w
            np.maximum(left, 0.0, out=left)
            left[pick] = 0.0
            if left.sum() * TRACE_FALL < trace:
                norms, trace = gram.residual_norms(taken[: step + 1], W[: step + 1]), left.sum()
            elif step + 1 < size:
                # ||(R - ww')e_j||^2 = ||Re_j||^2 - 2 w_j (Rw)_j + (w'w) w_j^2.
                residual_w = gram.dot(w) - (done @ w) @ done
                norms += w * ((w @ w) * w - 2.0 * residual_w)
    return taken


def _pick(norms: Floats, left: Floats, free: NDArray[np.bool_]) -> int:
    """Give the free column of the largest gain `||R e_j||^2 / R_jj`, the first of equal ones."""
    gains = np.full_like(left, -1.0)
    np.divide(np.maximum(norms, 0.0), left, out=gains, where=free)
    return first_best(gains)
