"""Clusters of rows that serve as labels: made from some rows, known for all of them.

The columns are standardised by the rows that are clustered, missing values take their mean, and the
number of clusters is that of the largest average silhouette width. Other rows belong to the nearest
centre: nothing about them has a part in the clusters.
"""

import numpy as np

from tamis.algorithms.cluster_count import choose_clusters, kmeans
from tamis.numerics.tolerances import CONSTANT
from tamis.numerics.types import Floats, Indices

CLUSTER_RULE = "silhouette"
_COUNT_ROWS = 2000  # that the number of clusters is chosen on, taken evenly
_REPEATS = 5


def assign_clusters(
    train: Floats, rows: Floats, count: int | None = None, seed: int = 0
) -> Indices:
    """Cluster the rows of `train`, and give the cluster of each of `rows`.

    Clusters are numbered by the first row of `train` in each.

    Examples
    --------
    >>> train = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]])
    >>> assign_clusters(train, np.array([[8.0], [np.nan], [-3.0]]), 2)
    array([1, 0, 0])
    """
    mean, spread = _moments(train)
    known, others = _standardise_rows(train, mean, spread), _standardise_rows(rows, mean, spread)
    if count is None:
        count = choose_clusters(known[:: -(-len(known) // _COUNT_ROWS)], CLUSTER_RULE)
    labels = kmeans(known, count, random_state=seed)[0]
    first = np.unique(labels, return_index=True)[1]
    order = np.argsort(first)
    centres = np.stack([known[labels == code].mean(axis=0) for code in order])
    # The mean of a row's own cluster is nearest to it once K-means has settled.
    squares = np.square(centres).sum(axis=1) - 2.0 * (others @ centres.T)
    return np.asarray(squares.argmin(axis=1), dtype=np.intp)


def seed_agreement(rows: Floats, codes: Indices) -> float:
    """Give the mean adjusted Rand index of these clusters with those from other random seeds."""
    from sklearn.metrics import adjusted_rand_score

    count = len(np.unique(codes))
    others = [assign_clusters(rows, rows, count, seed) for seed in range(1, _REPEATS + 1)]
    return float(np.mean([adjusted_rand_score(codes, other) for other in others]))


def half_agreement(rows: Floats, count: int) -> float:
    """Give the mean adjusted Rand index between the clusters of two halves of the rows."""
    from sklearn.metrics import adjusted_rand_score

    rng, found = np.random.default_rng(0), []
    for _ in range(_REPEATS):
        order = rng.permutation(len(rows))
        halves = np.sort(order[: len(rows) // 2]), np.sort(order[len(rows) // 2 :])
        pair = [assign_clusters(rows[half], rows, count) for half in halves]
        found.append(adjusted_rand_score(*pair))
    return float(np.mean(found))


def _moments(train: Floats) -> tuple[Floats, Floats]:
    """Give mean and standard deviation of the known values of every column; 1 for constants."""
    known = np.isfinite(train)
    counts = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, train, 0.0).sum(axis=0) / counts
    away = np.where(known, train - mean, 0.0)
    spread = np.sqrt(np.square(away).sum(axis=0) / counts)
    return mean, np.where(spread > CONSTANT * np.abs(mean), spread, np.inf)


def _standardise_rows(rows: Floats, mean: Floats, spread: Floats) -> Floats:
    """Standardise; missing values have the mean, constant columns too."""
    return np.where(np.isfinite(rows), (rows - mean) / spread, 0.0)
