"""Columns against classes, counted where the parts of a table are."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.parted import gather_merged
from tamis.sources.source import Arrays, PartedSource, Source
from tamis.statistics.class_counts import ClassCounts, Recoding, count_beside
from tamis.statistics.classes import ClassTally, CountedTarget
from tamis.statistics.coded_parts import CodedParts, PartTally
from tamis.statistics.coding import Coding, LevelsRead
from tamis.statistics.joint_counts import JointCounts, Tile, count_tiles
from tamis.statistics.linear import merge_batches, summary_of_moments
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import MixedRows, read_mixed_rows
from tamis.statistics.mutual_information import relate_parts
from tamis.statistics.shared_information import Information
from tamis.statistics.summary import Summary
from tamis.statistics.tiles import ALL, add_arrays, cut_tiles, join_tiles

_STRIP_CELLS = 1 << 20  # of counts on their way from a worker
_FIRST = "first pass"


class ClassParts:
    """Columns of a table in the hands of an engine, and the column of its labels."""

    def __init__(
        self, source: PartedSource, columns: Sequence[int], labels: int, missing: MissingPolicy
    ) -> None:
        self._source, self._columns, self._missing = source, [*columns, labels], missing
        self._names = [source.names[j] for j in columns]

    def read_levels(self, tallied: ClassTally, tally: Tally) -> LevelsRead:
        """Learn values, levels and classes in one pass; count rows and missing values."""
        make = partial(_read_part, names=self._names, missing=self._missing, what=tallied.what)
        found = gather_merged(self._source, self._columns, make, _merge_first)
        if not found:
            raise TamisError(f"{self._source.label} has no rows to work with: give at least 2.")
        levels, counted, classes = found[_FIRST]
        tally.join(counted)
        tally.check_left(self._names, MissingPolicy.filling(takes_text=True))
        tallied.join(classes)
        return levels

    def count_classes(self, coding: Coding, classes: CountedTarget) -> ClassCounts:
        """Count the levels of every column in every class."""
        make = partial(_count_part, coding=coding, classes=classes, missing=self._missing)
        found = gather_merged(self._source, self._columns, make, ClassCounts.merge)
        return ClassCounts.join([found[name] for name in sorted(found, key=int)])

    def summary(self, fill: Floats | None) -> Summary:
        """Find the Gram matrix of numbers, with the means in place of missing ones."""
        work = partial(_sum_part, fill=fill, missing=self._missing)
        sums = self._source.gather(self._columns, work, add_arrays)
        return summary_of_moments(join_tiles(sums, len(self._names), sums[ALL]), True)

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
        self._send: dict[str, Any] = {
            "recoding": recoding,
            "sizes": alone.sizes,
            "n_classes": len(alone.by_class),
            "missing": missing,
        }
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
        make = partial(_tiles_part, tiles=tiles, **self._send)
        found = gather_merged(self._source, self._columns, make, JointCounts.merge)
        classes, numbers = range(len(self._alone.by_class)), range(len(tiles))
        return [[found[f"{own} {number}"] for number in numbers] for own in classes]

    def _count(self, given: Sequence[int], columns: slice) -> dict[int, ClassCounts]:
        make = partial(_beside_part, given=given, columns=columns, **self._send)
        found = gather_merged(self._source, self._columns, make, ClassCounts.merge)
        strips: dict[int, dict[int, ClassCounts]] = {s: {} for s in given}
        for name, strip in found.items():
            s, first = map(int, name.split())
            strips[s][first] = strip
        return {s: ClassCounts.join([own[a] for a in sorted(own)]) for s, own in strips.items()}


def _read_rows(part: Source, missing: MissingPolicy, tally: Tally | None = None) -> Any:
    """Read the columns of a part, of which the last has the labels."""
    width = len(part.names) - 1
    tally = PartTally(width) if tally is None else tally
    rows: Iterator[MixedRows] = read_mixed_rows(part, range(width), missing, tally, width)
    return rows


def _read_part(
    part: Source, *, names: Sequence[str], missing: MissingPolicy, what: str
) -> dict[str, Any]:
    tally, levels, classes = PartTally(len(names)), LevelsRead(names, missing), ClassTally(what)
    for rows in _read_rows(part, missing, tally):
        classes.add(rows.labels)
        levels.add(rows)
    return {_FIRST: (levels, tally, classes)} if tally.rows else {}


def _merge_first(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    for mine, other in zip(a, b, strict=True):
        mine.join(other)
    return a


def _count_part(
    part: Source, *, coding: Coding, classes: CountedTarget, missing: MissingPolicy
) -> dict[str, ClassCounts]:
    n_classes = len(classes.names)
    empty = np.zeros((0, len(coding.sizes)), dtype=coding.dtype)
    found = ClassCounts.from_batch(empty, np.zeros(0, np.intp), coding.sizes, n_classes)
    for rows in _read_rows(part, missing):
        codes = classes.codes(rows.labels)
        found = found.merge(
            ClassCounts.from_batch(coding.encode(rows), codes, coding.sizes, n_classes)
        )
    return {str(first): strip for first, strip in _cut_strips(found)}


def _cut_strips(counts: ClassCounts) -> Iterator[tuple[int, ClassCounts]]:
    """Cut counts into some columns each, with the place of the first."""
    width = max(_STRIP_CELLS // (int(counts.sizes.max()) * counts.table.shape[1]), 1)
    for first in range(0, counts.count, width):
        yield first, counts.take(np.arange(first, min(first + width, counts.count)))


def _beside_part(
    part: Source,
    *,
    given: Sequence[int],
    columns: slice,
    n_classes: int,
    sizes: Indices,
    recoding: Recoding,
    missing: MissingPolicy,
) -> dict[str, ClassCounts]:
    nothing = np.zeros((0, len(sizes)), np.uint8), np.zeros(0, np.intp)
    found = {s: count_beside(nothing, sizes, n_classes, s, columns) for s in given}
    for batch in recoding.encode(_read_rows(part, missing)):
        for s, own in found.items():
            found[s] = own.merge(count_beside(batch, sizes, n_classes, s, columns))
    return {f"{s} {a}": strip for s, own in found.items() for a, strip in _cut_strips(own)}


def _tiles_part(
    part: Source,
    *,
    tiles: Sequence[Tile],
    n_classes: int,
    sizes: Indices,
    recoding: Recoding,
    missing: MissingPolicy,
) -> dict[str, JointCounts]:
    nothing = np.zeros((0, len(sizes)), np.uint8)
    found = [count_tiles([nothing], tiles) for _ in range(n_classes)]
    for codes, classes in recoding.encode(_read_rows(part, missing)):
        for own in range(n_classes):
            fresh = count_tiles([codes[classes == own]], tiles)
            found[own] = [a.merge(b) for a, b in zip(found[own], fresh, strict=True)]
    return {f"{own} {i}": tile for own, some in enumerate(found) for i, tile in enumerate(some)}


def _sum_part(
    number: int,  # noqa: ARG001
    part: Source,
    *,
    fill: Floats | None,
    missing: MissingPolicy,
) -> dict[str, Arrays]:
    numbers = (rows.numbers for rows in _read_rows(part, missing))
    if fill is not None:
        numbers = (np.where(np.isnan(values), fill, values) for values in numbers)
    return cut_tiles(merge_batches(numbers, len(part.names) - 1))
