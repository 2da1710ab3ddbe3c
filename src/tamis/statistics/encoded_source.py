"""A table read as the numbers of its encoding."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.sources.wrapping import WrappingSource
from tamis.statistics.encoding import Encoding
from tamis.statistics.mixed import MixedRows, read_mixed_rows
from tamis.statistics.row_hash import Hashes, row_hashes
from tamis.statistics.row_patterns import HeavyRows
from tamis.statistics.summary import Clipped


class EncodedSource(WrappingSource):
    """A table read as the numbers of its encoding; `seen` is what the last pass that ended saw.

    The hash of a row with text is that of the row as it was: how levels are pooled is not in it.
    """

    def __init__(
        self,
        inner: Source,
        columns: Sequence[int],
        encoding: Encoding,
        *,
        weighs_rows: bool = False,
        hashes: Sequence[Hashes] = (),
    ) -> None:
        self._inner, self._columns, self._encoding = inner, list(columns), encoding
        self._weighs_rows = weighs_rows
        self.seen = EncodedPass(encoding)
        names = encoding.encoded_names
        self.info = inner.info.as_numbers(names, inner.info.n_rows)
        # Those of the first pass are of the values as they are, by name. Columns without one are
        # called by their places, which others have once some columns are left out.
        same = self.named or names == tuple(f"x{j}" for j in range(len(names)))
        usable = bool(hashes) and same and encoding.is_plain
        self._hashes = np.concatenate(hashes) if usable else None

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns."""
        every = list(columns) == list(range(len(self.names)))
        for rows in self._read():
            encoded = self._encoding.encode(rows)
            yield encoded if every else encoded[:, list(columns)]

    def hashed_batches(self, columns: Sequence[int]) -> Iterator[tuple[Any, Any]]:
        """Yield the numbers of these columns, with a hash of each row if these are all."""
        if list(columns) != list(range(len(self.names))):
            yield from super().hashed_batches(columns)
            return
        read = 0
        for rows in self._read():
            encoded, before, read = self._encoding.encode(rows), read, read + len(rows)
            if rows.texts:
                yield encoded, rows.hashes(self._encoding.names)
            elif self._hashes is not None and read <= len(self._hashes):
                yield encoded, self._hashes[before:read]
            else:
                yield encoded, row_hashes(encoded, self._own_names)

    @property
    def _own_names(self) -> tuple[str, ...] | None:
        return self.names if self.named else None

    def _read(self) -> Iterator[MixedRows]:
        """Read rows, and note what is seen in them."""
        seen = EncodedPass(self._encoding, weighs_rows=self._weighs_rows)
        for rows in read_mixed_rows(self._inner, self._columns, MissingPolicy.ERROR):
            seen.add(rows)
            yield rows
        self.seen, self.counts = seen, seen.clipped

    def needed_columns(self, columns: Sequence[int]) -> list[int]:
        """Give all columns that were read to learn the encoding."""
        del columns  # rows are encoded as a whole
        return list(self._columns)

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the columns of the table that these stand for."""
        owner = self._encoding.used[self._encoding.groups.owner[list(columns)]]
        return self._inner.pick([self._columns[j] for j in dict.fromkeys(owner.tolist())])

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns as Arrow tables."""
        del mark_missing  # numbers have no text for a missing value
        names = [self.names[j] for j in columns]
        for batch in self.batches(columns):
            yield pa.table(dict(zip(names, map(pa.array, batch.T), strict=True)))


# What one pass over an encoded table sees: extreme values, heavy rows, and the rows as they are.
#
# Passes may overlap: one that fills missing values begins within another. So each counts for
# itself.
MAX_HELD_CELLS = 200_000  # of a table that is also judged with its extreme values as they are


class EncodedPass:
    """Extreme values by column and their rows, rows that carry most, and those of a small table.

    `weighs_rows` says whether the rows that carry most are looked for.
    """

    def __init__(self, encoding: Encoding, *, weighs_rows: bool = False) -> None:
        self._encoding, self._as_is = encoding, replace(encoding, limits={})
        spread = encoding.spread if weighs_rows else None
        self.heavy = None if spread is None else HeavyRows(*spread)
        self._values: NDArray[np.intp] = np.zeros(len(encoding.names), dtype=np.intp)
        self._rows = 0
        self._held: list[Floats] | None = [] if encoding.limits else None
        self._cells = 0

    def add(self, rows: MixedRows) -> None:
        """Take in some rows."""
        if self.heavy is not None:
            self.heavy.add(rows.numbers)
        if not self._encoding.limits:
            return
        outside = self._encoding.outside(rows)
        self._values += outside.sum(axis=0)
        self._rows += int(outside.any(axis=1).sum())
        self._cells += len(rows) * len(self._encoding.names)
        if self._held is not None and self._cells <= MAX_HELD_CELLS:
            self._held.append(self._as_is.encode(rows))
        else:
            self._held = None

    @property
    def clipped(self) -> Clipped:
        """The extreme values that were drawn in."""
        return Clipped(
            {int(j): int(self._values[j]) for j in np.flatnonzero(self._values)}, self._rows
        )

    @property
    def rows_as_they_are(self) -> Floats | None:
        """The encoded rows with their extreme values, None where these are too many."""
        return np.concatenate(self._held) if self._held else None
