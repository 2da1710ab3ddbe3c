"""How many clusters a table has, by four rules: silhouette, elbow, Calinski-Harabasz and BIC.

Each rule compares 2 to 10 clusters and takes the smallest number among equals. The first three
judge K-means clusters; BIC judges mixtures of normal distributions with a variance for every column
and cluster (full covariances have more parameters than most tables have rows).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.row_chunks import draw_rows
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import CONSTANT

Labels = NDArray[np.intp]

RULES = ("silhouette", "elbow", "calinski-harabasz", "bic")
MOST_CLUSTERS = 10
SILHOUETTE_ROWS = 5000
_STARTS = 10


def kmeans(X: Floats, clusters: int, *, random_state: int = 0) -> tuple[Labels, float]:
    """Give the best of ten K-means runs: the cluster of every row, and the squared distances.

    A table with fewer distinct rows has only so many clusters. One thread only: sums over rows are
    then taken in one order on every machine.
    """
    from sklearn.cluster import KMeans

    clusters = distinct_rows(X, clusters)
    model = KMeans(clusters, n_init=_STARTS, random_state=random_state)
    with small_products_on_one_thread():
        labels = model.fit(X).labels_
    return np.asarray(labels, dtype=np.intp), float(model.inertia_)


def choose_clusters(
    X: Any,
    choose: str = "silhouette",
    *,
    most: int = MOST_CLUSTERS,
    silhouette_rows: int = SILHOUETTE_ROWS,
    random_state: int = 0,
) -> int:
    """Choose the number of clusters, from 2 to `most`.

    Parameters
    ----------
    X
        Rows, on the scale in which they are to be clustered.
    choose
        "silhouette": the largest average silhouette width. "elbow": the point of the curve of
        squared distances furthest below the line through its ends, one cluster and `most`.
        "calinski-harabasz": the largest variance ratio. "bic": the smallest criterion of Schwarz.
    silhouette_rows
        Of a longer table, silhouettes are taken on so many rows, drawn by the seed, the same for
        every number of clusters. The clusters themselves come from all rows.

    Examples
    --------
    >>> rows = np.random.default_rng(0).standard_normal((60, 2))
    >>> rows[:20] += [9, 0]
    >>> rows[20:40] += [0, 9]
    >>> [choose_clusters(rows, rule) for rule in RULES]
    [3, 3, 3, 3]
    """
    if choose not in RULES:
        raise TamisError(f"choose={choose!r}: give {', '.join(map(repr, RULES))}.")
    X = np.asarray(X, dtype=np.float64)
    # As many clusters as there are distinct rows fit perfectly and show nothing.
    last = min(most, distinct_rows(X, most + 1) - 1)
    if last < 3:
        return 2
    counts = range(1 if choose == "elbow" else 2, last + 1)
    tried = track("numbers of clusters tried", counts, len(counts))
    if choose == "bic":
        scores = [-_bic(X, count, random_state) for count in tried]
        return counts[first_best(np.array(scores))]
    found = [kmeans(X, count, random_state=random_state) for count in tried]
    if choose == "elbow":
        inertia = np.array([squares for _, squares in found])
        drop = (inertia[0] - inertia) / max(float(inertia[0] - inertia[-1]), 1e-300)
        return max(2, first_best(drop - np.linspace(0.0, 1.0, len(inertia))) + 1)
    sample = draw_rows(len(X), silhouette_rows, random_state)
    widths = [_score(choose, X, labels, sample) for labels, _ in found]
    return counts[first_best(np.array(widths))]


def distinct_rows(X: Floats, enough: int) -> int:
    """Count the distinct rows, up to `enough`; a few rows usually suffice."""
    head = 10 * enough
    while True:
        count = len(np.unique(X[:head], axis=0))
        if count >= enough or head >= len(X):
            return min(count, enough)
        head *= 10


def _score(choose: str, X: Floats, labels: Labels, sample: Indices) -> float:
    from sklearn.metrics import calinski_harabasz_score, silhouette_score

    if choose == "calinski-harabasz":
        return float(calinski_harabasz_score(X, labels))
    X, labels = X[sample], labels[sample]
    # A drawn part may lie in one cluster only, or hold one row of each: it then shows nothing.
    informative = 2 <= len(np.unique(labels)) < len(X)
    return float(silhouette_score(X, labels)) if informative else -1.0


def _bic(X: Floats, clusters: int, random_state: int) -> float:
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    model = GaussianMixture(
        clusters, covariance_type="diag", max_iter=500, random_state=random_state
    )
    with warnings.catch_warnings(), small_products_on_one_thread():
        warnings.simplefilter("ignore", ConvergenceWarning)  # its likelihood counts all the same
        return float(model.fit(X).bic(X))


# Clusters of rows that serve as labels: made from some rows, known for all of them.
#
# The columns are standardised by the rows that are clustered, missing values take their mean, and
# the number of clusters is that of the largest average silhouette width. Other rows belong to the
# nearest centre: nothing about them has a part in the clusters.
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
