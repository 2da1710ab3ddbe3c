"""Pairs of columns beside the classes of the rows: counted where the rows are, as often as asked.

`jmi` asks for the columns beside one that it has kept, and before that for all pairs. Of a table in
the hands of an engine only the counts come home (`class_parts.py`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tamis import memory
from tamis.numerics.types import Indices
from tamis.statistics.class_counts import ClassCounts
from tamis.statistics.classes import Classes
from tamis.statistics.coding import Coding
from tamis.statistics.joint_counts import JointCounts, Tile, count_tiles
from tamis.statistics.mixed import MixedRows

CodedRows = tuple[NDArray[Any], Indices]

_MAX_CODES_HELD = 1 << 30  # bytes of codes kept in memory; of a larger table they are read again


@dataclass(frozen=True, eq=False)
class Recoding:
    """How rows are written as codes of some `columns` and of their classes, as they were counted.

    `groups` gives the level of every fine bin of columns whose bins the labels have merged.
    """

    coding: Coding
    groups: dict[int, Indices]
    classes: Classes
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
