"""What half of the columns keep of a table's structure, as the VIMICA / RSPFS note measures it.

Every column is put into ten bins once; what follows sees only the codes. A method gives its best
1, 2, ... up to half of the columns. Each set is compared with the full table by the nearest rows
of every row (Jaccard index) and by K-means clusters (Rand index).
"""

from collections.abc import Sequence

import numpy as np

from tamis.evaluation.cluster_count import kmeans
from tamis.evaluation.clusters import pair_agreement
from tamis.evaluation.neighbourhood import nearest_first, shared_neighbours
from tamis.evaluation.protocols.order import column_order
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.run.request import Request
from tamis.run.selection import select_columns
from tamis.sources.arrays import ArraySource

BINS = 10


def equal_depth_codes(X: Floats, bins: int = BINS) -> Floats:
    """Cut every column at its quantiles; a value on an edge belongs to the bin below it.

    Heavy ties make several edges one, and fewer bins. Constant columns are omitted.

    Examples
    --------
    >>> equal_depth_codes(np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]), 2).ravel()
    array([0., 0., 1., 1.])
    """
    X = X[:, (X[:1] != X).any(axis=0)]
    shares = np.arange(1, bins) / bins
    edges = np.quantile(X, shares, axis=0).T
    pairs = zip(X.T, edges, strict=True)
    codes = [np.searchsorted(np.unique(cuts), column, side="left") for column, cuts in pairs]
    return np.column_stack(codes).astype(np.float64)


def column_sets(codes: Floats, method: str) -> list[Indices]:
    """Give the best 1, 2, ... up to half of the columns; the sets need not be nested."""
    sizes = range(1, max(1, codes.shape[1] // 2) + 1)
    found = select_columns(Request.of(method, k=sizes[-1], least=1), ArraySource(codes))
    if found.path.nested:
        order = column_order(codes, method, k=sizes[-1])
        return [order[:size] for size in sizes]
    return [column_order(codes, method, k=size) for size in track("sets chosen", sizes, len(sizes))]


def neighbours_kept(
    codes: Floats, sets: Sequence[Indices], neighbours: Sequence[int]
) -> dict[int, list[float]]:
    """Give for each number of neighbours the mean Jaccard index with every set of columns.

    A row is a candidate for its own neighbours; of equal distances, which are many, the first rows
    are taken.

    Examples
    --------
    >>> codes = np.array([[0.0, 0.0], [0.0, 3.0], [5.0, 0.0], [5.0, 3.0]])
    >>> neighbours_kept(codes, [np.array([0]), np.array([0, 1])], [2])
    {2: [1.0, 1.0]}
    """
    most = max(neighbours)
    before = nearest_first(codes, most, include_self=True)
    found: dict[int, list[float]] = {k: [] for k in neighbours}
    for kept in track("sets compared by neighbours", sets, len(sets)):
        after = nearest_first(codes[:, kept], most, include_self=True)
        for k, value in shared_neighbours(before, after, neighbours).items():
            found[k].append(value)
    return found


def clusters_kept(
    codes: Floats, sets: Sequence[Indices], *, clusters: int, seeds: Sequence[int]
) -> list[list[float]]:
    """Give for each seed of K-means the Rand index with every set of columns.

    Examples
    --------
    >>> codes = np.array([[0.0, 1.0], [0.0, 0.0], [9.0, 1.0], [9.0, 0.0]])
    >>> clusters_kept(codes, [np.array([0]), np.array([1])], clusters=2, seeds=[0])
    [[1.0, 0.3333333333333333]]
    """
    found = []
    for seed in track("seeds of K-means", seeds, len(seeds)):
        before, _ = kmeans(codes, clusters, random_state=seed)
        after = [kmeans(codes[:, kept], clusters, random_state=seed)[0] for kept in sets]
        found.append([pair_agreement(before, labels) for labels in after])
    return found
