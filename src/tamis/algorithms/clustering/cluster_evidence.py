"""What a clustering wrapper found besides the columns: the search and the clusters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

import numpy as np

from tamis.algorithms.by_score import best_in_order, put_included_first
from tamis.algorithms.clustering.cluster_search import ClusterSearch, Judge, Subset, search_columns
from tamis.algorithms.clustering.hierarchy import Facts, put_names
from tamis.algorithms.fixed_size import order_by_gain
from tamis.algorithms.path import Path
from tamis.numerics.types import Floats, Indices
from tamis.statistics.row_table import RowTable


class Wrapper(Judge, Protocol):
    """A judge that can also show the clusters of a set of columns."""

    kind: ClassVar[str]

    @property
    def criterion_name(self) -> str:
        """What the search maximises."""

    def labels(self, subset: Subset) -> Indices:
        """Give the cluster of each row, numbered in the order of their first rows."""

    def hierarchy(self, subset: Subset) -> Facts | None:
        """Give the first levels of the hierarchy, if there is one."""


@dataclass(frozen=True, eq=False)
class Clustering:
    """The clusters of rows that the kept columns lead to, and how the search found them.

    Attributes
    ----------
    kind
        How it is shown: "concepts" with the hierarchy of COBWEB, or "mixture".
    criterion
        What the search maximised, in words.
    backward, search
        Its direction and its steps.
    columns
        The kept columns, in the order of `means`.
    labels
        The cluster of each row that was clustered.
    means
        Mean of each column in each cluster, in standard deviations of all rows.
    n_rows
        Number of rows of the table; fewer are clustered where it is long.
    start
        The criterion of all columns, for a backward search.
    tree
        The first levels of the hierarchy.
    """

    kind: str
    criterion: str
    backward: bool
    search: ClusterSearch
    columns: Indices
    labels: Indices
    means: Floats
    n_rows: int
    start: float | None = None
    tree: Facts | None = None

    def facts(self, names: Sequence[str]) -> Facts:
        """Give all of it as plain values, with the names of the columns."""
        kept = [names[j] for j in self.columns]
        inner = np.sort(self.columns)  # a tree knows its columns in the order of the table
        return {
            "kind": self.kind,
            "criterion": self.criterion,
            "direction": "backward" if self.backward else "forward",
            "start": self.start,
            "steps": [
                {"column": names[s.column], "value": s.value, "clusters": s.clusters}
                for s in self.search.steps
            ],
            "rows": len(self.labels),
            "of": self.n_rows,
            "sizes": np.bincount(self.labels).tolist(),
            "columns": kept,
            "means": [[round(float(value), 4) for value in row] for row in self.means],
            "tree": None if self.tree is None else put_names(self.tree, [names[j] for j in inner]),
        }


def clustering_path(
    table: RowTable,
    rows: Floats,
    judge: Wrapper,
    k: int | None,
    *,
    retain: float,
    include: Sequence[int],
    backward: bool,
) -> Path:
    """Search with this judge, and give the path with the clusters as its evidence.

    `rows` are those that are clustered. Columns are in the order in which they were added; after a
    backward search each is the one that explains most with those before it.
    """
    d = rows.shape[1]
    found = search_columns(judge, d, k, include=include, backward=backward)
    order = found.taken
    if backward:
        order = put_included_first(order_by_gain(table.gram, order, found.scores).indices, include)
    path = best_in_order(
        table.gram, order, found.scores, len(order), retain=retain, include=include, nested=False
    )
    subset = tuple(sorted(order.tolist()))
    labels = judge.labels(subset)
    means = [rows[labels == label][:, order].mean(axis=0) for label in range(labels.max() + 1)]
    evidence = Clustering(
        judge.kind,
        judge.criterion_name,
        backward,
        found,
        order,
        labels,
        np.array(means),
        len(table.rows),
        judge.value(tuple(range(d))) if backward else None,
        judge.hierarchy(subset),
    )
    return replace(path, evidence=evidence)
