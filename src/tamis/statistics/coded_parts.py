"""Codes counted where the parts of a table are: levels, bins and joint counts, by tiles.

Bins come from a sketch of quantiles that merges; of tables longer than it holds, quantiles are as
near as where one is read in batches, and may differ from those in the last digits of a rank.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.read import Accumulator, read
from tamis.sources.source import PartedSource, Source
from tamis.statistics.classes import ClassTally
from tamis.statistics.coding import Coding, LevelsRead
from tamis.statistics.joint_counts import JointCounts, Tile
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import MixedRows, clean_mixed, read_raw_rows


class CodedParts:
    """Columns of a table in the hands of an engine, read as codes where its parts are.

    With `labels`, the position of their column, rows without one are dropped where rows are.
    """

    def __init__(
        self,
        source: PartedSource,
        columns: Sequence[int],
        missing: MissingPolicy,
        labels: int | None = None,
    ) -> None:
        self._source, self._missing = source, missing
        self._columns = [*columns, *([] if labels is None else [labels])]
        self._labelled = labels is not None

    def read_levels(self, tally: Tally) -> LevelsRead:
        """Learn values and levels in one pass; count rows and missing values."""
        return read_first(self._source, self._columns, self._missing, tally)

    def count_levels(self, coding: Coding) -> list[NDArray[np.intp]]:
        """Count the rows of every level of every column."""
        counts: list[NDArray[np.intp]] = self._read(coding, LevelCounts(coding.sizes)).counts
        return counts

    def count_pairs(
        self, coding: Coding, chosen: Indices, tiles: Sequence[Tile]
    ) -> list[JointCounts]:
        """Count the levels of pairs of chosen columns, tile by tile, in one pass."""
        found: list[JointCounts] = self._read(coding, TileCounts(tiles, chosen)).counts
        return found

    def _read(self, coding: Coding, counts: Accumulator) -> Any:
        codes = partial(_read_codes, coding=coding, missing=self._missing, labelled=self._labelled)
        return read(self._source, self._columns, counts, rows=codes)[0]


def read_first(
    source: PartedSource,
    columns: Sequence[int],
    missing: MissingPolicy,
    tally: Tally,
    classes: ClassTally | None = None,
) -> LevelsRead:
    """Learn values, levels and classes, of labels in the last column, in one pass."""
    names = [source.names[j] for j in columns]
    names = names if classes is None else names[:-1]
    first = FirstPass(names, missing, classes)
    rows = partial(read_part_rows, labelled=classes is not None)
    (found,) = read(source, columns, first, rows=rows)
    if not found.tally.rows:
        raise TamisError(f"{source.label} has no rows to work with: give at least 2.")
    tally.merge(found.tally)
    tally.check_left(names, MissingPolicy.filling(takes_text=True))
    if classes is not None:
        classes.merge(found.classes)
    levels: LevelsRead = found.levels
    return levels


class FirstPass(Accumulator):
    """Levels, missing values and classes, of rows as they are."""

    def __init__(
        self, names: Sequence[str], missing: MissingPolicy, classes: ClassTally | None
    ) -> None:
        self._missing, self.classes = missing, classes
        self.levels, self.tally = LevelsRead(names, missing), Tally(len(names))

    def add(self, rows: MixedRows) -> None:
        """Take in some rows."""
        kept = clean_mixed(rows, self._missing, self.tally)
        if self.classes is not None and kept.labels is not None:
            self.classes.add(kept.labels)
        self.levels.add(kept)

    def merge(self, other: "FirstPass") -> "FirstPass":
        """Take in what was found in other rows."""
        self.levels.merge(other.levels)
        self.tally.merge(other.tally)
        if self.classes is not None and other.classes is not None:
            self.classes.merge(other.classes)
        return self


class LevelCounts(Accumulator):
    """The rows of every level of every column."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.counts = [np.zeros(size, dtype=np.intp) for size in sizes]

    def add(self, rows: Any) -> None:
        """Count the codes of some rows."""
        for j, counts in enumerate(self.counts):
            counts += np.bincount(rows[:, j], minlength=len(counts))

    def merge(self, other: "LevelCounts") -> "LevelCounts":
        """Add those of other rows."""
        for counts, more in zip(self.counts, other.counts, strict=True):
            counts += more
        return self


class TileCounts(Accumulator):
    """The pairs of levels of every tile, of some columns."""

    def __init__(self, tiles: Sequence[Tile], chosen: Indices) -> None:
        self._tiles, self._chosen = tiles, chosen
        self.counts: list[JointCounts] = []

    def add(self, rows: Any) -> None:
        """Count the codes of some rows."""
        codes = rows[:, self._chosen]
        fresh = [JointCounts.from_batch(codes, *tile) for tile in self._tiles]
        self.counts = (
            [a.merge(b) for a, b in zip(self.counts, fresh, strict=True)] if self.counts else fresh
        )

    def split(self) -> dict[Any, Any]:
        """Give each tile by itself."""
        return dict(enumerate(self.counts))

    def join(self, values: Mapping[Any, Any]) -> Self:
        """Put the tiles in order."""
        self.counts = [values[i] for i in range(len(values))]
        return self


def read_part_rows(
    part: Source, columns: Sequence[int], *, labelled: bool = False
) -> Iterator[MixedRows]:
    """Read rows as they are; with labels in the last column if they are `labelled`."""
    width = len(columns) - labelled
    return read_raw_rows(part, columns[:width], columns[width] if labelled else None)


def read_part(
    part: Source, columns: Sequence[int], missing: MissingPolicy, *, labelled: bool
) -> Iterator[MixedRows]:
    """Do so, without those that are dropped."""
    tally = Tally(len(columns) - labelled)
    for rows in read_part_rows(part, columns, labelled=labelled):
        yield clean_mixed(rows, missing, tally)


def _read_codes(
    part: Source,
    columns: Sequence[int],
    *,
    coding: Coding,
    missing: MissingPolicy,
    labelled: bool,
) -> Iterator[Any]:
    return map(coding.encode, read_part(part, columns, missing, labelled=labelled))
