"""How often every level of every column occurs in every class, as a value that batches merge into.

A level is a category or a bin. All columns are counted into one table with a row for every level of
every column and a column for every class.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tamis import memory
from tamis.numerics.types import Floats, Indices
from tamis.sources.read import Accumulator
from tamis.statistics.classes import CountedTarget
from tamis.statistics.coded_rows import CodedRows, TableRows, TileCounts
from tamis.statistics.coding import Coding
from tamis.statistics.joint_counts import JointCounts, Tile
from tamis.statistics.mixed import MixedRows
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
# in the hands of an engine only the counts come home.
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

    def join(self, values: Mapping[Any, Any]) -> Self:
        """Put the counts beside each column together."""
        for s in self.counts:
            strips = {first: strip for (own, first), strip in values.items() if own == s}
            self.counts[s] = ClassCounts.join([strips[first] for first in sorted(strips)])
        return self


def _cut_strips(counts: ClassCounts) -> Iterator[tuple[int, ClassCounts]]:
    """Cut counts into some columns each, with the place of the first."""
    width = max(STRIP_CELLS // (int(counts.sizes.max()) * counts.table.shape[1]), 1)
    for first in range(0, counts.count, width):
        yield first, counts.take(np.arange(first, min(first + width, counts.count)))
