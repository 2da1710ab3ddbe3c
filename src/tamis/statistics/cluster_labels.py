"""Clusters of the rows in the place of labels, which can be made again from some rows alone."""

from collections.abc import Callable
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.facts.shared_answer import ClusterFacts
from tamis.numerics.types import Floats, Indices
from tamis.values import dataclass

CLUSTERS = "clusters"  # for `y`: clusters of the rows, unless a column has this name

Assign = Callable[[Floats, Floats], Indices]


@dataclass(frozen=True, eq=False)
class ClusterLabels:
    """A cluster for every row.

    Attributes
    ----------
    values
        The rows that are clustered, NaN where a value is missing.
    assign
        Makes clusters of the rows of one table, and gives the cluster of each row of another.
    labels
        The name of every row's cluster, by clusters of all rows.
    quality
        How they were made, and how firm they are.
    """

    values: Floats = field(repr=False)
    assign: Assign = field(repr=False)
    labels: NDArray[Any]
    quality: ClusterFacts

    def seen_from(self, train: Indices) -> NDArray[Any]:
        """Give the label of every row by clusters of these rows alone."""
        return name_clusters(self.assign(self.values[train], self.values))

    def taken(self, rows: Indices) -> "ClusterLabels":
        """Give those of some rows."""
        return replace(self, values=self.values[rows], labels=self.labels[rows])


def name_clusters(codes: Indices) -> NDArray[Any]:
    """Name the clusters, from 1.

    >>> name_clusters(np.array([1, 0])).tolist()
    ['cluster 2', 'cluster 1']
    """
    names = np.array([f"cluster {code + 1}" for code in range(int(codes.max()) + 1)], dtype=object)
    return np.asarray(names[codes])


def asks_for_clusters(y: Any) -> bool:
    """Whether these are no labels, but the word for clusters in their place."""
    return isinstance(y, str) and y == CLUSTERS


def plain_labels(labels: Any) -> Any:
    """Give labels as the position of a column or an array, clusters by their names."""
    return labels.labels if isinstance(labels, ClusterLabels) else labels
