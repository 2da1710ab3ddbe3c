"""Tables read through Arrow in bounded memory, and Arrow arrays made without pandas.

A dictionary, a view or a packed buffer may stand for a thousand times its own size: a small file
can ask for more memory than the machine has, so what columns take once they are written out is
found out before they are. `pa.array` and `pa.scalar` load pandas wherever it is installed, which
takes half a second.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tamis.memory import batch_bytes, batch_rows, check_size
from tamis.numerics.row_chunks import row_blocks
from tamis.progress import Meter
from tamis.rules.kinds import Kind
from tamis.sources.files import (
    FileState,
    check_unchanged,
    explain_unreadable,
    look_at_file,
    read_ahead,
)
from tamis.sources.source import JoinableSource, SourceInfo, Unread


def as_arrow(values: NDArray[Any]) -> Any:
    """Give numbers to Arrow as they lie in memory.

    >>> as_arrow(np.array([1.5, 2.0])).to_pylist()
    [1.5, 2.0]
    """
    kind, buffer = pa.from_numpy_dtype(values.dtype), pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(kind, len(values), [None, buffer])


def as_texts(texts: Sequence[str]) -> Any:
    """Give texts to Arrow.

    >>> as_texts(["", "é", "b"]).to_pylist()
    ['', 'é', 'b']
    """
    coded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, coded)], dtype=np.int64)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(coded))]
    return pa.Array.from_buffers(pa.large_string(), len(coded), buffers).cast(pa.string())


NO_NUMBER = as_arrow(np.array([np.nan]))[0]


# Gives record batches of these columns, in this order, at most about so many rows at a time.
Read = Callable[[Sequence[int], int], Iterable[pa.RecordBatch]]


class ArrowSource(JoinableSource):
    """A table read through Arrow: `read` gives its batches, or a subclass says how they are made.

    Of a file, which stays what it was, `unread` are the damaged units to do without.
    """

    read_anew = True

    def __init__(
        self,
        label: str,
        schema: pa.Schema,
        read: Read | None = None,
        *,
        path: Path | None = None,
        unread: Unread | None = None,
    ) -> None:
        kinds = tuple(kind_of(field.type) for field in schema)
        self.info = SourceInfo(names=tuple(schema.names), kinds=kinds, label=label)
        self._types, self._read, self._unread = tuple(schema.types), read, unread or {}
        self._place: Path | str = label if path is None else path  # for messages
        self._file: tuple[Path, FileState] | None = None
        if path is not None:
            self._file = path, look_at_file(path)
            self.info = replace(self.info, files=(path,), meter=Meter(self._file[1][1]))

    def _units(
        self, columns: Sequence[int], rows: int
    ) -> Iterator[tuple[str, Iterable[pa.RecordBatch]]]:
        """Yield the parts of the table that can be damaged alone, each with its name."""
        assert self._read is not None, "a subclass without `read` has units"
        yield "", self._read(columns, rows)

    def _check_batches(self, columns: Sequence[int]) -> Iterator[pa.RecordBatch]:
        """Yield batches in which every position and every letter is valid: Arrow trusts them."""
        with explain_unreadable(self._place):
            self._check_unchanged()
            self._count(0)
            for unit, batches in self._units(columns, batch_rows(len(columns))):
                with explain_unreadable(self._place, unit):
                    for batch in batches:
                        batch.validate(full=True)
                        # A promise of no missing values may be false, and no writer takes that.
                        fields = [field.with_nullable(True) for field in batch.schema]
                        schema = pa.schema(fields, batch.schema.metadata)
                        sound = pa.RecordBatch.from_arrays(batch.columns, schema=schema)
                        yield from in_pieces(sound, batch_bytes(), self.label)
            self._check_unchanged()

    def _check_unchanged(self) -> None:
        if self._file is not None:
            check_unchanged(*self._file)

    def _count(self, share: float) -> None:
        """Note which share of the bytes has been read."""
        if self.meter is not None:
            self.meter.done = int(min(share, 1.0) * self.meter.total)

    def _skips(self, unit: str) -> bool:
        return (str(self._place), unit) in self._unread

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, some rows at a time, read ahead."""
        return read_ahead(lambda: self._numbers(columns))

    def _numbers(self, columns: Sequence[int]) -> Iterator[Any]:
        with explain_unreadable(self._place):
            for group in _gather_batches(self._check_batches(columns), batch_rows(len(columns))):
                yield as_floats(*group)

    def types(self, columns: Sequence[int], *, mark_missing: bool = False) -> list[pa.DataType]:  # noqa: ARG002
        """Give the types in which `tables` yields these columns."""
        return [self._types[j] for j in columns]

    def tables(
        self,
        columns: Sequence[int],
        *,
        mark_missing: bool = False,
        types: Sequence[pa.DataType] | None = None,
    ) -> Iterator[pa.Table]:
        """Yield these columns of any kind as Arrow tables, missing values as nulls, read ahead.

        `types` are those wanted, where other files have others.
        """
        wanted = self.types(columns, mark_missing=mark_missing) if types is None else list(types)
        return read_ahead(lambda: self._tables(columns, wanted, mark_missing))

    def _tables(
        self,
        columns: Sequence[int],
        types: list[pa.DataType],
        mark_missing: bool,  # noqa: ARG002
    ) -> Iterator[pa.Table]:
        with explain_unreadable(self._place):
            for batch in self._check_batches(columns):
                table = pa.Table.from_batches([batch])
                fields = zip(table.schema, types, strict=True)
                yield table.cast(
                    pa.schema([f.with_type(t) for f, t in fields], table.schema.metadata)
                )

    def head(self, columns: Sequence[int], rows: int) -> Any:
        """Give some of the first rows; none are read ahead of what will not be asked for."""
        types = self.types(columns, mark_missing=True)
        first = next(self._tables(columns, types, mark_missing=True), None)
        return None if first is None else first.slice(0, rows)


