"""K-means as the experiments use it: on one thread, with no more clusters than distinct rows."""

from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis_papers.laboratory.numbers import Floats, Indices

_STARTS = 10


def cluster_rows(rows: Floats, clusters: int, *, random_state: int = 0) -> Indices:
    """Give the cluster of every row by the best of ten K-means runs.

    One thread only: sums over rows are then taken in one order on every machine.

    >>> cluster_rows(np.array([[0.0], [9.0], [0.1]]), 2).tolist() in ([0, 1, 0], [1, 0, 1])
    True
    """
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    count = count_distinct(rows, clusters)
    with threadpool_limits(1):
        labels = KMeans(count, n_init=_STARTS, random_state=random_state).fit(rows).labels_
    return np.asarray(labels, dtype=np.intp)


def count_distinct(rows: Floats, enough: int) -> int:
    """Count the distinct rows, up to `enough`; a few rows usually suffice.

    >>> count_distinct(np.array([[1.0], [1.0], [2.0]]), 5)
    2
    """
    head = 10 * enough
    while True:
        count = len(np.unique(rows[:head], axis=0))
        if count >= enough or head >= len(rows):
            return min(count, enough)
        head *= 10


def check_rows(X: Any, name: str) -> Floats:
    """Give a table as float64 rows, or say what keeps it from being one."""
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or 0 in rows.shape:
        raise TamisError(f"{name} has the shape {rows.shape}: give rows x columns, some of each.")
    if not np.isfinite(rows).all():
        raise TamisError(f"{name} has missing or infinite values: fill them or drop their rows.")
    return rows
