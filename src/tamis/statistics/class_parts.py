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
from tamis.statistics.class_counts import ClassCounts
from tamis.statistics.classes import Classes, ClassTally
from tamis.statistics.coded_parts import CodedParts, PartTally
from tamis.statistics.coding import Coding, LevelsRead
from tamis.statistics.linear import TableSummary, merge_batches, summary_of_moments
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import MixedRows, read_mixed_rows
from tamis.statistics.mutual_information import relate_parts
from tamis.statistics.shared_information import Information
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

    def count_classes(self, coding: Coding, classes: Classes) -> ClassCounts:
        """Count the levels of every column in every class."""
        make = partial(_count_part, coding=coding, classes=classes, missing=self._missing)
        found = gather_merged(self._source, self._columns, make, ClassCounts.merge)
        return ClassCounts.join([found[name] for name in sorted(found, key=int)])

    def summary(self, fill: Floats | None) -> TableSummary:
        """Find the Gram matrix of numbers, with the means in place of missing ones."""
        work = partial(_sum_part, fill=fill, missing=self._missing)
        sums = self._source.gather(self._columns, work, add_arrays)
        return summary_of_moments(join_tiles(sums, len(self._names), sums[ALL]), True)

    def relate(self, coding: Coding, columns: Indices) -> Information:
        """Relate these columns with each other."""
        parts = CodedParts(self._source, self._columns[:-1], self._missing, self._columns[-1])
        return relate_parts(parts, coding, columns, parts.count_levels(coding))


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
    part: Source, *, coding: Coding, classes: Classes, missing: MissingPolicy
) -> dict[str, ClassCounts]:
    n_classes = len(classes.names)
    empty = np.zeros((0, len(coding.sizes)), dtype=coding.dtype)
    found = ClassCounts.from_batch(empty, np.zeros(0, np.intp), coding.sizes, n_classes)
    for rows in _read_rows(part, missing):
        codes = classes.codes(rows.labels)
        found = found.merge(
            ClassCounts.from_batch(coding.encode(rows), codes, coding.sizes, n_classes)
        )
    width = max(_STRIP_CELLS // (max(coding.sizes) * n_classes), 1)
    cuts = range(0, found.count, width)
    return {str(a): found.take(np.arange(a, min(a + width, found.count))) for a in cuts}


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
