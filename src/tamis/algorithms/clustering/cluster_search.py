"""The search of the clustering wrappers: one column more, or one less, while that is better."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Protocol, Unpack

import numpy as np

from tamis.algorithms.clustering.cobweb import Facts, put_names
from tamis.algorithms.orders import best_in_order, order_by_gain, put_included_first
from tamis.algorithms.path import Goal, Path
from tamis.numerics.ties import first_best, last_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.statistics.rows import RowTable
from tamis.values import dataclass

Subset = tuple[int, ...]


class Judge(Protocol):
    """What is asked of sets of columns, each given in ascending order."""

    kind: ClassVar[str]

    @property
    def criterion_name(self) -> str:
        """What the search maximises."""

    def value(self, subset: Subset) -> float:
        """Give the criterion; it compares sets of equal size."""

    def clusters(self, subset: Subset) -> int:
        """Give the number of clusters found with these columns."""

    def prefers_larger(self, small: Subset, large: Subset) -> bool:
        """Say whether one column more is worth having; equal sets are not."""

    def labels(self, subset: Subset) -> Indices:
        """Give the cluster of each row, numbered in the order of their first rows."""

    def hierarchy(self, subset: Subset) -> Facts | None:
        """Give the first levels of the hierarchy, if there is one."""


# A column added or removed, and the criterion and the number of clusters after it.
Step = tuple[int, float, int]


def search_columns(
    judge: Judge, d: int, k: int | None, *, include: Sequence[int] = (), backward: bool = False
) -> tuple[Indices, list[Step], Floats]:
    """Add or remove the column that gives the best criterion, while that is better.

    With `k` the search goes on to exactly so many columns, better or not. Give the columns in the
    order of adding, the steps, and for each column the criterion of the set with it, or without it,
    when that was last tried.
    """
    chosen = list(range(d)) if backward else [int(j) for j in include]
    goal = max(k or 1, len(include)) if backward else (d if k is None else k)
    best_of = last_best if backward else first_best
    scores, steps, ended = np.zeros(d), list[Step](), False
    while len(chosen) > goal if backward else len(chosen) < goal:
        here: Subset = tuple(sorted(chosen))
        free = [j for j in range(d) if (j in chosen) == backward and j not in include]
        sets: list[Subset] = [tuple(sorted({*chosen} ^ {j})) for j in free]
        values = np.array(
            [judge.value(each) for each in track("sets of columns tried", sets, len(sets))]
        )
        scores[free] = values
        best = best_of(values)
        if chosen and not ended:
            ended, left = True, values.copy()
            for _ in free:  # the best value first
                i = best_of(left)
                small, large = (sets[i], here) if backward else (here, sets[i])
                if judge.prefers_larger(small, large) != backward:
                    best, ended = i, False
                    break
                left[i] = -np.inf
        if ended and k is None:
            break
        if backward:
            chosen.remove(free[best])
        else:
            chosen.append(free[best])
        now = tuple(sorted(chosen))
        steps.append((free[best], judge.value(now), judge.clusters(now)))
    return np.array(chosen, dtype=np.intp), steps, scores


@dataclass(frozen=True, eq=False)
class Clustering:
    """The clusters of rows that the kept columns lead to, and how the search found them."""

    kind: str  # how it is shown: "concepts" with the hierarchy of COBWEB, or "mixture"
    criterion: str  # what the search maximised, in words
    backward: bool
    steps: list[Step]
    columns: Indices  # the kept ones, in the order of `means`
    labels: Indices  # the cluster of each row that was clustered
    means: Floats  # of each column in each cluster, in standard deviations of all rows
    n_rows: int  # of the table; fewer are clustered where it is long
    start: float | None = None  # the criterion of all columns, for a backward search
    tree: Facts | None = None  # the first levels of the hierarchy

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
                {"column": names[j], "value": value, "clusters": clusters}
                for j, value, clusters in self.steps
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
    judge: Judge,
    k: int | None,
    *,
    backward: bool,
    **goal: Unpack[Goal],
) -> Path:
    """Search with this judge, and give the path with the clusters as its evidence.

    `rows` are those that are clustered. Columns are in the order in which they were added; after a
    backward search each is the one that explains most with those before it.
    """
    d, include = rows.shape[1], goal.get("include", ())
    order, steps, scores = search_columns(judge, d, k, include=include, backward=backward)
    if backward:
        order = put_included_first(order_by_gain(table.gram, order, scores).indices, include)
    path = best_in_order(table.gram, order, scores, len(order), nested=False, **goal)
    subset = tuple(sorted(order.tolist()))
    labels = judge.labels(subset)
    means = [rows[labels == label][:, order].mean(axis=0) for label in range(labels.max() + 1)]
    evidence = Clustering(
        judge.kind,
        judge.criterion_name,
        backward,
        steps,
        order,
        labels,
        np.array(means),
        len(table.rows),
        judge.value(tuple(range(d))) if backward else None,
        judge.hierarchy(subset),
    )
    return replace(path, evidence=evidence)
