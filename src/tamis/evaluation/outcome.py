"""A selection: what is kept, why the others were dropped, what could be had instead, how sure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.columns.judgement import NOT_JUDGED
from tamis.errors import TamisError
from tamis.evaluation.held_out import (
    ColumnErrors,
    HeldOut,
    compare_with_others,
    fate_of,
    hold_out_columns,
    hold_out_rows,
)
from tamis.evaluation.measure import Measure, Variance, measure_of
from tamis.evaluation.record import Record
from tamis.facts.selection_answer import (
    AutoFacts,
    CurveFacts,
    DroppedColumn,
    LimitFacts,
    OpinionFacts,
    PredictionFacts,
    StabilityFacts,
)
from tamis.facts.shared_answer import (
    LabelFacts,
    MissingFacts,
    RelationFacts,
    RowFacts,
    SuspiciousColumn,
)
from tamis.numerics.ties import first_best, last_best
from tamis.numerics.types import Floats, Indices, Mask
from tamis.registry import nearest
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.run.again import Reader
from tamis.run.search import Search
from tamis.statistics.summary import Summary, as_summary
from tamis.values import dataclass

if TYPE_CHECKING:
    from tamis.algorithms.information.tree import SpectralTree


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
    rows = []
    for j, places, sizes, carried in zip(
        dropped.tolist(), *measure.carriers(known, len(kept), dropped), strict=True
    ):
        # By size as it is written: the page holds hundredths, and must give the same order.
        order = np.argsort(-np.rint(100 * np.abs(sizes)), kind="stable")
        pairs = zip(places[order], sizes[order], strict=True)
        weights = {kept[place]: float(weight) for place, weight in pairs if place >= 0}
        share = float(shares[j])
        why = path.weighing.reason(j, share) if path.weighing else ""
        row = DroppedColumn(names[j], share, weights, float(carried), why, measure.weights_are)
        rows.append(row)
    return rows


@dataclass(frozen=True)
class NamedTree:
    """A tree of columns by name: `order` from left to right, `depth`, `distance` in edges."""

    tree: "SpectralTree" = field(repr=False)
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
class Outcome:
    """A path on a table, with everything that can be said about it."""

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
    sized: HeldOut | None = field(default=None, repr=False)
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
        retain = self.request.retain
        if self.sized is None or retain is None:
            return self.path.shortfall(self.request.k, retain)
        best = float(self.sized.share[-1])
        if best >= retain - NEGLIGIBLE:
            return None
        k, verb = self.sized.k, "explains" if self.sized.k == 1 else "explain"
        limited = self.limits.any or bool(self.limits.barred.any())
        within = " within the limits" if limited else ""
        return (
            f"No number of columns{within} explains {100 * retain:.6g}% on new rows; {k:,} {verb} "
            f"most, {100 * best:.1f}%."
        )

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
        from tamis.algorithms.local.local_clusters import Clusters

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
    def curve(self) -> CurveFacts:
        """Share explained and its ceiling for 1..k columns."""
        return self.curve_of(self.path.kept, self.path.retained[: self.k])

    def explain(self, column: Any = None) -> Any:
        """Say how much of every dropped column the kept ones explain, and which of them.

        With a `column`, only for this one.
        """
        if column is None:
            return list(self._explained.values())
        name = self.request.given[self.request.position(column)]
        if name in self._explained:
            return self._explained[name]
        why = "constant" if name in self.constant else self.skipped.get(name, "not analysed")
        state = "is kept" if name in self.names else f"was skipped ({why})"
        raise TamisError(f"{name!r} {state}: there is nothing to explain.")

    @cached_property
    def _explained(self) -> dict[Any, DroppedColumn]:
        dropped = np.setdiff1d(np.arange(len(self.used)), self.path.kept)
        names = self.names_of(np.arange(len(self.used)))
        rows = explain_dropped(self.measure, self.path, dropped, names)
        barred = {names[j] for j in self.search_options.get("forbid") or ()}
        rows = [replace(r, reason="forbidden") if r.column in barred else r for r in rows]
        errors = self.new_rows
        if errors is not None:
            shares, lows = errors.share[-1], self.limit_new_rows(errors)[-1]
            known = zip(rows, shares[dropped].tolist(), lows[dropped].tolist(), strict=True)
            rows = [
                row
                if np.isnan(share)
                else replace(
                    row,
                    new_rows=share,
                    new_rows_low=low,
                    status=fate_of(share, low, self.chance),
                )
                for row, share, low in known
            ]
        return {row.column: row for row in rows}

    @cached_property
    def first_to_drop(self) -> tuple[DroppedColumn, float] | None:
        """Where all columns are kept, the one of which the others explain most, as if dropped.

        With it what the others then explain of all columns, on new rows if that is known.
        """
        width, measure = len(self.used), self.measure
        if self.k < width or width < 2 or not isinstance(measure, Variance):
            return None
        unique = None if self.path.importance is not None else measure.measure_unique()
        if unique is None:
            return None
        j = last_best(-unique / measure.statistic.diagonal()[:width])
        others = self.path.kept[self.path.kept != j]
        names = self.names_of(np.arange(width))
        path = replace(self.path, indices=others, retained=self.path.retained[:-1], size=None)
        (row,) = explain_dropped(measure, path, np.array([j]), names)
        without = 1.0 - float(unique[j] / measure.statistic.gram.diagonal().sum())
        if self.shows_held_out and self.search is not None:
            blocks = self.by_block.summary.blocks
            assert blocks is not None
            errors = hold_out_columns(blocks, others, width, ridge=self.search.ridge)
            if not np.isnan(errors.share[-1, j]):
                row = replace(row, new_rows=float(errors.share[-1, j]))
                without = 1.0 - float(errors.left[-1].sum() / errors.totals.sum())
        return row, without

    @property
    def chance(self) -> float | None:
        """What unrelated columns would show on average, if that is known."""
        return self.curve.chance[-1] if self.k else None

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

    def curve_of(
        self, kept: Indices, retained: Floats, ceiling: Floats | None = None
    ) -> CurveFacts:
        """Put the ceiling, and what chance would explain, beside what kept columns explain."""
        # Both add up the same numbers; rounding must not put one above the other.
        m = len(retained)
        bound = self.measure.ceiling(m) if ceiling is None else ceiling[:m]
        chance = self.measure.chance(kept[:m], self.summary.n_rows)
        return CurveFacts(retained, np.maximum(bound, retained), tuple(chance.tolist()))

    @cached_property
    def shows_held_out(self) -> bool:
        """Whether shares on held-out rows are shown: if asked for, or where rows are in blocks."""
        asked = self.request.settings.get("held_out")
        if self.auto is not None or asked is not None:
            return self.auto is not None or bool(asked)
        if self.summary.blocks is None or self.search is None:
            return False
        try:
            return bool(len(self.folds.totals))
        except TamisError:  # too few rows to hold some back
            return False

    @property
    def held_out(self) -> Floats:
        """Share of the variance of held-out rows that 1..k columns explain, selected again."""
        return self.folds.share

    @property
    def held_out_std(self) -> Floats:
        """Its standard deviation over the folds."""
        return self.folds.std

    @cached_property
    def other_shares(self) -> dict[str, Any]:
        """What as many columns explain on held-out rows that are chosen in other ways.

        Fields of `HeldOutFacts`; none if it was not measured.
        """
        if self.path.importance is not None:
            return {}
        names = [self.request.names[j] for j in self.used]
        return compare_with_others(self.by_block, self.folds, self.k, names)

    @cached_property
    def stability(self) -> StabilityFacts:
        """How often each column is kept over half-samples of the rows."""
        from tamis.evaluation.stability import (
            compare_halves,
            find_in_halves,
            name_stand_ins,
            stability_of,
        )

        names = self.names_of(np.arange(len(self.used)))
        sets = find_in_halves(self.by_block, self.k)
        statistic, kept = as_summary(self.summary.statistic.explained), self.path.kept
        explained, counts = compare_halves(statistic, kept, sets, self.path.importance)
        return replace(
            stability_of(sets, names),
            explained=float(explained.mean()),
            stand_ins=name_stand_ins(counts, kept, len(sets), names),
        )

    @cached_property
    def by_block(self) -> Search:
        """The search on rows in blocks, for parts of them; the table is read again if need be."""
        summary = self.summary
        if self.search is None or (self.reader is None and summary.blocks is None):
            raise TamisError("The table is not known: choose the columns with tamis.select.")
        if summary.blocks is None:
            assert self.reader is not None
            summary = self.reader.by_block(summary)
        return replace(self.search, summary=summary)

    @cached_property
    def folds(self) -> HeldOut:
        """Errors on the held-out rows of ten folds, columns selected again in each."""
        known = self.sized if self.auto is None else self.auto.folds
        if known is not None and self.path.nested:
            return known.head(self.k)
        return hold_out_rows(self.by_block, self.k)

    @cached_property
    def new_rows(self) -> ColumnErrors | None:
        """What the kept columns leave of every analysed column on new rows.

        None where it is not measured: it is where the share of all columns on held-out rows is
        shown, of a method that explains variance of all columns alike.
        """
        return self.follow_new_rows(self.path.kept, [self.k])

    def follow_new_rows(self, path: Indices, steps: Sequence[int]) -> ColumnErrors | None:
        """Measure the same at some steps of a path that begins with the kept columns."""
        if not self.shows_held_out or self.measure.name != "variance" or self.search is None:
            return None
        try:
            search = self.by_block
            folds = self.folds if len(path) <= self.k else hold_out_rows(search, len(path))
        except TamisError:  # the table is no longer there
            return None
        blocks, width = search.summary.blocks, len(self.used)
        assert blocks is not None
        found = hold_out_columns(
            blocks, path, width, ridge=search.ridge, steps=steps, k=self.k, chosen=folds.kept
        )
        return replace(found, again=folds)

    def limit_new_rows(self, errors: ColumnErrors) -> Floats:
        """Give the lower limit of each share on new rows, of values as they are."""
        return errors.limit_below(self.distances, self.within)

    @cached_property
    def within(self) -> Floats:
        """The variance of each analysed column as it is that is within the limits of its values."""
        summary, encoding = self.summary, self.summary.encoding
        part = np.ones(len(self.used))
        if summary.clipped is None or encoding is None or encoding.spread is None:
            return part
        as_is = dict(zip(encoding.numeric, encoding.spread[1].tolist(), strict=True))
        for row, (j, place) in enumerate(zip(summary.varying, self._places, strict=True)):
            if summary.clipped.values.get(int(j)) and as_is[int(j)] > 0:
                part[row] = min(float(np.square(summary.std[place])) / as_is[int(j)], 1.0)
        return part

    @cached_property
    def distances(self) -> Floats:
        """The smallest difference between values of each analysed column, squared, in variances.

        NaN where that is unknown: of categories, and of numbers taken as ranks or as logarithms.
        """
        summary, settings = self.summary, self.request.settings
        unknown = np.full(len(self.used), np.nan)
        as_read = settings.get("scale") != "counts" and settings.get("kind") != "spearman"
        if not (summary.has_moments and as_read):
            return unknown
        std = summary.std[self._places]
        std = std if summary.units is None else std * summary.units[summary.varying]
        # What the judgement of the table says of all rows or, of an array, a sample of them.
        judgement = NOT_JUDGED if self.reader is None else self.reader.request.judgement
        sampled = {} if summary.encoding is None else summary.encoding.distances
        distances = np.array([sampled.get(int(j), np.nan) for j in summary.varying])
        judged = {one.name: one.distance for one in judgement.columns if one.action == "numbers"}
        for place, j in enumerate(self.used if judgement.rows else ()):
            distances[place] = judged.get(self.request.names[j], np.nan)
        levels = [] if summary.encoding is None else list(summary.encoding.levels)
        known = ~np.isin(summary.varying, levels) & (std > 0)
        with np.errstate(over="ignore"):  # beside huge values that are limited
            return np.asarray(np.square(np.divide(distances, std, out=unknown, where=known)))

    @property
    def _places(self) -> Indices:
        """The first place of each analysed column among those that were summed up."""
        summary, encoding = self.summary, self.summary.encoding
        if encoding is None:
            return summary.varying
        return encoding.groups.starts[np.searchsorted(encoding.used, summary.varying)]

    def substitutes(self, column: Any = None, *, n: int | None = 10) -> Any:
        """Give the `n` best dropped columns to replace a kept one, each with what that changes.

        The change is in `retained`: -0.001 is a loss of 0.1%. Without `column` a
        dict of such lists, one for each kept column.
        """
        names = self.names
        wanted = range(self.k) if column is None else [self._find_kept(column)]
        found = {}
        changes = self.measure.swaps(self.path.kept, wanted)
        for position, change in zip(wanted, changes, strict=True):
            change[mark_barred(self.limits, self.path.kept, position)] = np.nan
            order = np.argsort(-change, kind="stable")[: np.count_nonzero(~np.isnan(change))][:n]
            pairs = zip(self.names_of(order), change[order].tolist(), strict=True)
            found[names[position]] = list(pairs)
        return found if column is None else found[names[wanted[0]]]

    def second_opinion(self, n: int = 20) -> list[OpinionFacts]:
        """Let trees predict the `n` least explained dropped columns, beside a linear model.

        Up to 1,000 rows are read again; half of them predict the other half from the kept columns.
        """
        rows = sorted(self.explain(), key=lambda row: row.first_share)[:n]
        targets = {row.column: self.request.position(row.column) for row in rows}
        from tamis.evaluation.second_opinion import read_opinion

        return read_opinion(self.reader, self.indices.tolist(), targets)

    @cached_property
    def binding(self) -> list[LimitFacts]:
        """The limits that keep out a column, each with the best of these and what it would add."""
        limits, kept = self.limits, self.path.kept
        whole = self.search_options.get("together")
        if whole or not (limits.any or limits.barred.any()) or not len(kept):
            return []
        names = list(map(str, self.names_of(np.arange(len(self.used)))))
        found = find_binding(limits, kept, self.measure.additions(kept), names)
        swaps = partial(self.measure.swaps, kept)
        return found + find_demanded(limits, kept, self._must, swaps, names)

    def _find_kept(self, column: Any) -> int:
        texts = [self.request.names[j] for j in self.indices]
        for names in (self.names, texts):
            if column in names:
                return names.index(column)
        hint = nearest(str(column), texts)
        raise TamisError(f"{column!r} is not among the kept columns{hint}")


def mark_barred(limits: Limits, kept: Indices, position: int) -> Mask:
    """Mark the columns that may not be kept in the place of one that is."""
    return ~limits.mark_usable(np.delete(kept, position), len(kept))


def find_binding(
    limits: Limits, kept: Indices, gains: Floats, names: Sequence[str]
) -> list[LimitFacts]:
    """List the limits that keep out a column, each with the column that would add most.

    `column` is the best one that may be kept but for this limit, `gain` what it would add.

    Examples
    --------
    >>> limits = Limits.of(3, groups={"A": [0, 1]}, at_most=1)
    >>> find_binding(limits, np.array([0]), np.array([0.0, 0.2, 0.1]), ["a", "b", "c"])
    [LimitFacts(option='at_most', group='A', column='b', gain=0.2)]
    """
    width = len(gains)
    others = ~limits.barred[:width]
    others[kept] = False
    far, paid = limits.mark_far(kept)[:width], limits.mark_affordable(kept)[:width]
    full = limits.mark_full(kept)[:width]
    found = []
    for i, name in enumerate(limits.names):
        out = others & far & paid & full & (limits.group[:width] == i)
        found += _best_of("at_most", name, out, gains, names)
    found += _best_of("apart", None, others & paid & ~full & ~far, gains, names)
    found += _best_of("budget", None, others & far & ~full & ~paid, gains, names)
    barred = limits.barred[:width] & far & paid & ~full
    return found + _best_of("forbid", None, barred, gains, names)


def find_demanded(
    limits: Limits,
    kept: Indices,
    fixed: Sequence[int],
    swaps: Callable[[Sequence[int]], Iterable[Floats]],
    names: Sequence[str],
) -> list[LimitFacts]:
    """List the groups that have just as many columns as they must, where another column adds more.

    `swaps` gives, for some places among the kept columns, what each other column there changes;
    columns in `fixed` stay.
    """
    found = []
    counts = limits.count_taken(kept)
    for i in np.flatnonzero((limits.least > 0) & (counts == limits.least)).tolist():
        free = replace(limits, least=np.where(np.arange(len(counts)) == i, 0, limits.least))
        own = (limits.group[kept] == i) & ~np.isin(kept, np.asarray(fixed, dtype=np.intp))
        places = np.flatnonzero(own).tolist()
        best: list[LimitFacts] = []
        for place, change in zip(places, swaps(places), strict=True):
            may = free.mark_swaps(np.delete(kept, place))[: len(change)]
            out = may & (limits.group[: len(change)] != i) & ~np.isnan(change)
            best += _best_of("at_least", limits.names[i], out, change, names)
        found += sorted(best, key=lambda one: -one.gain)[:1]
    return found


def _best_of(
    option: str, group: str | None, out: Mask, gains: Floats, names: Sequence[str]
) -> list[LimitFacts]:
    if not out.any():
        return []
    best = first_best(np.where(out, gains, -np.inf))
    return [LimitFacts(option, group, names[best], float(gains[best]))] if gains[best] > 0 else []
