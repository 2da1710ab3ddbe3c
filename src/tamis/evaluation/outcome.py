"""The numbers of a selection: what was kept, what it explains, why the others were dropped."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np

from tamis.algorithms.local.clusters import Clusters
from tamis.algorithms.path import Path
from tamis.errors import TamisError
from tamis.evaluation.auto_size import AutoSize
from tamis.evaluation.label_summary import LabelSummary
from tamis.evaluation.measure import Measure, measure_of
from tamis.evaluation.missing_values import MissingValues
from tamis.evaluation.named import LocalCluster, NamedTree
from tamis.evaluation.resampled import Resampled
from tamis.evaluation.stability import Stability, stability_of
from tamis.numerics.types import Floats, Indices
from tamis.registry import Method, nearest
from tamis.run.again import Reader
from tamis.run.request import Request
from tamis.run.search import Search
from tamis.sources.source import Source
from tamis.statistics.blocks import BlockedSummary
from tamis.statistics.collect import Summary
from tamis.statistics.suspects import Suspect


@dataclass(frozen=True, eq=False)
class Record:
    """What was asked, as given, and of which table.

    `named` is whether the names are the table's own, `origin` the path it was read from, if any,
    `why` the reason for the method where the user named none. `unread` are files, and places in
    them, that were damaged and skipped.
    """

    method: Method
    k: float | None
    retain: float | None
    settings: dict[str, Any]
    label: str
    names: tuple[str, ...]
    named: bool
    origin: str | list[str] | None
    why: str = ""
    command: str | None = None
    unread: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls,
        source: Source,
        request: Request,
        labels: str | None = None,
        unread: tuple[tuple[str, str], ...] = (),
    ) -> Self:
        """Note what was asked of a table; `labels` names the column of labels, if there is one."""
        table = (source.label, source.names, source.named, source.origin)
        settings = request.settings(labels)
        asked = (request.method, request.k, request.retain, settings)
        return cls(*asked, *table, request.why, unread=unread)


@dataclass(frozen=True, eq=False)
class Curve:
    """What the first 1..k kept columns explain, beside what k components could at most."""

    retained: Floats
    bound: Floats


@dataclass(frozen=True)
class Explanation:
    """Why one column was dropped: how much of it the kept columns explain, and which.

    `share` is what all kept columns explain. `weights` names the few that carry it, with the
    coefficients of standardised columns; `carried` is what these few explain alone. Of a method
    on mutual information, shares and weights are normalised mutual information. With
    `redundancy="drop"`, `reason` is "irrelevant" (low score) or "redundant" (well scored, but
    explained by kept columns).

    Examples
    --------
    >>> print(Explanation("bmi", 0.992, {"weight": 0.98, "height": -0.31}, 0.991))
    bmi: 99.2% explained by the kept columns; mostly 0.98 x weight, -0.31 x height (SD units)
    """

    column: str
    share: float
    weights: dict[str, float] = field(hash=False)
    carried: float
    measure: str = "variance"
    reason: str = ""

    def __str__(self) -> str:
        why = f"{self.reason}, " if self.reason else ""
        if self.measure == "information":
            by = ", ".join(f"{name} ({weight:.2f})" for name, weight in self.weights.items())
            return f"{self.column}: {why}{self.share:.1%} explained" + (
                f" by {by}" if by else ", nothing above chance"
            )
        mostly = ", ".join(f"{weight:.2f} x {name}" for name, weight in self.weights.items())
        said = f"{self.column}: {why}{self.share:.1%} explained by the kept columns"
        return said + (f"; mostly {mostly} (SD units)" if mostly else "")


@dataclass(frozen=True, eq=False)
class Outcome:
    """A path on a table, with everything that can be said about it."""

    request: Record = field(repr=False)
    path: Path = field(repr=False)
    summary: Summary = field(repr=False)
    used: Indices = field(repr=False)
    missing: MissingValues = field(repr=False)
    constant: tuple[str, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)
    longer: Callable[[int], Path] | None = field(default=None, repr=False)
    labels: LabelSummary | None = field(default=None, repr=False)
    suspects: tuple[Suspect, ...] = field(default=(), repr=False)
    auto: AutoSize | None = None
    reader: Reader | None = field(default=None, repr=False)

    @property
    def indices(self) -> Indices:
        """Kept columns, best first, as positions in the input."""
        return self.used[self.path.kept]

    @property
    def names(self) -> list[str]:
        """Kept columns, best first."""
        return self.names_of(self.path.kept)

    @property
    def ranking(self) -> list[str]:
        """Every column the path reached, best first."""
        return self.names_of(self.path.indices)

    @property
    def k(self) -> int:
        """How many columns are kept."""
        return len(self.path.kept)

    @property
    def shortfall(self) -> str | None:
        """Why fewer columns are kept than requested; None if there are as many."""
        return self.path.shortfall(self.request.k)

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
        return measure_of(self.summary.statistic)

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
        """How far `retained` and `bound` may be off where they are estimates; else None."""
        statistic = self.summary.statistic
        return getattr(getattr(statistic, "gram", statistic), "error", None)

    @cached_property
    def curve(self) -> Curve:
        """Share explained and its ceiling for 1..k columns."""
        return self.curve_of(self.path.retained[: self.k])

    def explain(self) -> list[Explanation]:
        """Say for every dropped column how much of it the kept ones explain, and which of them."""
        dropped = np.setdiff1d(np.arange(len(self.used)), self.path.kept)
        if not dropped.size:
            return []
        known, names = self.measure.reproduction(self.path.kept), self.names
        shares, found = known.shares[-1], self.measure.carriers(known, self.k, dropped)
        kind, weighing = self.measure.name, self.path.weighing
        explanations = []
        for i, name in enumerate(self.names_of(dropped)):
            pairs = zip(found.positions[i], found.weights[i], strict=True)
            weights = {names[place]: float(weight) for place, weight in pairs if place >= 0}
            share, carried = float(shares[dropped[i]]), float(found.shares[i])
            why = weighing.reason(int(dropped[i]), share) if weighing else ""
            explanations.append(Explanation(name, share, weights, carried, kind, why))
        return explanations

    @property
    def chance(self) -> float | None:
        """What unrelated columns would show on average, if that is known."""
        return self.measure.chance(self.k, self.summary.n_rows)

    @property
    def held_out(self) -> Floats:
        """Share of the variance of held-out rows that 1..k columns explain, selected again."""
        return self.resampled.folds.share

    @property
    def held_out_std(self) -> Floats:
        """Its standard deviation over the folds."""
        return self.resampled.folds.std

    @cached_property
    def stability(self) -> Stability:
        """How often each column is kept over half-samples of the rows."""
        names = self.names_of(np.arange(len(self.used)))
        return stability_of(self.resampled.sets, names)

    @cached_property
    def resampled(self) -> Resampled:
        """The same search on parts of the rows; the table is read again if need be."""
        summary = self.summary
        if not isinstance(summary, BlockedSummary):
            if self.reader is None or not isinstance(self.longer, Search):
                raise TamisError("The table is not known: choose the columns with tamis.select.")
            summary = self.reader.by_block(summary)
        assert isinstance(self.longer, Search)
        return Resampled(summary, self.longer, self.k, self.auto if self.path.nested else None)

    def substitutes(self, column: str | None = None, *, n: int | None = 10) -> Any:
        """Give the `n` best dropped columns to replace a kept one, each with what that changes.

        The change is in `retained`: -0.001 is a loss of 0.1%. Without `column` a
        dict of such lists, one for each kept column.
        """
        if column is not None and column not in self.names:
            hint = nearest(column, self.names)
            raise TamisError(f"{column!r} is not among the kept columns{hint}")
        wanted = range(self.k) if column is None else [self.names.index(column)]
        found = {}
        changes = self.measure.swaps(self.path.kept, wanted)
        forbidden = self._forbidden
        for position, change in zip(wanted, changes, strict=True):
            change[forbidden] = np.nan
            order = np.argsort(-change, kind="stable")[: np.count_nonzero(~np.isnan(change))][:n]
            pairs = zip(self.names_of(order), change[order].tolist(), strict=True)
            found[self.names[position]] = list(pairs)
        return found if column is None else found[column]

    @property
    def _forbidden(self) -> list[int]:
        """Columns that may not be kept, counted among those analysed."""
        options = self.longer.options if isinstance(self.longer, Search) else {}
        return list(options.get("forbid") or ())

    def names_of(self, columns: Indices) -> list[str]:
        """Give the names of columns counted among those analysed."""
        return [self.request.names[j] for j in self.used[columns]]

    def curve_of(self, retained: Floats) -> Curve:
        """Put the ceiling beside what 1, 2, ... columns explain."""
        # Both add up the same numbers; rounding must not put one above the other.
        bound = self.measure.ceiling(len(retained))
        return Curve(retained, np.maximum(bound, retained))
