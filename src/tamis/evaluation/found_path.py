"""What a path on a table kept, what that explains, and why the other columns were dropped."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tamis.algorithms.information.tree import SpectralTree
from tamis.algorithms.limits import Limits
from tamis.algorithms.local.local_clusters import Clusters
from tamis.algorithms.path import Path
from tamis.errors import TamisError
from tamis.evaluation.measure import Measure, measure_of
from tamis.evaluation.record import Record
from tamis.facts.selection_answer import AutoFacts, DroppedColumn, PredictionFacts, WeightKind
from tamis.facts.shared_answer import (
    LabelFacts,
    MissingFacts,
    RelationFacts,
    RowFacts,
    SuspiciousColumn,
)
from tamis.numerics.types import Floats, Indices
from tamis.registry import nearest
from tamis.run.again import Reader
from tamis.run.search import Search
from tamis.statistics.summary import Summary
from tamis.values import dataclass

__all__ = ["Curve", "FoundPath", "explain_dropped", "weight_kind"]


def weight_kind(measure: Measure) -> WeightKind:
    """Say what the weights are of the few columns that explain a dropped one."""
    if measure.name == "information":
        return "information"
    return "coefficients" if measure.signed else "shares"


def explain_dropped(
    measure: Measure, path: Path, dropped: Indices, names: Sequence[Any]
) -> list[DroppedColumn]:
    """Say for every dropped column how much of it the kept ones explain, and which of them.

    `names` are those of all columns analysed.
    """
    if not dropped.size:
        return []
    known, kept = measure.reproduction(path.kept), [names[j] for j in path.kept]
    shares = measure.explain_beyond_chance(known).shares_at(len(kept))
    found = measure.carriers(known, len(kept), dropped)
    rows = []
    for i, j in enumerate(dropped.tolist()):
        # By size as it is written: the page holds hundredths, and must give the same order.
        order = np.argsort(-np.rint(100 * np.abs(found.weights[i])), kind="stable")
        pairs = zip(found.positions[i][order], found.weights[i][order], strict=True)
        weights = {kept[place]: float(weight) for place, weight in pairs if place >= 0}
        share, carried = float(shares[j]), float(found.shares[i])
        why = path.weighing.reason(j, share) if path.weighing else ""
        rows.append(DroppedColumn(names[j], share, weights, carried, why, weight_kind(measure)))
    return rows


@dataclass(frozen=True)
class NamedTree:
    """A tree of columns by name: `order` from left to right, `depth`, `distance` in edges."""

    tree: SpectralTree = field(repr=False)
    names: tuple[str, ...] = field(repr=False)

    def __repr__(self) -> str:
        return f"<tree of {len(self.names)} columns, depth {int(self.tree.depth.max(initial=0))}>"

    @property
    def order(self) -> list[str]:
        """The columns from left to right."""
        return [self.names[j] for j in self.tree.order]

    @property
    def depth(self) -> dict[str, int]:
        """Edges from the root to every column."""
        return dict(zip(self.names, self.tree.depth.tolist(), strict=True))

    def distance(self, first: str, second: str) -> int:
        """Count the edges between two columns."""
        places = {name: j for j, name in enumerate(self.names)}
        for name in (first, second):
            if name not in places:
                raise TamisError(f"The tree has no column {name!r}{nearest(name, self.names)}")
        return int(self.tree.distances(places[first])[places[second]])

    def nested(self) -> Any:
        """Give the tree as pairs of pairs of names."""
        return self.tree.nested(self.names)


class LocalCluster(NamedTuple):
    """Rows of a table, by position among those used, and the columns in which they are alike.

    The columns come best first; the smaller the quality, the more alike the rows are.
    """

    rows: Indices
    columns: list[str]
    quality: float


@dataclass(frozen=True, eq=False)
class Curve:
    """What the first 1..k kept columns explain, beside what k components could at most."""

    retained: Floats
    bound: Floats


@dataclass(frozen=True, eq=False)
class FoundPath:
    """A path on a table, with what follows from its own rows."""

    request: Record = field(repr=False)
    path: Path = field(repr=False)
    summary: Summary = field(repr=False)
    used: Indices = field(repr=False)
    missing: MissingFacts = field(repr=False)
    constant: tuple[Any, ...] = ()
    skipped: dict[Any, str] = field(default_factory=dict)
    search: Search | None = field(default=None, repr=False)
    labels: LabelFacts | None = field(default=None, repr=False)
    suspects: tuple[SuspiciousColumn, ...] = field(default=(), repr=False)
    auto: AutoFacts | None = None
    reader: Reader | None = field(default=None, repr=False)
    predictions: tuple[PredictionFacts, ...] = field(default=(), repr=False)
    notes: RowFacts = field(default_factory=RowFacts, repr=False)

    @property
    def indices(self) -> Indices:
        """Kept columns, best first, as positions in the input."""
        return self.used[self.path.kept]

    @property
    def names(self) -> list[Any]:
        """Kept columns, best first, as the table has them: text, or labels of pandas."""
        return self.names_of(self.path.kept)

    @property
    def ranking(self) -> list[Any]:
        """Every column the path reached, best first."""
        return self.names_of(self.path.indices)

    @property
    def k(self) -> int:
        """How many columns are kept."""
        return len(self.path.kept)

    @property
    def shortfall(self) -> str | None:
        """Why fewer columns are kept, or less is explained, than requested; else None."""
        return self.path.shortfall(self.request.k, self.request.retain)

    @property
    def nested(self) -> bool:
        """Whether fewer columns, if asked for, would be the first of these."""
        return self.path.nested

    @property
    def optimal(self) -> bool:
        """Whether no set of as many columns explains more, by proof."""
        return self.path.optimal

    @cached_property
    def scores(self) -> Floats:
        """The method's own score of every input column; NaN for columns not analysed."""
        scores = np.full(len(self.request.names), np.nan)
        scores[self.used] = self.path.scores
        return scores

    @property
    def tree(self) -> NamedTree | None:
        """The spectral tree of the columns, for a method that grows one."""
        if self.path.tree is None:
            return None
        return NamedTree(self.path.tree, tuple(self.names_of(np.arange(len(self.used)))))

    @property
    def clusters(self) -> list[LocalCluster] | None:
        """Clusters of rows, each with its own columns, for a method that finds such clusters."""
        found = self.path.evidence
        if not isinstance(found, Clusters):
            return None
        return [
            LocalCluster(one.rows, self.names_of(one.columns), one.quality)
            for one in found.clusters
        ]

    @cached_property
    def measure(self) -> Measure:
        """What the shares are shares of."""
        return measure_of(self.summary.statistic, self.path.importance)

    @property
    def retained(self) -> float:
        """Share of the variance that the kept columns explain, or of the information."""
        return self.path.share

    @property
    def bound(self) -> float:
        """The largest share that any set of as many columns could explain."""
        return float(self.curve.bound[-1])

    @property
    def error(self) -> float | None:
        """How far `retained` and `bound` may be off; None where they are exact."""
        return self.summary.statistic.explained.error

    @cached_property
    def curve(self) -> Curve:
        """Share explained and its ceiling for 1..k columns."""
        return self.curve_of(self.path.retained[: self.k])

    def explain(self, column: Any = None) -> Any:
        """Say how much of every dropped column the kept ones explain, and which of them.

        With a `column`, only for this one.
        """
        if column is None:
            return list(self._explained.values())
        name = self.request.given[self.request.position(column)]
        if name in self._explained:
            return self._explained[name]
        raise TamisError(f"{name!r} {self._explain_undropped(name)}: there is nothing to explain.")

    @cached_property
    def _explained(self) -> dict[Any, DroppedColumn]:
        """The explanations by column, in table order."""
        dropped = np.setdiff1d(np.arange(len(self.used)), self.path.kept)
        names = self.names_of(np.arange(len(self.used)))
        rows = explain_dropped(self.measure, self.path, dropped, names)
        barred = {names[j] for j in self.search_options.get("forbid") or ()}
        return {
            row.column: replace(row, reason="forbidden") if row.column in barred else row
            for row in rows
        }

    def _explain_undropped(self, name: Any) -> str:
        """Say why a column was not dropped: it was kept, or never analysed."""
        if name in self.names:
            return "is kept"
        why = "constant" if name in self.constant else self.skipped.get(name, "not analysed")
        return f"was skipped ({why})"

    @property
    def chance(self) -> float | None:
        """What unrelated columns would show on average, if that is known."""
        return self.measure.chance(self.k, self.summary.n_rows)

    @property
    def relations(self) -> tuple[RelationFacts, ...]:
        """The columns that others determine: copies, sums, ranks; of those that were analysed."""
        there = {self.request.names[j] for j in self.used}
        found = () if self.reader is None else self.reader.relations
        return tuple(one for one in found if there >= {one.column, *one.parts})

    @property
    def included(self) -> list[Any]:
        """The columns that were to be kept in any case."""
        return self.names_of(np.array(self._must, dtype=np.intp))

    @property
    def _must(self) -> tuple[int, ...]:
        return () if self.search is None else self.search.include

    @property
    def search_options(self) -> Mapping[str, Any]:
        """The options of the search, columns by position among those analysed."""
        return {} if self.search is None else self.search.options

    @cached_property
    def limits(self) -> Limits:
        """What the kept columns had to respect; groups that are taken whole are no limit."""
        return Limits.of(len(self.used)) if self.search is None else self.search.limits

    def names_of(self, columns: Indices) -> list[Any]:
        """Give the names of columns counted among those analysed, as the table has them."""
        given = self.request.given
        return [given[j] for j in self.used[columns]]

    def curve_of(self, retained: Floats) -> Curve:
        """Put the ceiling beside what 1, 2, ... columns explain."""
        # Both add up the same numbers; rounding must not put one above the other.
        bound = self.measure.ceiling(len(retained))
        return Curve(retained, np.maximum(bound, retained))
