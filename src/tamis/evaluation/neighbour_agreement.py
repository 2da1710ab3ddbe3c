"""Whether rows keep their nearest rows when columns are dropped.

For every row the k nearest rows are found on all columns and on the kept ones, and compared by
their Jaccard index: with o of k in common, o / (2k - o). The average over the rows is 1 when
nothing moved.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.evaluation.before_after import before_after, rows_of
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Indices
from tamis.statistics.knn import measure_pair_distances, nearest_rows

NEIGHBOUR_COUNTS = (3, 5, 10)


def neighbourhood_agreement(
    full: Any,
    reduced: Any,
    *,
    neighbours: Sequence[int] = NEIGHBOUR_COUNTS,
    include_self: bool = False,
) -> dict[int, float]:
    """Give, for each number of neighbours, the mean Jaccard index before and after.

    Parameters
    ----------
    full, reduced
        The same rows with all columns and with the kept ones, on one scale.
    neighbours
        Numbers of nearest rows to compare.
    include_self
        Whether a row is a candidate for its own neighbours. It is then at distance 0, and so are
        its copies: of those the first rows are taken, which need not hold the row itself.

    Examples
    --------
    >>> X = np.array([[0.0, 5.0], [1.0, 0.0], [2.0, 5.0], [3.0, 0.0]])
    >>> neighbourhood_agreement(X, X, neighbours=[1, 2])
    {1: 1.0, 2: 1.0}
    >>> neighbourhood_agreement(X, X[:, :1], neighbours=[1])
    {1: 0.0}
    """
    before, after = before_after(full, reduced)
    most = max(neighbours)
    old, new = (nearest_first(X, most, include_self=include_self) for X in (before, after))
    return shared_neighbours(old, new, neighbours)


def shared_neighbours(old: Indices, new: Indices, neighbours: Sequence[int]) -> dict[int, float]:
    """Compare two lists of nearest rows, nearest first, by their first k for each k.

    Examples
    --------
    >>> shared_neighbours(np.array([[1, 2, 3]]), np.array([[2, 1, 4]]), [1, 2, 3])
    {1: 0.0, 2: 1.0, 3: 0.5}
    """
    found = {}
    for k in neighbours:
        common = np.zeros(len(old), dtype=np.intp)
        for position in range(k):
            common += (old[:, :k] == new[:, position, None]).any(axis=1)
        found[int(k)] = float((common / (2 * k - common)).mean())
    return found


def nearest_first(X: Any, k: int, *, include_self: bool = False) -> Indices:
    """Find the `k` nearest rows of every row, nearest first; of equal distances the first row.

    The search is exact, and distances within 1e-9 (relative) of each other are equal.

    Examples
    --------
    >>> nearest_first(np.array([[0.0], [1.0], [-1.0], [5.0]]), 2).tolist()
    [[1, 2], [0, 2], [0, 1], [1, 0]]
    """
    rows = rows_of(X)
    n = len(rows)
    most = n - (not include_self)
    if not 1 <= k <= most:
        raise TamisError(f"{k} neighbours of {n} rows: give a number from 1 to {most}.")
    near, here = nearest_rows(rows, k, search="exact"), np.arange(n)
    if include_self:
        near = np.sort(np.column_stack([near, here]), axis=1)
    width = near.shape[1]
    distances = measure_pair_distances(rows, np.repeat(here, width), near.ravel()).reshape(n, width)
    order = np.argsort(distances, axis=1, kind="stable")
    rising = np.take_along_axis(distances, order, axis=1)
    # Equal distances get one rank; sorting by it leaves them as they came, by row.
    ranks = np.zeros((n, width), dtype=np.intp)
    further = rising[:, 1:] > rising[:, :-1] * (1 + TIE)
    np.put_along_axis(ranks, order[:, 1:], np.cumsum(further, axis=1), axis=1)
    return np.take_along_axis(near, np.argsort(ranks, axis=1, kind="stable")[:, :k], axis=1)
