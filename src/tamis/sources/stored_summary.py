"""A summary of a table as plain arrays: what a summary file holds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.numerics.types import Floats
from tamis.rules.kinds import Kind
from tamis.values import dataclass

TILE = 1024  # columns of a tile of a scatter matrix
MOST_COLUMNS = 20_000  # their scatter matrix takes 3.2 GB

# Columns of text in a summary: a column of 0 and 1 for every level, by which summaries merge.
#
# Which levels are rare is decided once all rows are known: to pool levels is to add their columns.
OTHER_LEVEL = "(other)"


@dataclass(frozen=True)
class StoredCategory:
    """The levels of a column of text that have a column of their own, and the rows of each.

    `others` rows have another level, by a column for all of these (`has_other`); missing values are
    0 in all columns.
    """

    name: str
    levels: tuple[str, ...]
    counts: tuple[int, ...]
    others: int = 0
    has_other: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that stand for it, in their order."""
        every = (*self.levels, *[OTHER_LEVEL] * self.has_other)
        return tuple(f"{self.name}={level}" for level in every)


def list_table_names(
    names: Sequence[str], categories: Sequence[StoredCategory]
) -> dict[str, tuple[int, ...]]:
    """Give the columns of the table, each with the positions of those that stand for it.

    >>> colour = StoredCategory("colour", ("blue", "red"), (3, 4))
    >>> list_table_names(["a", "colour=blue", "colour=red", "b"], [colour])
    {'a': (0,), 'colour': (1, 2), 'b': (3,)}
    """
    owner = {column: one.name for one in categories for column in one.columns}
    found: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        found.setdefault(owner.get(name, name), []).append(place)
    return {name: tuple(places) for name, places in found.items()}


def tile_slices(width: int) -> Iterator[tuple[int, int, slice, slice]]:
    """Give number and extent of every tile of the upper triangle of a square matrix."""
    cuts = [slice(start, min(start + TILE, width)) for start in range(0, width, TILE)]
    for i, rows in enumerate(cuts):
        for j, columns in enumerate(cuts[i:], start=i):
            yield i, j, rows, columns


@dataclass(frozen=True, eq=False)
class MomentArrays:
    """The moments of some rows as plain arrays."""

    count: int
    mean: Floats
    scatter: Floats
    rest: Floats
    unit: Floats


@dataclass(frozen=True, eq=False)
class StoredSummary:
    """What a summary file holds.

    `blocks` are the moments of one or more blocks of rows; `rows` were read, and `absent` are the
    missing values by column in them; `missing` is what was done about these in the `parts` tables
    that went into it. `place` is where a pass over a table stopped, for the file of a checkpoint;
    `inputs` are the hashes of the files that were read, and `least` is how few rows it may show.
    Columns of text (`categories`) have a column among `names` for every level; `refused` are those
    that were found unfit, each with the reason, and are in no file. `keys` are columns that number
    the rows, in every table that went into it: they are not analysed unasked.
    """

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    named: bool
    rows: int
    absent: NDArray[np.int64]
    missing: tuple[str, ...]
    blocks: tuple[MomentArrays, ...]
    parts: int = 1
    place: dict[str, Any] | None = field(default=None)
    inputs: tuple[str, ...] = ()
    least: int = 1
    categories: tuple[StoredCategory, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    keys: tuple[str, ...] = ()

    @property
    def table(self) -> dict[str, tuple[int, ...]]:
        """The columns of the table, each with the positions of those that stand for it."""
        return list_table_names(self.names, self.categories)

    @property
    def used(self) -> int:
        """Number of rows that count."""
        return sum(block.count for block in self.blocks)


def mark_empty(stored: StoredSummary) -> NDArray[np.bool_]:
    """Mark the columns of which every value is missing."""
    levels = {column for one in stored.categories for column in one.columns}
    numbers = np.array([name not in levels for name in stored.names], dtype=bool)
    return np.asarray((stored.absent == stored.rows) & (stored.rows > 0) & numbers)
