"""Whether the kept columns give the same clusters as all columns.

Two clusterings are compared by pairs of rows: a pair matches when both put it into one cluster, or
both into two. The share of matches is the Rand index, not adjusted for chance: two unrelated
clusterings into many clusters score high too.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tamis.algorithms.cluster_count import choose_clusters, kmeans
from tamis.errors import TamisError
from tamis.evaluation.before_after import before_after
from tamis.numerics.types import Indices


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
    left, right = _codes(first), _codes(second)
    n = len(left)
    if n != len(right):
        raise TamisError(f"The labelings have {n} and {len(right)} rows: give the same rows twice.")
    if n < 2:
        return 1.0
    both = left * (int(right.max()) + 1) + right
    together, in_left, in_right = _pairs(both), _pairs(left), _pairs(right)
    every = n * (n - 1) // 2
    # Apart in both is what is left of all pairs: every - in_left - in_right + together.
    return (every + 2 * together - in_left - in_right) / every


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


def _codes(labels: Any) -> Indices:
    return np.unique(np.asarray(labels).ravel(), return_inverse=True)[1].astype(np.intp)


def _pairs(codes: Indices) -> int:
    """Count the pairs of rows with one label, in integers."""
    sizes = np.unique(codes, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())
