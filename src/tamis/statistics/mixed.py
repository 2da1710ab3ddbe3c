"""Batches of a table with numbers and categories side by side, and their missing values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.sources.source import Source, batch_rows
from tamis.statistics.missing import Tally, finite


@dataclass(frozen=True, eq=False)
class MixedRows:
    """Some rows: `numbers` (NaN where missing) of the numeric columns, Arrow arrays of the others.

    `numeric` and `categorical` are the positions of these columns among those read.
    """

    numeric: tuple[int, ...]
    numbers: Floats
    categorical: tuple[int, ...]
    texts: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.numbers)

    def missing(self) -> NDArray[np.intp]:
        """Count the missing values of every column."""
        counts = np.zeros(len(self.numeric) + len(self.categorical), dtype=np.intp)
        counts[list(self.numeric)] = np.isnan(self.numbers).sum(axis=0)
        for j, text in zip(self.categorical, self.texts, strict=True):
            counts[j] = text.null_count
        return counts

    def finite(self) -> "MixedRows":
        """Mark infinite numbers as missing."""
        return replace(self, numbers=finite(self.numbers))

    def complete(self) -> "MixedRows":
        """Drop the rows with missing values."""
        good = ~np.isnan(self.numbers).any(axis=1)
        for text in self.texts:
            if text.null_count:
                good &= np.asarray(pc.is_valid(text))
        if good.all():
            return self
        mask = pa.array(good)
        texts = tuple(text.filter(mask) for text in self.texts)
        return MixedRows(self.numeric, self.numbers[good], self.categorical, texts)


def mixed_rows(
    source: Source, columns: Sequence[int], missing: str, tally: Tally | None = None
) -> Iterator[MixedRows]:
    """Read these columns in batches; rows with missing values are dropped if `missing="drop"`.

    A `tally` counts them, unless they are refused later.
    """
    kinds = [source.kinds[j] for j in columns]
    texts = tuple(i for i, kind in enumerate(kinds) if kind == "categorical")
    numbers = tuple(i for i, kind in enumerate(kinds) if kind != "categorical")
    read = _mixed if texts else _plain
    batches = track("rows read", read(source, columns, numbers, texts), source.n_rows, size=len)
    tally = Tally(len(columns)) if tally is None else tally
    for rows in map(MixedRows.finite, batches) if missing == "auto" else batches:
        kept = rows.complete() if missing == "drop" else rows
        tally.add(len(rows), len(kept), None if missing == "error" else rows.missing())
        yield kept
    tally.check_left([source.names[j] for j in columns], "category")


def _plain(
    source: Source, columns: Sequence[int], numeric: tuple[int, ...], texts: tuple[int, ...]
) -> Iterator[MixedRows]:
    step = batch_rows(len(columns))
    for batch in source.batches(columns):
        for start in range(0, batch.shape[0], step):
            part = batch[start : start + step]
            dense = part if isinstance(part, np.ndarray) else part.toarray()
            yield MixedRows(numeric, dense.astype(np.float64, copy=False), texts, ())


def _mixed(
    source: Source, columns: Sequence[int], numeric: tuple[int, ...], texts: tuple[int, ...]
) -> Iterator[MixedRows]:
    from tamis.sources.files import as_floats

    step = batch_rows(len(columns))
    for table in source.tables(columns, mark_missing=True):
        for batch in table.combine_chunks().to_batches(max_chunksize=step):
            if batch.num_rows:
                numbers = as_floats(batch.select(list(numeric)))
                found = tuple(_as_values(batch.column(i)) for i in texts)
                yield MixedRows(numeric, numbers, texts, found)


def _as_values(column: Any) -> Any:
    """Give text as plain text, and categories of any kind by their names."""
    if pa.types.is_dictionary(column.type):
        names = [None if name is None else str(name) for name in column.dictionary.to_pylist()]
        return pa.array(names, pa.string()).take(column.indices)
    return column.cast(pa.string()) if pa.types.is_string_view(column.type) else column
