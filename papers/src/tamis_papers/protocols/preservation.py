"""What half of the columns keep of a table's structure, as the VIMICA / RSPFS note measures it.

Every column is put into ten bins once; what follows sees only the codes. A method gives its best
1, 2, ... up to half of the columns. Each set is compared with the full table by the nearest rows
of every row (Jaccard index) and by K-means clusters (Rand index).
"""

from collections.abc import Sequence

import numpy as np

import tamis
from tamis.evaluation import nearest_first, pair_agreement, shared_neighbours
from tamis.progress import track
from tamis_papers.laboratory.numbers import Floats, Indices
from tamis_papers.laboratory.order import order_columns, read_positions
from tamis_papers.laboratory.protocol import Table
from tamis_papers.protocols.clustering import cluster_rows

BINS = 10
# The archives of tables that are not one of their own.
FILES = {"robot": ("robot_lp1", "robot_lp2")}


def list_files(table: str) -> tuple[str, ...]:
    """Name the archives that a table is made of.

    >>> list_files("robot"), list_files("sonar")
    (('robot_lp1', 'robot_lp2'), ('sonar',))
    """
    return FILES.get(table, (table,))


def stack_rows(tables: Sequence[Table]) -> Floats:
    """Put the rows of the archives of a table below each other."""
    return np.vstack([np.asarray(table.X, dtype=np.float64) for table in tables])


def cut_columns(X: Floats, bins: int = BINS) -> Floats:
    """Cut every column at its quantiles; a value on an edge belongs to the bin below it.

    A bin keeps the number of its quantile: where heavy ties make several edges one, the bins
    between them stay empty. Constant columns are omitted.

    Examples
    --------
    >>> cut_columns(np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]), 2).ravel()
    array([0., 0., 1., 1.])
    >>> cut_columns(np.array([[0.0], [0.0], [0.0], [5.0], [7.0]]), 5).ravel()
    array([0., 0., 0., 3., 4.])
    """
    X = X[:, (X[:1] != X).any(axis=0)]
    shares = np.arange(1, bins) / bins
    edges = np.quantile(X, shares, axis=0).T
    codes = [np.searchsorted(cuts, column) for column, cuts in zip(X.T, edges, strict=True)]
    return np.column_stack(codes).astype(np.float64)


def choose_sets(codes: Floats, method: str) -> list[Indices]:
    """Give the best 1, 2, ... up to half of the columns; the sets need not be nested.

    Those of FSFS may be smaller: see `keep_similar`.
    """
    sizes = range(1, max(1, codes.shape[1] // 2) + 1)
    if method == "fsfs":
        return [keep_similar(codes, size) for size in sizes]
    if tamis.select(codes, sizes[-1], method=method).nested:
        order = order_columns(codes, method, k=sizes[-1])
        return [order[:size] for size in sizes]
    tried = track("sets chosen", sizes, len(sizes))
    return [order_columns(codes, method, k=size) for size in tried]


def keep_similar(codes: Floats, size: int) -> Indices:
    """Give what FSFS leaves of the columns when called with as many neighbours as shall go.

    The authors' program takes this number, not the size of the set, and its set is taken as it
    comes: mostly smaller, since the neighbours of the second column kept go as well.

    Examples
    --------
    >>> codes = np.array([[0.0, 0.0, 3.0, 1.0], [1.0, 1.0, 0.0, 0.0], [2.0, 2.1, 1.0, 5.0]])
    >>> keep_similar(codes, 2)
    array([1, 2])
    """
    every = codes.shape[1]
    options = {"neighbours": every - size}
    found = tamis.select(codes, every, method="fsfs", options=options)
    return read_positions(found.names)


def compare_neighbours(
    codes: Floats, sets: Sequence[Indices], neighbours: Sequence[int]
) -> dict[int, list[float]]:
    """Give for each number of neighbours the mean Jaccard index with every set of columns.

    A row is a candidate for its own neighbours; of equal distances, which are many, the first rows
    are taken.

    Examples
    --------
    >>> codes = np.array([[0.0, 0.0], [0.0, 3.0], [5.0, 0.0], [5.0, 3.0]])
    >>> compare_neighbours(codes, [np.array([0]), np.array([0, 1])], [2])
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


def compare_clusters(
    codes: Floats, sets: Sequence[Indices], *, clusters: int, seeds: Sequence[int]
) -> list[list[float]]:
    """Give for each seed of K-means the Rand index with every set of columns.

    Examples
    --------
    >>> codes = np.array([[0.0, 1.0], [0.0, 0.0], [9.0, 1.0], [9.0, 0.0]])
    >>> compare_clusters(codes, [np.array([0]), np.array([1])], clusters=2, seeds=[0])
    [[1.0, 0.3333333333333333]]
    """
    found = []
    for seed in track("seeds of K-means", seeds, len(seeds)):
        before = cluster_rows(codes, clusters, random_state=seed)
        after = [cluster_rows(codes[:, kept], clusters, random_state=seed) for kept in sets]
        found.append([pair_agreement(before, labels) for labels in after])
    return found
