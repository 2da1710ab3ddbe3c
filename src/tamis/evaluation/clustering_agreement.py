"""Whether the kept columns give the same clusters as all columns.

Two clusterings are compared by pairs of rows: a pair matches when both put it into one cluster, or
both into two. The share of matches is the Rand index, not adjusted for chance: two unrelated
clusterings into many clusters score high too. The normalised mutual information says how much one
labeling, such as clusters, determines another, such as classes.
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
    _check_rows(left, right)
    n = len(left)
    if n < 2:
        return 1.0
    both = left * (int(right.max()) + 1) + right
    together, in_left, in_right = _pairs(both), _pairs(left), _pairs(right)
    every = n * (n - 1) // 2
    # Apart in both is what is left of all pairs: every - in_left - in_right + together.
    return (every + 2 * together - in_left - in_right) / every


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
    left, right = _codes(first), _codes(second)
    _check_rows(left, right)
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


def _check_rows(left: Indices, right: Indices) -> None:
    if len(left) != len(right):
        raise TamisError(
            f"The labelings have {len(left)} and {len(right)} rows: give the same rows twice."
        )


def _codes(labels: Any) -> Indices:
    return np.unique(np.asarray(labels).ravel(), return_inverse=True)[1].astype(np.intp)


def _pairs(codes: Indices) -> int:
    """Count the pairs of rows with one label, in integers."""
    sizes = np.unique(codes, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())
