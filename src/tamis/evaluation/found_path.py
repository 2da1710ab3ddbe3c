"""What a path on a table kept, what that explains, and why the other columns were dropped."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tamis.algorithms.information.tree import SpectralTree
from tamis.algorithms.limits import Limits, limits_of
from tamis.algorithms.local.local_clusters import Clusters
from tamis.algorithms.path import Path
from tamis.columns.same_order import Relation
from tamis.errors import TamisError, as_term
from tamis.evaluation.auto_size import AutoSize
from tamis.evaluation.label_summary import LabelSummary
from tamis.evaluation.measure import Measure, measure_of
from tamis.evaluation.missing_values import MissingValues
from tamis.evaluation.prediction import HeldOutPrediction
from tamis.evaluation.record import Record
from tamis.numerics.types import Floats, Indices
from tamis.registry import nearest
from tamis.run.again import Reader
from tamis.run.row_roles import RowNotes
from tamis.run.search import Search
from tamis.statistics.summary import Summary
from tamis.statistics.suspects import Suspect

__all__ = ["Curve", "Explanation", "FoundPath", "explain_dropped"]

_LEAST_PERCENT = 0.005  # written as 1%; less would be 0%


@dataclass(frozen=True)
class Explanation:
    """Why one column was dropped: how much of it the kept columns explain, and which.

    `share` is what all kept columns explain. `weights` names the few that carry it, the largest
    first, with the coefficients of standardised columns; `carried` is what these few explain alone.
    Of a method on mutual information, shares and weights are normalised mutual information, and
    what unrelated columns of so many values share by chance is not counted. With
    `redundancy="drop"`, `reason` is "irrelevant" (low score) or "redundant" (well scored, but
    explained by kept columns); of a column in `forbid` it is "forbidden". Where categories are
    among the columns, the weights are no coefficients (`signed`), but what each explains alone.

    Examples
    --------
    >>> print(Explanation("bmi", 0.992, {"weight": 0.98, "height": -0.31}, 0.991))
    bmi: 99.2% explained by the kept columns; mostly 0.98 x weight, -0.31 x height (SD units)
    >>> print(Explanation("city", 0.51, {"region": 0.48, "tax": 0.12}, 0.48, signed=False))
    city: 51.0% explained by the kept columns; mostly 48% by region, 12% by tax (each alone)
    """

    column: Hashable
    share: float
    weights: dict[Hashable, float] = field(hash=False)
    carried: float
    measure: str = "variance"
    reason: str = ""
    signed: bool = True

    @property
    def by(self) -> str:
        """The few kept columns that carry it, with their weights, as text."""
        pattern = "{1:.2f} x {0}" if self.signed else "{1:.0%} by {0}"
        pattern = "{0} ({1:.2f})" if self.measure == "information" else pattern
        least = 0.0 if self.signed else _LEAST_PERCENT
        pairs = [
            (as_term(str(name)), weight)
            for name, weight in self.weights.items()
            if abs(weight) >= least or self.measure == "information"
        ]
        return ", ".join(pattern.format(*pair) for pair in pairs)

    def __str__(self) -> str:
        why = f"{self.reason}, " if self.reason else ""
        if self.measure == "information" and not self.by:
            return f"{self.column}: {why}nothing explained above chance"
        said = f"{self.column}: {why}{self.share:.1%} explained"
        if self.measure == "information":
            return f"{said} by {self.by}"
        unit = "SD units" if self.signed else "each alone"
        return f"{said} by the kept columns" + (f"; mostly {self.by} ({unit})" if self.by else "")


def explain_dropped(
    measure: Measure, path: Path, dropped: Indices, names: Sequence[Any]
) -> list[Explanation]:
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
        rows.append(
            Explanation(names[j], share, weights, carried, measure.name, why, measure.signed)
        )
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
    missing: MissingValues = field(repr=False)
    constant: tuple[Any, ...] = ()
    skipped: dict[Any, str] = field(default_factory=dict)
    longer: Callable[[int], Path] | None = field(default=None, repr=False)
    labels: LabelSummary | None = field(default=None, repr=False)
    suspects: tuple[Suspect, ...] = field(default=(), repr=False)
    auto: AutoSize | None = None
    reader: Reader | None = field(default=None, repr=False)
    predictions: tuple[HeldOutPrediction, ...] = field(default=(), repr=False)
    notes: RowNotes = field(default_factory=RowNotes, repr=False)

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
    def _explained(self) -> dict[Any, Explanation]:
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
    def relations(self) -> tuple[Relation, ...]:
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
        return self.longer.include if isinstance(self.longer, Search) else ()

    @property
    def search_options(self) -> Mapping[str, Any]:
        """The options of the search, columns by position among those analysed."""
        return self.longer.options if isinstance(self.longer, Search) else {}

    @cached_property
    def limits(self) -> Limits:
        """What the kept columns had to respect; groups that are taken whole are no limit."""
        return limits_of(self.search_options, len(self.used))

    def names_of(self, columns: Indices) -> list[Any]:
        """Give the names of columns counted among those analysed, as the table has them."""
        given = self.request.given
        return [given[j] for j in self.used[columns]]

    def curve_of(self, retained: Floats) -> Curve:
        """Put the ceiling beside what 1, 2, ... columns explain."""
        # Both add up the same numbers; rounding must not put one above the other.
        bound = self.measure.ceiling(len(retained))
        return Curve(retained, np.maximum(bound, retained))
