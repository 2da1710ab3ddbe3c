"""The mutual information that two columns show by chance, for their levels and their rows.

It grows with the number of levels: 900 random codes seem to say much of any other column. Taken is
the mean over all orders of the rows of one column (Vinh, Epps & Bailey, 2010). The rows with level
i of one column and l of the other are then c, hypergeometric about m = a b / n, and the mean
information is the sum over all pairs of levels of E(c log c) - m log m, over n. That excess depends
on the counts a and b only, so it is computed once for every two counts that occur. Rare levels need
no pooling: what a level of one row shows, it shows in any order.
"""

from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from scipy.special import gammaln

from tamis.numerics.types import Floats

MAX_EXACT_MEAN = 30.0  # rows expected in a cell; from there on the expansion is off by 1e-4
MAX_EXACT_ROWS = 120  # of such a cell, in all cases that matter
MAX_COUNTS = 1_000  # different ones; more are rounded to 1%
_TERMS_AT_A_TIME = 1 << 20


def expected_information(counts: list[NDArray[np.intp]], rows: int) -> Floats:
    """Give the mean mutual information (nats) by chance, of every two columns.

    `counts` are the rows of every level of every column.

    >>> expected_information([np.array([50, 50]), np.array([50, 50])], 100)[0, 1].round(5)
    np.float64(0.00508)
    """
    filled = [column[column > 0] for column in counts]
    owner = np.repeat(np.arange(len(filled)), [len(column) for column in filled])
    sizes, place = _different(np.concatenate([*filled, np.zeros(0, np.intp)]))
    excess = np.zeros((len(sizes), len(sizes)))
    step = max(_TERMS_AT_A_TIME // max(len(sizes), 1), 1)
    for start in range(0, len(sizes), step):
        excess[start : start + step] = excess_by_chance(
            sizes[start : start + step, None], sizes[None, :], rows
        )
    shape = (len(filled), len(sizes))
    levels = scipy.sparse.csr_array((np.ones(len(owner)), (owner, place)), shape=shape)
    found = np.asarray(levels @ (levels @ excess).T)
    return (found + found.T) / (2 * rows)


def _different(counts: NDArray[np.intp]) -> tuple[Floats, NDArray[np.intp]]:
    """List the different counts, and where each is among them; very many are rounded."""
    sizes, place = np.unique(counts, return_inverse=True)
    if len(sizes) <= MAX_COUNTS:
        return sizes.astype(np.float64), place
    rounded = np.rint(np.exp(np.rint(np.log(counts) * 100) / 100))
    sizes, place = np.unique(np.minimum(rounded, counts.max()), return_inverse=True)
    return sizes.astype(np.float64), place


def excess_by_chance(a: Any, b: Any, rows: int) -> Floats:
    """Give E(c log c) - m log m of a cell whose levels have `a` and `b` of all rows."""
    a, b = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(b, np.float64))
    mean = a * b / rows
    # About the mean: variance, third and fourth moment of the hypergeometric distribution.
    spread = (1 - a / rows) * (1 - b / rows) * rows / max(rows - 1, 1)
    skew = (1 - 2 * a / rows) * (1 - 2 * b / rows)
    found = spread / 2 - spread * skew / (6 * mean) + spread**2 / (4 * mean)
    small = mean < MAX_EXACT_MEAN
    found[small] = _exact_excess(a[small], b[small], rows)
    return found


def _exact_excess(a: Floats, b: Floats, rows: int) -> Floats:
    """Sum c log c over the distribution itself."""
    fixed = gammaln(a + 1) + gammaln(rows - a + 1) + gammaln(b + 1) + gammaln(rows - b + 1)
    fixed -= gammaln(rows + 1)
    least, most = np.maximum(a + b - rows, 0), np.minimum(a, b)
    total = np.zeros(len(a))
    top = int(min(most.max(initial=0), MAX_EXACT_ROWS))
    for c in range(2, top + 1):
        there = np.flatnonzero((least <= c) & (c <= most))
        x, y = a[there], b[there]
        free = gammaln(x - c + 1) + gammaln(y - c + 1) + gammaln(rows - x - y + c + 1)
        total[there] += c * np.log(c) * np.exp(fixed[there] - gammaln(c + 1) - free)
    mean = a * b / rows
    return total - mean * np.log(mean)


def information_by_chance(ours: Any, theirs: Any, rows: int) -> Floats:
    """Give about the mean mutual information (nats) of unrelated columns with so many levels.

    That of the chi-squared distribution with (levels - 1)(levels' - 1) degrees of freedom, over
    twice the rows. With more cells than rows that is far too large. For any number of rows N, the
    mean is at most log(((N - levels)(N - levels') / (N - 1) + levels levels') / N): the bound of
    Vinh, Epps and Bailey (2010) on expected mutual information, by Jensen's inequality.

    >>> information_by_chance(3, 2, 100)
    array(0.01)
    """
    cells = (rows - ours) * (rows - theirs) / max(rows - 1, 1)
    bound = np.log((cells + ours * theirs) / rows)
    return np.asarray(np.minimum((ours - 1) * (theirs - 1) / (2.0 * rows), bound))
