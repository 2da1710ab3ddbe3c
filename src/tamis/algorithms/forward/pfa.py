"""`pfa`: cluster the columns by their loadings, keep one from each cluster (Lu et al.).

If there are fewer distinct columns than `k`, because some are copies, the columns furthest from
their cluster centres are kept as well.

k-means starts from random columns, drawn after sorting the columns by their loadings, so the result
does not depend on the order of the columns. Both columns of a cluster of two are equally close to
its centre; the one with the larger loadings is kept.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.orders import find_smallest, order_by_gain, order_of
from tamis.algorithms.path import Path
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import TIE
from tamis.statistics.gram import Gram

_DECIMALS = 12


def principal_feature_analysis(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    component_share: float = 0.95,
    signed: bool = False,
    random_state: int = 0,
) -> Path:
    """Keep from each of `k` clusters of columns the one nearest its centre.

    Columns are described by their loadings on the leading components that explain
    `component_share` of the variance, at most `k` of them; `signed` distinguishes a column from its
    mirror image.
    """
    d = gram.diagonal().size
    rows, needed = _loadings(gram, min(k, d), component_share, signed)

    def find(size: int) -> Path:
        points = rows[:, : min(size, needed)]
        labels, distance = _cluster(points, size, random_state)
        lengths = np.linalg.norm(points, axis=1)
        chosen = _representatives(labels, distance, lengths, size, include)
        return order_by_gain(gram, chosen, -distance, include=include)

    return find_smallest(find, min(k, d), retain, least=max(1, len(include)))


def _loadings(gram: Gram, k: int, share: float, signed: bool) -> tuple[Floats, int]:
    values, vectors = gram.find_leading(k)
    reached = np.cumsum(values) / gram.diagonal().sum()
    needed = min(int(np.searchsorted(reached, share)) + 1, vectors.shape[1])
    return (vectors if signed else np.abs(vectors)), needed


def _cluster(points: Floats, size: int, seed: int) -> tuple[Indices, Floats]:
    """Assign the rows to clusters; give the distance of each from its centre."""
    if size >= len(points):
        return np.arange(len(points)), np.zeros(len(points))
    from sklearn.cluster import KMeans

    plain = points.round(_DECIMALS)
    order = np.lexsort(plain.T[::-1])
    count = len(np.unique(plain, axis=0))
    means = KMeans(min(size, count), n_init=10, random_state=seed).fit(points[order])
    labels = np.empty(len(points), dtype=np.intp)
    labels[order] = means.labels_
    return labels, np.linalg.norm(points - means.cluster_centers_[labels], axis=1)


def _representatives(
    labels: Indices, distance: Floats, lengths: Floats, size: int, include: Sequence[int]
) -> Indices:
    """Take the included columns, then the nearest of each other cluster, largest cluster first."""
    chosen = [int(j) for j in include]
    served = set(labels[chosen].tolist())
    sizes = np.bincount(labels)
    for label in np.argsort(-sizes, kind="stable"):
        if len(chosen) < size and int(label) not in served and sizes[label]:
            apart = np.where(labels == label, distance, np.inf)
            # Loadings are at most 1: what rounding moves a distance by is a share of that.
            nearest = apart <= apart.min() + TIE
            chosen.append(first_best(np.where(nearest, lengths, -np.inf)))
    # Fewer clusters than columns asked for, as copies fall together: the outermost columns follow.
    outermost = order_of(distance)
    left = outermost[np.isin(outermost, chosen, invert=True)]
    return np.array([*chosen, *left[: size - len(chosen)]], dtype=np.intp)
