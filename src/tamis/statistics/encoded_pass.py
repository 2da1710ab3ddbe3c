"""What one pass over an encoded table meets: extreme values, heavy rows, and the rows as they are.

Passes may overlap: one that fills missing values begins within another. So each counts for itself.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tamis.numerics.types import Floats
from tamis.statistics.encoding import Encoding
from tamis.statistics.heavy_rows import HeavyRows
from tamis.statistics.mixed import MixedRows

MAX_HELD_CELLS = 200_000  # of a table that is also judged with its extreme values as they are


class EncodedPass:
    """Extreme values by column and their rows, rows that carry most, and those of a small table.

    `weighs_rows` says whether the rows that carry most are looked for.
    """

    def __init__(self, encoding: Encoding, *, weighs_rows: bool = False) -> None:
        self._encoding, self._as_is = encoding, replace(encoding, limits={})
        spread = encoding.spread if weighs_rows else None
        self.heavy = None if spread is None else HeavyRows(*spread)
        self.clipped: NDArray[np.intp] = np.zeros(len(encoding.names), dtype=np.intp)
        self.clipped_rows = 0
        self._held: list[Floats] | None = [] if encoding.limits else None
        self._cells = 0

    def add(self, rows: MixedRows) -> None:
        """Take in some rows."""
        if self.heavy is not None:
            self.heavy.add(rows.numbers)
        if not self._encoding.limits:
            return
        outside = self._encoding.outside(rows)
        self.clipped += outside.sum(axis=0)
        self.clipped_rows += int(outside.any(axis=1).sum())
        self._cells += len(rows) * len(self._encoding.names)
        if self._held is not None and self._cells <= MAX_HELD_CELLS:
            self._held.append(self._as_is.encode(rows))
        else:
            self._held = None

    @property
    def rows_as_they_are(self) -> Floats | None:
        """The encoded rows with their extreme values, None where these are too many."""
        return np.concatenate(self._held) if self._held else None
