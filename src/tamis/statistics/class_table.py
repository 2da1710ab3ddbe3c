"""Every column of a table of any kind against the classes of its rows.

Two passes: the first learns the bins of numbers, the levels of categories and the classes, the
second counts. Where all columns are numbers the first pass also makes their Gram matrix. Where text
is analysed, too, the table is read once more to relate the columns with each other.

A level is a category or a bin. All columns are counted into one table with a row for every level of
every column and a column for every class; such counts merge (`ClassCounts`).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, xlogy

from tamis import memory
from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.tolerances import TIE
from tamis.sources.read import Accumulator
from tamis.sources.source import Source
from tamis.statistics.classes import ClassTally, CountedTarget, RowLabels
from tamis.statistics.coded_rows import CodedRows, TableRows, TileCounts
from tamis.statistics.coding import Coding, SeenValues, usual_bins
from tamis.statistics.gram import Gram
from tamis.statistics.gram.protocol import Statistic
from tamis.statistics.joint_counts import JointCounts, Tile
from tamis.statistics.labels import plain_labels
from tamis.statistics.linear import GramRows
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import MixedRows
from tamis.statistics.mutual_information import find_identifiers, relate_coded
from tamis.statistics.rows import name_labels
from tamis.statistics.shared_information import Information
from tamis.statistics.summary import Summary
from tamis.values import dataclass

CodedBatch = tuple[NDArray[Any], Indices]  # the codes and the classes of some rows

STRIP_CELLS = 1 << 20  # of counts on their way from a worker
_MAX_CODES_HELD = 1 << 30  # bytes of codes kept in memory; of a larger table they are read again


@dataclass(frozen=True, eq=False)
class ClassCounts:
    """Rows by level and class: `table` of all levels, those of column j from `starts[j]` on.

    Examples
    --------
    >>> codes, classes = np.array([[0], [1], [1]]), np.array([0, 0, 1])
    >>> ClassCounts.from_batch(codes, classes, sizes=[2], n_classes=2).table
    array([[1, 0],
           [1, 1]])
    """

    table: NDArray[np.int64]
    starts: Indices

    @classmethod
    def from_batch(
        cls, codes: NDArray[Any], classes: Indices, sizes: Sequence[int], n_classes: int
    ) -> Self:
        """Count some rows, given as the codes of their levels and of their classes."""
        starts = _starts(sizes)
        table = np.zeros((sum(sizes), n_classes), dtype=np.int64)
        for j, (start, size) in enumerate(zip(starts.tolist(), sizes, strict=True)):
            cells = codes[:, j].astype(np.intp) * n_classes + classes
            found = np.bincount(cells, minlength=size * n_classes)
            table[start : start + size] = found.reshape(size, n_classes)
        return cls(table, starts)

    def merge(self, other: "ClassCounts") -> Self:
        """Join the counts of two parts of a table."""
        return type(self)(self.table + other.table, self.starts)

    @staticmethod
    def join(parts: "Sequence[ClassCounts]") -> "ClassCounts":
        """Put the columns of counts of the same rows side by side."""
        sizes = [size for part in parts for size in part.sizes.tolist()]
        return ClassCounts(np.concatenate([part.table for part in parts]), _starts(sizes))

    @property
    def count(self) -> int:
        """Number of columns."""
        return len(self.starts)

    @property
    def sizes(self) -> Indices:
        """How many levels every column has room for."""
        return np.diff(np.append(self.starts, len(self.table)))

    @property
    def by_class(self) -> NDArray[np.int64]:
        """Rows of every class."""
        return np.asarray(self.table[: self.sizes[:1].sum()].sum(axis=0))

    @property
    def by_level(self) -> NDArray[np.int64]:
        """Rows of every level."""
        return np.asarray(self.table.sum(axis=1))

    @property
    def occupied(self) -> Indices:
        """How many levels of every column occur."""
        return np.add.reduceat((self.by_level > 0).astype(np.intp), self.starts)

    @property
    def expected(self) -> Floats:
        """What the table would be if no column had to do with the classes."""
        by_class = self.by_class
        return np.asarray(np.multiply.outer(self.by_level, by_class) / by_class.sum())

    def sum_levels(self, values: Floats) -> Floats:
        """Add up values that are given for every level, by column."""
        return np.add.reduceat(values, self.starts)

    def block(self, column: int) -> NDArray[np.int64]:
        """Give the counts of one column: levels by classes."""
        start = int(self.starts[column])
        return self.table[start : start + int(self.sizes[column])]

    def take(self, columns: Indices) -> Self:
        """Keep these columns only."""
        if len(columns) == self.count:
            return self
        return self._of([self.block(j) for j in columns.tolist()])

    def regroup_levels(self, columns: Indices, cuts: Sequence[Indices]) -> Self:
        """Merge neighbouring levels of these columns: a new one begins at every cut."""
        blocks = [self.block(j) for j in range(self.count)]
        for j, own in zip(columns.tolist(), cuts, strict=True):
            blocks[j] = np.add.reduceat(blocks[j], np.concatenate([[0], own]), axis=0)
        return self._of(blocks)

    def _of(self, blocks: list[NDArray[np.int64]]) -> Self:
        sizes = [len(block) for block in blocks]
        return type(self)(np.concatenate([self.table[:0], *blocks]), _starts(sizes))


def _starts(sizes: Sequence[int]) -> Indices:
    """Give where the levels of each column begin.

    >>> _starts([2, 3, 2])
    array([0, 2, 5])
    """
    return np.cumsum([0, *sizes])[: len(sizes)].astype(np.intp)


@dataclass(frozen=True, eq=False)
class Recoding:
    """How rows are written as codes of some `columns`, or all, and of their classes.

    `groups` gives the level of every fine bin of columns whose bins the labels have merged.
    """

    coding: Coding
    classes: CountedTarget
    columns: Indices | None = None
    groups: dict[int, Indices] = field(default_factory=dict)

    def encode(self, rows: MixedRows) -> CodedBatch:
        """Give the levels of the columns and the class of every row."""
        assert rows.labels is not None, "what is counted by class has labels"
        codes = self.coding.encode(rows)
        for j, group in self.groups.items():
            codes[:, j] = group[codes[:, j]]
        chosen = codes if self.columns is None else codes[:, self.columns]
        return chosen, self.classes.codes(rows.labels)


# Pairs of columns beside the classes of the rows: counted where the rows are, as often as asked.
#
# `jmi` asks for the columns beside one that it has kept, and before that for all pairs. Of a table
# in the hands of an engine only the counts come back.
class PairCounter:
    """Counts of pairs of columns beside the classes; `alone` has those of the columns.

    Codes of a table that is read here are held if they fit. A pass over the parts of a table counts
    the columns beside one of them; if the tables of all pairs are small, all of them.
    """

    def __init__(self, table: TableRows, recoding: Recoding, alone: ClassCounts) -> None:
        room = min(_MAX_CODES_HELD, memory.get_budget() // 2)
        fits = 2 * int(alone.by_class.sum()) * alone.count <= room
        self._rows, self._alone = CodedRows(table, recoding.encode, fits=fits), alone
        cells = int(alone.sizes.sum()) ** 2 * len(alone.by_class)
        at_once = table.in_parts and cells <= STRIP_CELLS
        self._every = range(alone.count) if at_once else None
        self._known: dict[int, ClassCounts] = {}

    def count_beside(self, s: int, columns: slice) -> ClassCounts:
        """Count the levels of these columns beside level of `s` and class, which become one."""
        if self._every is None:
            return self._count([s], columns)[s]
        self._known = self._known or self._count(self._every, slice(None))
        return self._known[s].take(np.arange(self._alone.count)[columns])

    def count_by_class(self, tiles: Sequence[Tile]) -> list[list[JointCounts]]:
        """Count the pairs of levels of every tile, class by class; none of a class without rows."""
        counts = TileCounts(tiles, n_classes=len(self._alone.by_class))
        found: list[list[JointCounts]] = self._rows.count(counts).counts
        return found

    def _count(self, given: Sequence[int], columns: slice) -> dict[int, ClassCounts]:
        alone = self._alone
        counts = CountsByClass(alone.sizes, len(alone.by_class), given=given, columns=columns)
        found: dict[int, ClassCounts] = self._rows.count(counts).counts
        return found


class CountsByClass(Accumulator):
    """The levels of columns in every class; beside each of the `given` columns and the class."""

    def __init__(
        self,
        sizes: Sequence[int] | Indices,
        n_classes: int,
        *,
        given: Sequence[int | None] = (None,),
        columns: slice = slice(None),
    ) -> None:
        self._sizes, self._n_classes, self._columns = list(map(int, sizes)), n_classes, columns
        nothing = np.zeros((0, len(self._sizes)), np.uint8), np.zeros(0, np.intp)
        self.counts = {s: self._count(nothing, s) for s in given}

    def _count(self, rows: CodedBatch, s: int | None) -> ClassCounts:
        codes, both = rows
        n_both = self._n_classes
        if s is not None:
            both, n_both = codes[:, s].astype(np.intp) * n_both + both, self._sizes[s] * n_both
        return ClassCounts.from_batch(
            codes[:, self._columns], both, self._sizes[self._columns], n_both
        )

    def add(self, rows: CodedBatch) -> None:
        """Count the codes and classes of some rows."""
        self.counts = {s: own.merge(self._count(rows, s)) for s, own in self.counts.items()}

    def split(self) -> dict[Any, Any]:
        """Give the counts beside each column, some columns at a time."""
        return {(s, a): part for s, own in self.counts.items() for a, part in _cut_strips(own)}

    def join(self, values: Mapping[Any, Any]) -> None:
        """Put the counts beside each column together."""
        for s in self.counts:
            strips = {first: strip for (own, first), strip in values.items() if own == s}
            self.counts[s] = ClassCounts.join([strips[first] for first in sorted(strips)])


def _cut_strips(counts: ClassCounts) -> Iterator[tuple[int, ClassCounts]]:
    """Cut counts into some columns each, with the place of the first."""
    width = max(STRIP_CELLS // (int(counts.sizes.max()) * counts.table.shape[1]), 1)
    for first in range(0, counts.count, width):
        yield first, counts.take(np.arange(first, min(first + width, counts.count)))


# Bins chosen by the classes: neighbouring fine bins of a numeric column are merged.
#
# Both rules work from counts (fine bins by classes), so they stream. Fine bins are quantiles, up
# to 1,024 of them: a column with no more distinct values has a bin for each, which makes the cuts
# exact.
Counts = NDArray[np.int64]
Cut = Callable[[Sequence[Counts], int], list[Indices]]

_MAX_MERGED_CELLS = 1 << 21  # cells that are merged together
_MERGE_LEVEL = 0.05


def mdl_cuts(blocks: Sequence[Counts], bins: int) -> list[Indices]:  # noqa: ARG001 - it decides
    """Cut as long as that shortens the description of the classes (Fayyad & Irani 1993).

    Examples
    --------
    >>> mdl_cuts([np.array([[9, 0], [9, 0], [0, 9], [1, 9]])], 10)
    [array([2])]
    """
    return [_mdl(np.cumsum(block, axis=0)) for block in blocks]


def _mdl(below: Counts) -> Indices:
    """Cut one column, given the classes of the rows up to and including each fine bin."""
    cuts: list[int] = []
    parts = [(0, len(below))]
    while parts:
        first, last = parts.pop()
        cut = _best_cut(below, first, last)
        if cut is not None:
            cuts.append(cut)
            parts += [(first, cut), (cut, last)]
    return np.sort(np.array(cuts, dtype=np.intp))


def _best_cut(below: Counts, first: int, last: int) -> int | None:
    """Find the cut of fine bins first..last-1 with the largest gain, if it pays for itself."""
    if last - first < 2:
        return None
    lower = below[first : last - 1] - (below[first - 1] if first else 0)
    both = lower[-1] + (below[last - 1] - below[last - 2])
    upper = both - lower
    n, n_lower, n_upper = both.sum(), lower.sum(axis=1), upper.sum(axis=1)
    if n < 2:
        return None
    left = (_bits(lower) + _bits(upper)) / n
    best = int(np.flatnonzero(left <= left.min() * (1 + TIE))[0])
    if not n_lower[best] or not n_upper[best]:
        return None
    present = [np.count_nonzero(part) for part in (both, lower[best], upper[best])]
    parts = [(both, n), (lower[best], n_lower[best]), (upper[best], n_upper[best])]
    entropy = [_bits(part[None])[0] / size for part, size in parts]
    own = present[0] * entropy[0] - present[1] * entropy[1] - present[2] * entropy[2]
    ways = np.log2(3.0 ** present[0] - 2) if present[0] < 40 else present[0] * np.log2(3.0)
    price = (np.log2(n - 1) + ways - own) / n
    return first + best + 1 if entropy[0] - left[best] > price else None


def _bits(counts: Counts) -> Floats:
    """Give rows times entropy, in bits, of each line of counts."""
    sizes = counts.sum(axis=-1)
    return np.asarray(xlogy(sizes, sizes) - xlogy(counts, counts).sum(axis=-1)) / np.log(2)


def chimerge_cuts(blocks: Sequence[Counts], bins: int) -> list[Indices]:
    """Merge the neighbours that differ least until all differ at 5% and at most `bins` are left.

    Kerber's ChiMerge (1992), all columns at once: each step merges one pair in each column.

    Examples
    --------
    >>> chimerge_cuts([np.array([[9, 0], [9, 0], [0, 9], [1, 9]])], 10)
    [array([2])]
    """
    found: list[Indices] = []
    start = 0
    while start < len(blocks):
        widest, stop = 0, start
        while stop < len(blocks):
            widest = max(widest, len(blocks[stop]))
            if (
                stop > start
                and widest * (stop + 1 - start) * blocks[0].shape[1] > _MAX_MERGED_CELLS
            ):
                break
            stop += 1
        found += _merge_blocks(blocks[start:stop], bins)
        start = stop
    return found


def _merge_blocks(blocks: Sequence[Counts], bins: int) -> list[Indices]:
    chains = _Chains(blocks)
    limit = chdtri(blocks[0].shape[1] - 1, _MERGE_LEVEL)
    while True:
        first = chains.distance.argmin(axis=1)
        lowest = chains.distance[np.arange(len(first)), first]
        on = np.isfinite(lowest) & ((lowest < limit) | (chains.alive.sum(axis=1) > bins))
        if not on.any():
            return [np.flatnonzero(alive)[1:] for alive in chains.alive]
        columns = np.flatnonzero(on)
        chains.merge(columns, first[columns])


class _Chains:
    """The bins of several columns, each with its neighbours and the distance to the next one."""

    def __init__(self, blocks: Sequence[Counts]) -> None:
        width = max(map(len, blocks))
        self.counts = np.zeros((len(blocks), width, blocks[0].shape[1]))
        for j, block in enumerate(blocks):
            self.counts[j, : len(block)] = block
        self.alive: NDArray[np.bool_] = np.asarray(self.counts.any(axis=2))
        self.width = width
        self.after = _next_alive(self.alive)
        self.before = width - 1 - _next_alive(self.alive[:, ::-1])[:, ::-1]
        self.distance = np.full(self.alive.shape, np.inf)
        self._renew(*np.nonzero(self.alive & (self.after < width)))

    def merge(self, columns: Indices, first: Indices) -> None:
        """Merge in each of these columns one bin with the next."""
        lost = self.after[columns, first]
        self.counts[columns, first] += self.counts[columns, lost]
        self.alive[columns, lost] = False
        self.distance[columns, lost] = self.distance[columns, first] = np.inf
        following = self.after[columns, lost]
        self.after[columns, first] = following
        more = following < self.width
        self.before[columns[more], following[more]] = first[more]
        self._renew(columns[more], first[more])
        prior = self.before[columns, first]
        self._renew(columns[prior >= 0], prior[prior >= 0])

    def _renew(self, columns: Indices, left: Indices) -> None:
        right = self.after[columns, left]
        apart = _difference(self.counts[columns, left], self.counts[columns, right])
        self.distance[columns, left] = apart


def _next_alive(alive: NDArray[np.bool_]) -> Indices:
    """Give for every position the next living one, or the width.

    >>> _next_alive(np.array([[True, False, True]]))
    array([[2, 2, 3]])
    """
    d, width = alive.shape
    places = np.where(alive, np.arange(width), width)
    nearest = np.minimum.accumulate(places[:, ::-1], axis=1)[:, ::-1]
    return np.concatenate([nearest[:, 1:], np.full((d, 1), width)], axis=1)


def _difference(left: Floats, right: Floats) -> Floats:
    """Give the chi-square statistic of pairs of neighbours; a class that neither has adds 0.

    With two lines it is a sum over classes of one squared difference each.
    """
    n_left, n_right = left.sum(axis=1, keepdims=True), right.sum(axis=1, keepdims=True)
    both = left + right
    excess = (left * n_right - right * n_left) ** 2
    parts = np.divide(excess, both * n_left * n_right, out=np.zeros_like(excess), where=both > 0)
    return np.asarray(parts.sum(axis=1))


CUTS: dict[str, Cut] = {
    "mdl": mdl_cuts,
    "chimerge": chimerge_cuts,
}

_LEAST, _FINE = 32, 1024
_FINE_CELLS = 1 << 25
_MOST_CELLS = 1 << 28


@dataclass(frozen=True, eq=False)
class ClassTable(Statistic[Gram | Information]):
    """Rows by level and class for every column that varies.

    `by_labels` marks the columns whose bins were chosen by the classes; `levels` names categories
    and bins, if the labels chose none. What the columns explain of each other is `gram` where all
    are numbers, otherwise `information`, which is computed when it is first asked for. `pairs`
    counts pairs of the same columns, for which the table is read again.
    """

    counts: ClassCounts
    target: CountedTarget
    by_labels: NDArray[np.bool_]
    gram: Gram | None = None
    levels: tuple[tuple[str, ...], ...] = ()
    relate: Callable[[], Information] | None = field(default=None, repr=False)
    pairs: PairCounter | None = field(default=None, repr=False)

    @cached_property
    def information(self) -> Information | None:
        """The mutual information of all pairs of columns, where not all are numbers."""
        return None if self.relate is None else self.relate()

    @property
    def explained(self) -> Gram | Information:
        """What the columns explain of each other, whichever it is."""
        found = self.information if self.gram is None else self.gram
        assert found is not None
        return found

    @property
    def deferred(self) -> bool:
        """Whether the information has to be read first."""
        return self.gram is None and self.relate is not None


def collect_class_table(
    source: Source,
    columns: Sequence[int],
    *,
    labels: Any,
    task: str = "auto",
    missing: MissingPolicy = MissingPolicy.ERROR,
    bins: int = 10,
    binning: str = "depth",
    insist: Collection[int] = (),
) -> Summary:
    """Read the table and count the levels of every column in every class.

    `labels` is the position of a column, or a sequence with one label for each row. Texts that
    hardly ever repeat are refused, unless their position among `columns` is in `insist`.
    """
    given, tally = plain_labels(labels), Tally(len(columns))
    marks = given if isinstance(given, int) else RowLabels.of(given)
    categories = "categorical" in {source.kinds[j] for j in columns}
    numbers = not categories and not missing.codes_numbers
    few = source.n_rows is not None and source.n_rows < len(columns)
    # Labels that are given are here, and rows that are few may come back.
    rows = TableRows(source, columns, missing, marks, here=few or not isinstance(marks, int))
    gram = GramRows(len(columns)) if numbers else None
    first = rows.learn(tally, ClassTally(name_labels(source, labels)), gram)
    assert first.classes is not None
    # What is wrong with labels is said before all else, but that there are none.
    classes = first.classes.settle(task) if first.classes.rows else None
    levels = first.levels.settle()
    assert classes is not None, "without rows there are no levels"
    usual = usual_bins(bins, levels.n_rows)
    supervised = CUTS.get(binning)
    coding = plain = levels.make_coding(usual, binning if supervised is None else "depth")
    if supervised is not None:
        # Many fine bins are merged by the labels, of bounded memory.
        most = _FINE_CELLS // (len(columns) * len(classes.names))
        coding = levels.make_coding(int(np.clip(most, max(bins, _LEAST), _FINE)), "fine")
    _check_cells(coding, classes)
    by_class = CountsByClass(coding.sizes, len(classes.names))
    counted = rows.read_encoded(by_class, Recoding(coding, classes).encode).counts
    counts: ClassCounts = counted[None]
    gram = first.gram
    if gram is not None and first.lacks_rows:
        fill = partial(MixedRows.fill_numbers, values=levels.fill)
        gram = rows.read_encoded(GramRows(len(columns)), fill)
    summary = None if gram is None else gram.summary(True, source.label)
    refused = find_identifiers(plain, bins, insist) if summary is None else summary.refused
    occupied = np.flatnonzero(counts.occupied > 1)
    varying = np.setdiff1d(occupied, list(refused)) if summary is None else summary.varying
    groups: dict[int, Indices] = {}
    if supervised is not None:
        counts, groups = _merge_fine_bins(counts, levels, supervised, bins)
    counts = counts.take(varying)
    table = ClassTable(
        counts,
        classes,
        np.isin(varying, levels.numeric if supervised else ()),
        None if summary is None else summary.gram,
        () if supervised else plain.level_names(varying),
        None if numbers else lambda: relate_coded(rows, plain, varying),
        PairCounter(rows, Recoding(coding, classes, varying, groups), counts),
    )
    return Summary(levels.n_rows, varying, table=table, unfit=refused, tally=tally)


def _check_cells(coding: Coding, classes: CountedTarget) -> None:
    """Refuse more classes than can be counted."""
    cells = sum(coding.sizes) * len(classes.names)
    if cells > _MOST_CELLS:
        raise TamisError(
            f"{classes.what} has {len(classes.names):,} classes, too many to count beside "
            f"{sum(coding.sizes):,} values and bins of the columns ({8e-9 * cells:.0f} GB): merge "
            "rare classes, or skip columns with many values."
        )


def _merge_fine_bins(
    counts: ClassCounts, seen: SeenValues, cut: Cut, bins: int
) -> tuple[ClassCounts, dict[int, Indices]]:
    """Merge the fine bins of numeric columns; missing values stay a level of their own.

    Gives the new level of every fine bin, too, by column.
    """
    columns = np.array(seen.numeric, dtype=np.intp)
    if not len(columns):
        return counts, {}
    blocks = [counts.block(j) for j in seen.numeric]
    ends = [len(block) - int(seen.missing[j]) for j, block in zip(columns, blocks, strict=True)]
    found = cut([block[:end] for block, end in zip(blocks, ends, strict=True)], bins)
    cuts = [
        own if end == len(block) else np.append(own, end)
        for own, end, block in zip(found, ends, blocks, strict=True)
    ]
    groups = {
        j: np.searchsorted(own, np.arange(len(block)), side="right").astype(np.intp)
        for j, own, block in zip(seen.numeric, cuts, blocks, strict=True)
    }
    return counts.regroup_levels(columns, cuts), groups
