"""`category-utility`: the columns whose COBWEB clusters predict all columns best.

Devaney & Ram (1997), as Cunningham's survey describes them. Columns are added to the empty set, or
removed from the full one, one at a time; each set is clustered by COBWEB, and the set whose
first-level clusters have the best category utility stays. The search ends when no set is better.

Where we go beyond the description:

* Category utility is weighted by the share of rows in each cluster (Gluck & Corter, Fisher); the
  formula there has no shares: `weighted=False`.
* It is summed over all columns, so that sets of any size compare; `over="subset"` sums over the
  columns of the set only, which favours large sets.
* Better means by more than 1% (`min_gain`): COBWEB depends on the order of the rows, and a column
  of pure noise often raises the utility a little by chance.
* Numeric columns are standardised, and the acuity is 0.28 standard deviations: a numeric column
  that varies by no more than that in a cluster counts 1, as much as a text column with one value.
  The customary acuity of 1 is for columns in their own units; on standardised columns no cluster
  could then score more than the full table.

Their faster learner AICC, which changes a tree when a column is added, is `incremental=True`:
trees are grown for single columns only, and a set of more columns has the tree of the best set
that it extends, counted again and restructured by operators of ours, as theirs are not published
in detail.
"""

from typing import ClassVar, Unpack

import numpy as np

from tamis.algorithms.clustering.cluster_search import Subset, clustering_path
from tamis.algorithms.clustering.cobweb import (
    ACUITY,
    ConceptTree,
    Facts,
    Features,
    add_column,
    best_tree,
    category_utility,
    cluster_sums,
    describe_hierarchy,
)
from tamis.algorithms.path import Goal, Path
from tamis.errors import TamisError, spell
from tamis.numerics.row_chunks import draw_rows
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import TIE
from tamis.statistics.rows import RowTable
from tamis.values import dataclass


def cluster_by_concepts(
    table: RowTable,
    k: int | None,
    *,
    direction: str = "forward",
    over: str = "all",
    weighted: bool = True,
    acuity: float = ACUITY,
    n_init: int = 3,
    incremental: bool = False,
    min_gain: float = 0.01,
    sample: int = 1000,
    random_state: int = 0,
    **goal: Unpack[Goal],
) -> Path:
    """Search for the columns whose clusters predict all columns best; `k` of them if given."""
    if incremental and direction == "backward":
        raise TamisError(
            f"{spell('incremental', True)} adds columns to a tree: give "
            f"{spell('direction', 'forward')}, or omit it."
        )
    rows = table.rows[draw_rows(len(table.rows), sample, random_state)]
    every = over == "all"
    judge = Utilities(
        rows, acuity, every, weighted, n_init, min_gain, random_state, incremental=incremental
    )
    return clustering_path(table, rows, judge, k, backward=direction == "backward", **goal)


@dataclass(eq=False)
class Utilities:
    """Category utility of the clusters that COBWEB finds with each set of columns."""

    kind: ClassVar[str] = "concepts"
    criterion_name: ClassVar[str] = "category utility"

    rows: Floats
    acuity: float
    over_all: bool
    weighted: bool
    n_init: int
    min_gain: float
    random_state: int
    incremental: bool = False
    grown: int = 0
    restructured: int = 0

    def __post_init__(self) -> None:
        self._features = Features(self.rows.shape[1], acuity=self.acuity)
        self._vectors = self._features.vectors(self.rows)
        self._known: dict[Subset, tuple[float, int]] = {}
        self._trees: dict[Subset, ConceptTree] = {}

    def value(self, subset: Subset) -> float:
        """Give the category utility of the first level."""
        return self._judge_subset(subset)[0]

    def clusters(self, subset: Subset) -> int:
        """Give the number of clusters of the first level."""
        return self._judge_subset(subset)[1]

    def prefers_larger(self, small: Subset, large: Subset) -> bool:
        """Say whether the larger set is better by more than the least gain."""
        before = self.value(small)
        return self.value(large) - before > self.min_gain * abs(before) + TIE

    def tree(self, subset: Subset) -> ConceptTree:
        """Grow the tree of this set of columns, or add a column to that of a smaller set."""
        if subset in self._trees:
            return self._trees[subset]
        d, chosen = self._features.numeric, np.array(subset)
        vectors = np.ascontiguousarray(self._vectors[:, [0, *(1 + chosen), *(1 + d + chosen)]])
        features = Features(len(subset), acuity=self.acuity)
        # The best set of one column less whose tree is known is extended; older trees are dropped.
        size = len(subset) - 1
        self._trees = {one: tree for one, tree in self._trees.items() if len(one) >= size}
        smaller = (subset[:i] + subset[i + 1 :] for i in range(size + 1))
        if known := [one for one in smaller if one in self._trees]:
            self.restructured += 1
            tree = add_column(self._trees[max(known, key=self.value)], features, vectors)
        else:
            self.grown += 1
            tree = best_tree(features, vectors, n_init=self.n_init, random_state=self.random_state)
        if self.incremental:
            self._trees[subset] = tree
        return tree

    def labels(self, subset: Subset) -> Indices:
        """Give the cluster of each row."""
        return self.tree(subset).labels()

    def hierarchy(self, subset: Subset) -> Facts:
        """Give the first levels of the tree."""
        return describe_hierarchy(self.tree(subset))

    def _judge_subset(self, subset: Subset) -> tuple[float, int]:
        if subset not in self._known:
            tree = self.tree(subset)
            sums, features = tree.sums, tree.features
            if self.over_all:
                sums, features = cluster_sums(self._vectors, tree.labels()), self._features
            utility = category_utility(features, sums, weighted=self.weighted)
            self._known[subset] = utility, len(sums)
        return self._known[subset]
