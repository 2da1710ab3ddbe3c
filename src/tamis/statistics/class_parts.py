"""Columns against classes, counted where the parts of a table are."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np

from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.read import Accumulator, read
from tamis.sources.source import PartedSource, Source
from tamis.statistics.class_counts import ClassCounts, Recoding, count_beside
from tamis.statistics.classes import ClassTally, CountedTarget
from tamis.statistics.coded_parts import CodedParts, read_first, read_part
from tamis.statistics.coding import Coding, LevelsRead
from tamis.statistics.joint_counts import JointCounts, Tile, count_tiles
from tamis.statistics.linear import GramRows
from tamis.statistics.missing import Tally
from tamis.statistics.mutual_information import relate_parts
from tamis.statistics.shared_information import Information
from tamis.statistics.summary import Summary

_STRIP_CELLS = 1 << 20  # of counts on their way from a worker


class ClassParts:
    """Columns of a table in the hands of an engine, and the column of its labels."""

    def __init__(
        self, source: PartedSource, columns: Sequence[int], labels: int, missing: MissingPolicy
    ) -> None:
        self._source, self._columns, self._missing = source, [*columns, labels], missing

    def read_levels(self, tallied: ClassTally, tally: Tally) -> LevelsRead:
        """Learn values, levels and classes in one pass; count rows and missing values."""
        return read_first(self._source, self._columns, self._missing, tally, tallied)

    def count_classes(self, coding: Coding, classes: CountedTarget) -> ClassCounts:
        """Count the levels of every column in every class."""
        rows = partial(_read_classes, coding=coding, classes=classes, missing=self._missing)
        counts = CountsByClass(coding, len(classes.names))
        found: ClassCounts = read(self._source, self._columns, counts, rows=rows)[0].counts
        return found

    def summary(self, fill: Floats | None) -> Summary:
        """Find the Gram matrix of numbers, with the means in place of missing ones."""
        rows = partial(_read_numbers, fill=fill, missing=self._missing)
        (found,) = read(self._source, self._columns, GramRows(len(self._columns) - 1), rows=rows)
        whole: Summary = found.summary(True, self._source.label)
        return whole

    def relate(self, coding: Coding, columns: Indices) -> Information:
        """Relate these columns with each other."""
        parts = CodedParts(self._source, self._columns[:-1], self._missing, self._columns[-1])
        return relate_parts(parts, coding, columns, parts.count_levels(coding))

    def count_pairs(self, recoding: Recoding, alone: ClassCounts) -> "PartPairs":
        """Count pairs of columns, whose counts `alone` are known, once they are asked for."""
        return PartPairs(self._source, self._columns, self._missing, recoding, alone)


class PartPairs:
    """Pairs of columns beside the classes, counted where the parts of a table are.

    A pass counts the columns beside one of them; if the tables of all pairs are small, all of them.
    """

    def __init__(
        self,
        source: PartedSource,
        columns: Sequence[int],
        missing: MissingPolicy,
        recoding: Recoding,
        alone: ClassCounts,
    ) -> None:
        self._source, self._columns, self._alone = source, columns, alone
        self._rows = partial(_read_recoded, recoding=recoding, missing=missing)
        cells = int(alone.sizes.sum()) ** 2 * len(alone.by_class)
        self._every = range(alone.count) if cells <= _STRIP_CELLS else None
        self._known: dict[int, ClassCounts] = {}

    def count_beside(self, s: int, columns: slice) -> ClassCounts:
        """Count the levels of these columns beside level of `s` and class, which become one."""
        if self._every is None:
            return self._count([s], columns)[s]
        self._known = self._known or self._count(self._every, slice(None))
        return self._known[s].take(np.arange(self._alone.count)[columns])

    def count_by_class(self, tiles: Sequence[Tile]) -> list[list[JointCounts]]:
        """Count the pairs of levels of every tile, class by class."""
        counts = TilesByClass(tiles, self._alone)
        found: list[list[JointCounts]] = self._read(counts).counts
        return found

    def _count(self, given: Sequence[int], columns: slice) -> dict[int, ClassCounts]:
        found: dict[int, ClassCounts] = self._read(CountsBeside(given, columns, self._alone)).counts
        return found

    def _read(self, counts: Accumulator) -> Any:
        return read(self._source, self._columns, counts, rows=self._rows)[0]


class CountsByClass(Accumulator):
    """The levels of every column in every class."""

    def __init__(self, coding: Coding, n_classes: int) -> None:
        self._sizes, self._n_classes = coding.sizes, n_classes
        empty = np.zeros((0, len(coding.sizes)), dtype=coding.dtype)
        self.counts = self._count(empty, np.zeros(0, np.intp))

    def _count(self, codes: Any, classes: Indices) -> ClassCounts:
        return ClassCounts.from_batch(codes, classes, self._sizes, self._n_classes)

    def add(self, rows: Any) -> None:
        """Count the codes and classes of some rows."""
        self.counts = self.counts.merge(self._count(*rows))

    def split(self) -> dict[Any, Any]:
        """Give the counts of some columns at a time."""
        return dict(_cut_strips(self.counts))

    def join(self, values: Mapping[Any, Any]) -> Self:
        """Put the counts of all columns together."""
        self.counts = ClassCounts.join([values[first] for first in sorted(values)])
        return self


class CountsBeside(Accumulator):
    """The levels of columns beside each of the `given` columns and the class."""

    def __init__(self, given: Sequence[int], columns: slice, alone: ClassCounts) -> None:
        self._columns, self._sizes, self._n_classes = columns, alone.sizes, len(alone.by_class)
        nothing = np.zeros((0, len(alone.sizes)), np.uint8), np.zeros(0, np.intp)
        self.counts = {s: self._count(nothing, s) for s in given}

    def _count(self, rows: Any, s: int) -> ClassCounts:
        return count_beside(rows, self._sizes, self._n_classes, s, self._columns)

    def add(self, rows: Any) -> None:
        """Count the codes and classes of some rows."""
        self.counts = {s: own.merge(self._count(rows, s)) for s, own in self.counts.items()}

    def split(self) -> dict[Any, Any]:
        """Give the counts beside each column, some columns at a time."""
        return {(s, a): part for s, own in self.counts.items() for a, part in _cut_strips(own)}

    def join(self, values: Mapping[Any, Any]) -> Self:
        """Put the counts beside each column together."""
        strips: dict[int, dict[int, ClassCounts]] = {s: {} for s in self.counts}
        for (s, first), strip in values.items():
            strips[s][first] = strip
        self.counts = {
            s: ClassCounts.join([own[a] for a in sorted(own)]) for s, own in strips.items()
        }
        return self


class TilesByClass(Accumulator):
    """The pairs of levels of every tile, class by class."""

    def __init__(self, tiles: Sequence[Tile], alone: ClassCounts) -> None:
        self._tiles = tiles
        nothing = np.zeros((0, len(alone.sizes)), np.uint8)
        self.counts = [count_tiles([nothing], tiles) for _ in alone.by_class]

    def add(self, rows: Any) -> None:
        """Count the codes and classes of some rows."""
        codes, classes = rows
        for own, counts in enumerate(self.counts):
            fresh = count_tiles([codes[classes == own]], self._tiles)
            self.counts[own] = [a.merge(b) for a, b in zip(counts, fresh, strict=True)]

    def split(self) -> dict[Any, Any]:
        """Give each tile of each class by itself."""
        return {(own, i): one for own, some in enumerate(self.counts) for i, one in enumerate(some)}

    def join(self, values: Mapping[Any, Any]) -> Self:
        """Put the tiles of the classes in order."""
        for (own, i), tile in values.items():
            self.counts[own][i] = tile
        return self


def _cut_strips(counts: ClassCounts) -> Iterator[tuple[int, ClassCounts]]:
    """Cut counts into some columns each, with the place of the first."""
    width = max(_STRIP_CELLS // (int(counts.sizes.max()) * counts.table.shape[1]), 1)
    for first in range(0, counts.count, width):
        yield first, counts.take(np.arange(first, min(first + width, counts.count)))


def _read_classes(
    part: Source,
    columns: Sequence[int],
    *,
    coding: Coding,
    classes: CountedTarget,
    missing: MissingPolicy,
) -> Iterator[Any]:
    for rows in read_part(part, columns, missing, labelled=True):
        if rows.labels is not None:
            yield coding.encode(rows), classes.codes(rows.labels)


def _read_recoded(
    part: Source, columns: Sequence[int], *, recoding: Recoding, missing: MissingPolicy
) -> Iterator[Any]:
    return recoding.encode(read_part(part, columns, missing, labelled=True))


def _read_numbers(
    part: Source, columns: Sequence[int], *, fill: Floats | None, missing: MissingPolicy
) -> Iterator[Any]:
    for rows in read_part(part, columns, missing, labelled=True):
        numbers = rows.numbers
        yield numbers if fill is None else np.where(np.isnan(numbers), fill, numbers)
