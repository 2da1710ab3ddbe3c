"""Clusters around medoids (PAM of Kaufman and Rousseeuw) and how well separated they are.

BUILD takes medoids one by one, each the row that lowers the cost most; SWAP exchanges a medoid for
another row while that lowers the cost, the best exchange first. All exchanges are evaluated at
once: the change of cost splits into a part of the new row alone, a part of the medoid alone, and a
correction for the rows that the medoid served. Ties go to the first row. The matrix of distances
is held in full, so long tables are refused.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.evaluation.neighbour_agreement import before_after, rows_of
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import NEGLIGIBLE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.values import dataclass

MAX_MEDOID_ROWS = 10_000


@dataclass(frozen=True, eq=False)
class Medoids:
    """Rows that stand for clusters, in input order, the cluster of every row, and the cost.

    The cost is the sum of the distances of all rows to their medoids.
    """

    rows: Indices
    labels: Indices
    cost: float


@dataclass(frozen=True)
class MedoidWidths:
    """Average silhouette width of as many clusters around medoids, before and after."""

    clusters: int
    full: float
    reduced: float


def distances_between(X: Any) -> Floats:
    """Give the Euclidean distances of all rows, from differences, so that copies are at 0."""
    from scipy.spatial.distance import cdist

    rows = rows_of(X)
    if len(rows) > MAX_MEDOID_ROWS:
        raise TamisError(
            f"The table has {len(rows):,} rows and medoids need all distances between them: "
            f"give a sample of at most {MAX_MEDOID_ROWS:,} rows."
        )
    return np.asarray(cdist(rows, rows))


def around_medoids(distances: Floats, clusters: int) -> Medoids:
    """Find medoids that no single exchange improves.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [13.0]])
    >>> around_medoids(np.abs(X - X.T), 2)
    Medoids(rows=array([1, 4]), labels=array([0, 0, 0, 1, 1, 1]), cost=5.0)
    """
    distances = np.asarray(distances)
    n = len(distances)
    if distances.shape != (n, n):
        raise TamisError(f"distances has the shape {distances.shape}: give a square matrix.")
    if n > MAX_MEDOID_ROWS:
        raise TamisError(
            f"distances has {n:,} rows: give at most {MAX_MEDOID_ROWS:,}, such as a sample."
        )
    if not 1 <= clusters <= n:
        raise TamisError(f"clusters={clusters}: give a number from 1 to {n}, the rows.")
    medoids = _build(distances, clusters)
    while clusters > 1 and (swap := _best_swap(distances, medoids)) is not None:
        medoids[swap[0]] = swap[1]
    medoids.sort()
    labels = np.argmin(distances[medoids], axis=0)
    labels[medoids] = np.arange(clusters)
    return Medoids(medoids, labels, float(distances[medoids].min(axis=0).sum()))


def _build(distances: Floats, clusters: int) -> Indices:
    n = len(distances)
    medoids = np.zeros(clusters, dtype=np.intp)
    nearest = np.full(n, distances.max())
    free = np.ones(n, dtype=bool)
    for step in range(clusters):
        gain = np.full(n, -np.inf)
        for block in row_blocks(n, n):
            gain[block] = np.maximum(nearest - distances[block], 0.0).sum(axis=1)
        gain[~free] = -np.inf
        medoids[step] = pick = first_best(gain)
        free[pick] = False
        nearest = np.minimum(nearest, distances[pick])
    return medoids


def _best_swap(distances: Floats, medoids: Indices) -> tuple[int, int] | None:
    """Find the position of a medoid and the row that lowers the cost most in its stead, if any."""
    n, count = len(distances), len(medoids)
    to_medoids = distances[medoids]
    served = np.argmin(to_medoids, axis=0)
    first, second = np.partition(to_medoids, 1, axis=0)[:2]
    serves = np.zeros((n, count))
    serves[np.arange(n), served] = 1.0
    leaving = (second - first) @ serves
    change = np.empty((n, count))
    for block in row_blocks(n, n):
        to_row = distances[block]
        joining = np.minimum(to_row - first, 0.0).sum(axis=1)
        # A row whose medoid leaves goes to the new row or to its second medoid, not to both:
        # min(max(d, first), second) - second undoes what `joining` and `leaving` count too much.
        relief = np.clip(to_row, first, second) - second
        change[block] = joining[:, None] + leaving + relief @ serves
    change[medoids] = np.inf
    flat = first_best(-change.ravel())
    if change.ravel()[flat] >= -NEGLIGIBLE * first.sum():
        return None
    row, position = divmod(flat, count)
    return position, row


def silhouette_width(distances: Floats, labels: Any) -> float:
    """Give the average silhouette width: near 1 when clusters are tight and far apart.

    A row alone in its cluster counts 0, as does everything when there is only one cluster.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> round(silhouette_width(np.abs(X - X.T), [0, 0, 1, 1]), 4)
    0.8997
    """
    from sklearn.metrics import silhouette_score

    count = len(np.unique(labels))
    if not 1 < count < len(distances):
        return 0.0
    return float(silhouette_score(distances, labels, metric="precomputed"))


def medoid_widths(
    full: Any, reduced: Any, *, clusters: Sequence[int] = (2, 3, 4, 5), space: str = "own"
) -> list[MedoidWidths]:
    """Cluster around medoids on all columns and on the kept ones, and compare the widths.

    Parameters
    ----------
    full, reduced
        The same rows with all columns and with the kept ones, on one scale.
    clusters
        Numbers of clusters to try.
    space
        Where the width of the reduced clusters is taken: "own", on the kept columns, or "full".

    Examples
    --------
    >>> X = np.array([[0.0, 3.0], [0.1, 1.0], [9.0, 1.0], [9.1, 2.0]])
    >>> [found] = medoid_widths(X, X[:, :1], clusters=[2])
    >>> found.full < found.reduced
    True
    """
    if space not in ("own", "full"):
        raise TamisError(f"space={space!r}: give 'own' or 'full'.")
    before, after = (distances_between(X) for X in before_after(full, reduced))
    judge = after if space == "own" else before
    return [
        MedoidWidths(
            count,
            silhouette_width(before, around_medoids(before, count).labels),
            silhouette_width(judge, around_medoids(after, count).labels),
        )
        for count in track("numbers of clusters", clusters, len(clusters))
    ]
