"""Columns as small whole numbers: categories as they are, numbers in bins.

Numbers go into bins of equal depth (quantiles), equal width, or by k-means of one column. Edges are
learnt from a `QuantileSketch`; a value goes into the first bin whose upper edge it does not exceed,
and the outer bins are open. A numeric column with no more different values than bins keeps them.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tamis.statistics.quantiles import QuantileSketch, quantiles

Floats = NDArray[np.float64]
Codes = NDArray[np.uint16]

_STEPS = 100


def edges_of(sketch: QuantileSketch, bins: int, binning: str) -> list[Floats]:
    """Find the inner edges of the bins of every column.

    Examples
    --------
    >>> x = np.arange(8.0)[:, None]
    >>> edges_of(QuantileSketch.from_batch(x), 2, "depth")
    [array([3.5])]
    """
    cut = _CUTS[binning]
    found = []
    for column in range(sketch.rest.shape[1]):
        values, weights = sketch.points(column)
        # The sketch may have thinned the ends out.
        ends = [] if len(values) == 0 else [sketch.low[column], sketch.high[column]]
        different = np.unique(np.concatenate([values, ends]))
        if len(different) <= bins:
            found.append((different[1:] + different[:-1]) / 2)
        else:
            values[0], values[-1] = ends
            found.append(cut(values, weights, bins))
    return found


def equal_depth(values: Floats, weights: Floats, bins: int) -> Floats:
    """Cut at the quantiles; heavy ties give fewer bins.

    >>> equal_depth(np.array([0.0, 0.0, 0.0, 1.0]), np.ones(4), 2)
    array([0.])
    """
    edges = quantiles(values, weights, np.arange(1, bins) / bins)
    below, first = np.unique(np.searchsorted(values, edges, side="right"), return_index=True)
    return edges[first[below < len(values)]]


def equal_width(values: Floats, weights: Floats, bins: int) -> Floats:  # noqa: ARG001
    """Cut the range into equal parts.

    >>> equal_width(np.array([0.0, 1.0, 8.0]), np.ones(3), 4)
    array([2., 4., 6.])
    """
    return np.linspace(values[0], values[-1], bins + 1)[1:-1]


def by_means(values: Floats, weights: Floats, bins: int) -> Floats:
    """Cut half-way between the centres of k-means, started from bins of equal depth.

    >>> by_means(np.array([0.0, 1.0, 10.0, 11.0, 12.0, 30.0]), np.ones(6), 3)
    array([ 5.75, 20.5 ])
    """
    edges = equal_depth(values, weights, bins)
    for _ in range(_STEPS):
        place = np.searchsorted(edges, values, side="left")
        mass = np.bincount(place, weights)
        there = mass > 0
        centres = np.bincount(place, weights * values)[there] / mass[there]
        fresh = (centres[1:] + centres[:-1]) / 2
        if len(fresh) == len(edges) and np.allclose(fresh, edges, rtol=1e-12, atol=0):
            break
        edges = fresh
    return edges


_CUTS: dict[str, Callable[[Floats, Floats, int], Floats]] = {
    "depth": equal_depth,
    "width": equal_width,
    "kmeans": by_means,
}


def binned(rows: Floats, edges: Sequence[Floats]) -> Codes:
    """Give the bin of every value; missing ones get one bin more than there are.

    >>> binned(np.array([[1.0], [3.5], [9.0], [np.nan]]), [np.array([3.5])]).ravel()
    array([0, 0, 1, 2], dtype=uint16)
    """
    codes = np.empty(rows.shape, dtype=np.uint16, order="F")
    for j, inner in enumerate(edges):
        column = rows[:, j]
        codes[:, j] = np.searchsorted(inner, column, side="left")
        codes[np.isnan(column), j] = len(inner) + 1
    return codes