def _gather_batches(batches: Iterator[pa.RecordBatch], rows: int) -> Iterator[list[pa.RecordBatch]]:
    """Put small batches together as long as they have no more than so many rows."""
    group: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        if group and count + batch.num_rows > rows:
            yield group
            group, count = [], 0
        if batch.num_rows:
            group.append(batch)
            count += batch.num_rows
    if group:
        yield group


def without_index(schema: pa.Schema) -> pa.Schema:
    """Drop the nameless index that pandas writes beside the columns."""
    return pa.schema([field for field in schema if not field.name.startswith("__index_level_")])


def kind_of(dtype: pa.DataType) -> Kind:
    """Give the kind of a column: numeric, boolean, categorical, other, or empty."""
    types = pa.types
    if types.is_null(dtype):
        return "empty"
    if types.is_boolean(dtype):
        return "boolean"
    if types.is_integer(dtype) or types.is_floating(dtype) or types.is_decimal(dtype):
        return "numeric"
    text = types.is_string(dtype) or types.is_large_string(dtype) or types.is_string_view(dtype)
    return "categorical" if text or types.is_dictionary(dtype) else "other"


def as_floats(
    *batches: pa.RecordBatch, in_rows: bool = False
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Copy the columns of batches into one array, missing values as NaN.

    It is in Fortran order, in which a column is copied as it is, without a transposition, or with
    every row in one piece of memory (`in_rows`).
    """
    rows, width = sum(batch.num_rows for batch in batches), batches[0].num_columns
    out = np.empty((rows, width), order="C" if in_rows else "F")
    start = 0
    for batch in batches:
        columns = [_column_floats(column) for column in batch.columns]
        whole = [slice(0, batch.num_rows)]
        for part in row_blocks(batch.num_rows, width) if in_rows else whole:
            place = out[start + part.start : start + part.stop]
            for j, column in enumerate(columns):
                place[:, j] = column[part]
        start += batch.num_rows
    return out


def _column_floats(column: Any) -> Any:
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    same = pa.types.is_float64(column.type)  # a cast would copy even then
    floats = column if same else column.cast(pa.float64(), safe=False)
    if floats.null_count:
        floats = floats.fill_null(NO_NUMBER)
    # `to_numpy` would load pandas where there is one, for half a second.
    return np.from_dlpack(floats)


def is_text(dtype: pa.DataType) -> bool:
    """Whether values are text or bytes of any length."""
    types = pa.types
    return bool(
        types.is_string(dtype)
        or types.is_large_string(dtype)
        or types.is_string_view(dtype)
        or types.is_binary(dtype)
        or types.is_large_binary(dtype)
        or types.is_binary_view(dtype)
    )


def in_pieces(batch: pa.RecordBatch, room: int, label: str) -> Iterator[pa.RecordBatch]:
    """Cut a sound batch so that no piece has texts of more than `room` bytes once written out.

    A single row that takes more than the memory budget is refused.
    """
    sizes = _row_bytes(batch, room)
    if sizes is None:
        yield batch
        return
    ends = np.cumsum(sizes)
    start = 0
    while start < batch.num_rows:
        before = int(ends[start - 1]) if start else 0
        check_size(int(sizes[start]), f"Row {start + 1} of a part of {label}")
        stop = max(start + 1, int(np.searchsorted(ends, before + room, side="right")))
        yield batch.slice(start, stop - start)
        start = stop


def count_text_bytes(table: pa.Table) -> int:
    """Count the bytes of all texts of a table once they are written out."""
    return sum(_text_bytes(chunk) for column in table.columns for chunk in column.chunks)


def _text_bytes(column: Any) -> int:
    if is_text(column.type) and column.type not in (pa.string_view(), pa.binary_view()):
        return pc.sum(pc.binary_length(column)).as_py() or 0  # to fill gaps would load pandas
    if (lengths := _lengths(column)) is None:
        return 0
    if not pa.types.is_dictionary(column.type):
        return int(lengths.sum())
    return int(_write_out(column, lengths).sum())


def _row_bytes(batch: pa.RecordBatch, room: int) -> Any:
    """Give the bytes of all texts of each row; None where they all have room together."""
    total, found = 0, []
    for column in batch.columns:
        lengths = _lengths(column)
        if lengths is not None:
            total += batch.num_rows * int(lengths.max(initial=0))
            found.append((column, lengths))
    if total <= room:
        return None
    rows = np.zeros(batch.num_rows, dtype=np.int64)
    for column, lengths in found:
        rows += _write_out(column, lengths) if pa.types.is_dictionary(column.type) else lengths
    return rows


def _write_out(column: Any, lengths: Any) -> Any:
    """Give the length of the text of each row of a dictionary column, 0 where it is missing."""
    codes = np.asarray(column.indices.cast(pa.int64()).fill_null(-1))
    return np.append(lengths, 0)[codes]  # the last is for missing values


def _lengths(column: Any) -> Any:
    """Give the length of each text, of a dictionary's in their order; None for other columns."""
    dictionary = pa.types.is_dictionary(column.type)
    texts = column.dictionary if dictionary else column
    if not is_text(texts.type):
        return None
    if texts.type not in (pa.string_view(), pa.binary_view()):
        return np.asarray(pc.binary_length(texts).fill_null(0)).astype(np.int64)
    raw = texts.buffers()[1]  # the first four bytes of each of sixteen
    if raw is None:
        return np.zeros(len(texts), dtype=np.int64)
    views = np.frombuffer(raw, dtype="<i4").reshape(-1, 4)[texts.offset : texts.offset + len(texts)]
    lengths = views[:, 0].astype(np.int64)
    return np.where(np.asarray(texts.is_valid()), lengths, 0) if texts.null_count else lengths
