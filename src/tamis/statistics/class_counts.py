"""How often every level of every column occurs in every class, as a value that batches merge into.

A level is a category or a bin. All columns are counted into one table with a row for every level of
every column and a column for every class.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from tamis import memory
from tamis.numerics.types import Floats, Indices
from tamis.statistics.classes import CountedTarget
from tamis.statistics.coding import Coding
from tamis.statistics.joint_counts import JointCounts, Tile, count_tiles
from tamis.statistics.mixed import MixedRows
from tamis.values import dataclass


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
        return np.asarray(self.table[: self.sizes[0]].sum(axis=0))

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


# Pairs of columns beside the classes of the rows: counted where the rows are, as often as asked.
#
# `jmi` asks for the columns beside one that it has kept, and before that for all pairs. Of a table
# in the hands of an engine only the counts come home (`class_parts.py`).
CodedRows = tuple[NDArray[Any], Indices]

_MAX_CODES_HELD = 1 << 30  # bytes of codes kept in memory; of a larger table they are read again


@dataclass(frozen=True, eq=False)
class Recoding:
    """How rows are written as codes of some `columns` and of their classes, as they were counted.

    `groups` gives the level of every fine bin of columns whose bins the labels have merged.
    """

    coding: Coding
    groups: dict[int, Indices]
    classes: CountedTarget
    columns: Indices

    def encode(self, batches: Iterable[MixedRows]) -> Iterator[CodedRows]:
        """Give the levels of the columns and the class of every row."""
        for rows in batches:
            if rows.labels is not None:
                codes = self.coding.encode(rows)
                for j, group in self.groups.items():
                    codes[:, j] = group[codes[:, j]]
                yield codes[:, self.columns], self.classes.codes(rows.labels)


class PairCounter(Protocol):
    """Counts of pairs of columns, beside the classes."""

    def count_beside(self, s: int, columns: slice) -> ClassCounts:
        """Count the levels of these columns beside level of `s` and class, which become one."""

    def count_by_class(self, tiles: Sequence[Tile]) -> list[list[JointCounts]]:
        """Count the pairs of levels of every tile, class by class; none of a class without rows."""


class RowPairs:
    """Pairs counted in rows that are read here; their codes are held if they fit.

    `alone` has the counts of the same columns by themselves.
    """

    def __init__(self, read: Callable[[], Iterator[CodedRows]], alone: ClassCounts) -> None:
        self._read, self._alone = read, alone
        self._held: list[CodedRows] | None = None

    def count_beside(self, s: int, columns: slice) -> ClassCounts:
        """Count the levels of these columns beside level of `s` and class, which become one."""
        sizes, n_classes = self._alone.sizes, len(self._alone.by_class)
        batches = (count_beside(one, sizes, n_classes, s, columns) for one in self._batches())
        return reduce(ClassCounts.merge, batches)

    def count_by_class(self, tiles: Sequence[Tile]) -> list[list[JointCounts]]:
        """Count the pairs of levels of every tile, class by class."""
        return [
            count_tiles(rows_of_class(self._batches(), own), tiles)
            for own in range(len(self._alone.by_class))
        ]

    def _batches(self) -> Iterable[CodedRows]:
        room = min(_MAX_CODES_HELD, memory.get_budget() // 2)
        if self._held is None and 2 * int(self._alone.by_class.sum()) * self._alone.count <= room:
            self._held = list(self._read())
        return self._read() if self._held is None else self._held


def count_beside(
    batch: CodedRows, sizes: Indices, n_classes: int, s: int, columns: slice
) -> ClassCounts:
    """Count the levels of these columns of some rows beside level of `s` and class."""
    codes, classes = batch
    both = codes[:, s].astype(np.intp) * n_classes + classes
    return ClassCounts.from_batch(
        codes[:, columns], both, sizes[columns].tolist(), int(sizes[s]) * n_classes
    )


def rows_of_class(batches: Iterable[CodedRows], wanted: int) -> Iterator[NDArray[Any]]:
    """Give the codes of the rows of one class only."""
    return (codes[classes == wanted] for codes, classes in batches)
