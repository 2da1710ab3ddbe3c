"""A summary of a table as plain arrays: what a summary file holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.numerics.types import Floats
from tamis.sources.info import Kind
from tamis.sources.stored_levels import StoredCategory, list_table_names

__all__ = ["MomentArrays", "StoredSummary", "mark_empty"]


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
