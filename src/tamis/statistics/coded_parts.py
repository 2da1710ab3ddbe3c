"""Codes counted where the parts of a table are: levels, bins and joint counts, by tiles.

Bins come from a sketch of quantiles that merges; of tables longer than it holds, quantiles are as
near as where one is read in batches, and may differ from those in the last digits of a rank.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.parted import gather_merged
from tamis.sources.source import PartedSource, Source
from tamis.statistics.coding import Coding, LevelsRead
from tamis.statistics.joint_counts import JointCounts, Tile, count_tiles, level_counts
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import read_mixed_rows

_LEVELS, _COUNTED = "levels", "counted"


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
        names = [self._source.names[j] for j in self._columns]
        make = partial(_read_part, names=names, missing=self._missing)
        found = gather_merged(self._source, self._columns, make, _merge_levels)
        if not found:
            raise TamisError(f"{self._source.label} has no rows to work with: give at least 2.")
        levels, counted = found[_LEVELS]
        tally.join(counted)
        tally.check_left(names, MissingPolicy.filling(takes_text=True))
        return levels

    def count_levels(self, coding: Coding) -> list[NDArray[np.intp]]:
        """Count the rows of every level of every column."""
        make = partial(_count_part, coding=coding, missing=self._missing, labelled=self._labelled)
        found: list[NDArray[np.intp]] = gather_merged(
            self._source, self._columns, make, _add_counts
        )[_COUNTED]
        return found

    def count_pairs(
        self, coding: Coding, chosen: Indices, tiles: Sequence[Tile]
    ) -> list[JointCounts]:
        """Count the levels of pairs of chosen columns, tile by tile, in one pass."""
        make = partial(
            _pair_part,
            coding=coding,
            missing=self._missing,
            chosen=chosen,
            tiles=tiles,
            labelled=self._labelled,
        )
        found = gather_merged(self._source, self._columns, make, JointCounts.merge)
        return [found[str(number)] for number in range(len(tiles))]


class PartTally(Tally):
    """The tally of a part, of which every row may be dropped."""

    def check_left(self, names: Sequence[str], fill: MissingPolicy) -> None:
        """Refuse nothing: other parts may have rows that are left."""


def _read_part(
    part: Source, *, names: Sequence[str], missing: MissingPolicy
) -> dict[str, tuple[LevelsRead, Tally]]:
    tally, levels = PartTally(len(names)), LevelsRead(names, missing)
    for rows in read_mixed_rows(part, range(len(names)), missing, tally):
        levels.add(rows)
    return {_LEVELS: (levels, tally)} if tally.rows else {}


def _merge_levels(
    a: tuple[LevelsRead, Tally], b: tuple[LevelsRead, Tally]
) -> tuple[LevelsRead, Tally]:
    a[0].join(b[0])
    a[1].join(b[1])
    return a


def _read_codes(
    part: Source, coding: Coding, missing: MissingPolicy, *, labelled: bool = False
) -> Iterator[Any]:
    columns = range(len(part.names) - labelled)
    labels = len(columns) if labelled else None
    rows = read_mixed_rows(part, columns, missing, PartTally(len(columns)), labels)
    return map(coding.encode, rows)


def _count_part(
    part: Source, *, coding: Coding, missing: MissingPolicy, labelled: bool
) -> dict[str, Any]:
    codes = _read_codes(part, coding, missing, labelled=labelled)
    return {_COUNTED: level_counts(codes, coding.sizes)}


def _add_counts(a: list[Any], b: list[Any]) -> list[Any]:
    return [mine + other for mine, other in zip(a, b, strict=True)]


def _pair_part(
    part: Source,
    *,
    coding: Coding,
    missing: MissingPolicy,
    chosen: Indices,
    tiles: Sequence[Tile],
    labelled: bool,
) -> dict[str, JointCounts]:
    read = _read_codes(part, coding, missing, labelled=labelled)
    codes = (batch[:, chosen] for batch in read)
    return {str(number): one for number, one in enumerate(count_tiles(codes, tiles))}
