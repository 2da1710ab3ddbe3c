"""Whether rows keep their nearest rows when columns are dropped.

For every row the k nearest rows are found on all columns and on the kept ones, and compared by
their Jaccard index: with o of k in common, o / (2k - o). The average over the rows is 1 when
nothing moved.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tamis.algorithms.cluster_count import choose_clusters, kmeans
from tamis.errors import TamisError
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import NEGLIGIBLE, TIE
from tamis.statistics.neighbours import measure_pair_distances, nearest_rows
from tamis.values import dataclass

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


def rows_of(X: Any, name: str = "X") -> Floats:
    """Give a table as float64 rows, or say what keeps it from being one."""
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or 0 in rows.shape:
        raise TamisError(f"{name} has the shape {rows.shape}: give rows x columns, some of each.")
    if not np.isfinite(rows).all():
        raise TamisError(f"{name} has missing or infinite values: fill them or drop their rows.")
    return rows


def before_after(full: Any, reduced: Any) -> tuple[Floats, Floats]:
    """Check two tables that describe the same rows, before and after.

    Examples
    --------
    >>> full, reduced = before_after([[1, 2], [3, 4]], [[1], [3]])
    >>> full.shape, reduced.shape
    ((2, 2), (2, 1))
    """
    before, after = rows_of(full, "full"), rows_of(reduced, "reduced")
    if len(before) != len(after):
        raise TamisError(
            f"full has {len(before)} rows and reduced {len(after)}: give the same rows twice."
        )
    return before, after


# Whether the kept columns give the same clusters as all columns.
#
# Two clusterings are compared by pairs of rows: a pair matches when both put it into one cluster,
# or both into two. The share of matches is the Rand index, not adjusted for chance: two unrelated
# clusterings into many clusters score high too. The normalised mutual information says how much
# one labeling, such as clusters, determines another, such as classes.
@dataclass(frozen=True)
class ClusterAgreement:
    """How far clusters survive: before with after, and each with given labels, if any."""

    clusters: int
    agreement: float
    full_with_labels: float | None = None
    reduced_with_labels: float | None = None


def pair_agreement(first: Any, second: Any) -> float:
    """Give the share of pairs of rows that two labelings treat alike.

    It comes from the counts of the labels that occur together; fewer than two rows agree fully.

    Examples
    --------
    >>> pair_agreement([0, 0, 1, 1, 2], [0, 0, 0, 1, 1])
    0.6
    """
    from sklearn.metrics import rand_score

    left, right = _codes(first, second)
    return float(rand_score(left, right)) if len(left) > 1 else 1.0


def label_information(first: Any, second: Any) -> float:
    """Give the normalised mutual information of two labelings, such as clusters and classes.

    I / sqrt(H H'), as Strehl and Ghosh define it: 1 where each determines the other, 0 where they
    are independent. With few rows and many labels it is above 0 by chance. One label for all rows
    shares nothing; two such labelings agree fully.

    Examples
    --------
    >>> round(label_information([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]), 5)
    0.39665
    """
    left, right = _codes(first, second)
    n, width = len(left), int(right.max(initial=0)) + 1
    both, together = np.unique(left * width + right, return_counts=True)
    in_left, in_right = np.bincount(left), np.bincount(right)
    if min(len(in_left), len(in_right)) < 2:
        return float(len(in_left) == len(in_right))
    # Each count beside its expected one: nothing cancels where little is shared.
    expected = in_left[both // width] * (in_right[both % width] / n)
    shared = float(together @ np.log(together / expected))
    entropies = [float(-sizes @ np.log(sizes / n)) for sizes in (in_left, in_right)]
    return float(np.clip(shared / np.sqrt(entropies[0] * entropies[1]), 0.0, 1.0))


def cluster_agreement(
    full: Any,
    reduced: Any,
    *,
    clusters: int | None = None,
    choose: str = "silhouette",
    labels: Any = None,
    random_state: int = 0,
) -> ClusterAgreement:
    """Cluster the rows by K-means on all columns and on the kept ones, and compare.

    Parameters
    ----------
    full, reduced
        The same rows with all columns and with the kept ones, on one scale.
    clusters
        The number of clusters; chosen on `full` when not given.
    choose
        The rule that chooses it: "silhouette", "elbow", "calinski-harabasz" or "bic".
    labels
        Classes of the rows, to compare both clusterings with.
    random_state
        Seed of K-means and of the rows that silhouettes are taken on in a long table.

    Examples
    --------
    >>> X = np.array([[0.0, 3.0], [0.1, 1.0], [0.2, 2.0], [9.0, 1.0], [9.1, 2.0], [9.2, 3.0]])
    >>> cluster_agreement(X, X[:, :1]).agreement
    1.0
    """
    before, after = before_after(full, reduced)
    count = clusters
    if count is None:
        count = choose_clusters(before, choose, random_state=random_state)
    if not 1 <= count <= len(before):
        raise TamisError(f"clusters={count}: give a number from 1 to {len(before)}, the rows.")
    old, _ = kmeans(before, count, random_state=random_state)
    new, _ = kmeans(after, count, random_state=random_state)
    agreement = pair_agreement(old, new)
    if labels is None:
        return ClusterAgreement(count, agreement)
    against = (pair_agreement(old, labels), pair_agreement(new, labels))
    return ClusterAgreement(count, agreement, *against)


def _codes(*labelings: Any) -> list[Indices]:
    """Give numbers for the labels of two labelings, which must be of the same rows."""
    left, right = (np.asarray(labels).ravel() for labels in labelings)
    if len(left) != len(right):
        raise TamisError(
            f"The labelings have {len(left)} and {len(right)} rows: give the same rows twice."
        )
    return [np.unique(labels, return_inverse=True)[1] for labels in (left, right)]


# Clusters around medoids (PAM of Kaufman and Rousseeuw) and how well separated they are.
#
# BUILD takes medoids one by one, each the row that lowers the cost most; SWAP exchanges a medoid
# for another row while that lowers the cost, the best exchange first. All exchanges are evaluated
# at once: the change of cost splits into a part of the new row alone, a part of the medoid alone,
# and a correction for the rows that the medoid served. Ties go to the first row. The matrix of
# distances is held in full, so long tables are refused.
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
