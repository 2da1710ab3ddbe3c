"""Parquet files, a batch of rows at a time, in memory that no row group sets."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.memory import batch_bytes, check_size, get_budget
from tamis.sources.arrow import ArrowSource, in_pieces, is_text, without_index
from tamis.sources.files import explain_unreadable
from tamis.sources.source import Unread

_BUFFERS = (1 << 13, 1 << 16)  # bytes read at once of a column
_MIN_BATCH_ROWS = 16  # rows of a batch where texts may be far longer than what is stored of them
_BATCH_VALUE_BYTES = 8  # bytes of a value that batches reckon with
_RATIO = 1 << 17  # how many times its size a packed page may have at most
# Ways to store texts that Arrow can read as a dictionary.
_READABLE = frozenset(("PLAIN", "PLAIN_DICTIONARY", "RLE_DICTIONARY", "RLE", "BIT_PACKED"))


class ParquetSource(ArrowSource):
    """A Parquet file, read one row group after the other.

    Nothing is fetched beyond what is decoded next: pages come through a small buffer for each
    column, and the file is not mapped, since what is mapped counts as memory of the process.
    Texts are read as the dictionaries they are stored as, and written out a few rows at a time.
    """

    def __init__(self, path: Path, unread: Unread | None = None) -> None:
        with explain_unreadable(path), _open_parquet(path, 1) as file:
            schema = without_index(file.schema_arrow)
            super().__init__(path.name, schema, path=path, unread=unread)
            self.path = path
            found = file.metadata
            groups = [i for i in range(found.num_row_groups) if not self._skips(_unit(file, i))]
            n_rows = sum(found.row_group(i).num_rows for i in groups)
            self.info = replace(self.info, n_rows=n_rows)
            self._leaves: dict[str, list[int]] = _leaves(file)

    def _units(
        self, columns: Sequence[int], rows: int
    ) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
        with _open_parquet(self.path, len(columns), self._dictionaries(columns)) as file:
            groups = file.metadata.num_row_groups
            for i in range(groups):
                if not self._skips(unit := _unit(file, i)):
                    yield unit, self._group(file, i, columns, rows)
                self._count((i + 1) / groups)

    def _dictionaries(self, columns: Sequence[int]) -> list[str]:
        """Name the columns of text that can be read as dictionaries in every row group."""
        texts = [self.names[j] for j in columns if is_text(self._types[j])]
        if not texts:
            return []
        with _open_parquet(self.path, 1) as file:
            groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        return [
            name
            for name in texts
            for leaf in self._leaves.get(name, ())[:1]
            if all(_READABLE.issuperset(group.column(leaf).encodings) for group in groups)
        ]

    def _group(
        self, file: Any, i: int, columns: Sequence[int], rows: int
    ) -> Iterator[pa.RecordBatch]:
        names, types = [self.names[j] for j in columns], [self._types[j] for j in columns]
        group, seen = file.metadata.row_group(i), 0
        rows = self._few_enough(group, columns, rows)
        # Arrow decodes a batch in one thread anyway; others would only fight with BLAS.
        for batch in file.iter_batches(rows, row_groups=[i], columns=names, use_threads=False):
            chosen = batch.select(names)
            seen += chosen.num_rows
            if chosen.schema.types == types:  # pyarrow makes this list anew whenever it is asked
                yield chosen
                continue
            chosen.validate(full=True)
            for piece in in_pieces(chosen, batch_bytes(), self.path.name):
                plain = [
                    column if column.type == kind else column.dictionary_decode().cast(kind)
                    for column, kind in zip(piece.columns, types, strict=True)
                ]
                yield pa.RecordBatch.from_arrays(plain, names=names)
        if seen != group.num_rows:  # other columns of it would have another number of rows
            raise ValueError(f"a row group has {seen:,} rows and says {group.num_rows:,}")

    def _few_enough(self, group: Any, columns: Sequence[int], rows: int) -> int:
        """Give how many rows of a row group to read at once; refuse pages without room."""
        n = max(group.num_rows, 1)
        size, small = 0.0, _BATCH_VALUE_BYTES * n <= get_budget() // 4
        for j in columns:
            flat = pa.types.is_primitive(self._types[j]) or pa.types.is_null(self._types[j])
            if flat and small:
                size += _BATCH_VALUE_BYTES
                continue
            for leaf in self._leaves.get(self.names[j], ()):
                chunk = group.column(leaf)
                # How a chunk is packed is not asked: pyarrow aborts on a damaged answer.
                if chunk.total_compressed_size * _RATIO > get_budget():
                    what = f"Column {chunk.path_in_schema!r} of {self.path.name}"
                    check_size(largest_page(self.path, chunk), f"{what} has a page that")
                stored = max(chunk.total_uncompressed_size, 1)
                size += max(_BATCH_VALUE_BYTES * chunk.num_values, 0 if flat else stored) / n
                nested = chunk.path_in_schema != self.names[j]
                packed = "DELTA_BYTE_ARRAY" in chunk.encodings
                packed = packed or (nested and chunk.has_dictionary_page)
                # Texts may be longer than all that is stored, other than through a dictionary.
                if packed and chunk.physical_type == "BYTE_ARRAY":
                    most = stored * max(1, chunk.num_values // n)
                    rows = min(rows, max(1 if nested else _MIN_BATCH_ROWS, batch_bytes() // most))
        return max(1, min(rows, int(batch_bytes() // max(size, 1.0))))


def _leaves(file: Any) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    schema = file.schema
    names = set(file.schema_arrow.names)
    for i in range(len(schema)):
        path = schema.column(i).path
        name = path if path in names else path.partition(".")[0]
        found.setdefault(name, []).append(i)
    return found


def _unit(file: Any, i: int) -> str:
    groups = file.metadata.num_row_groups
    return f"row group {i + 1} of {groups}" if groups > 1 else ""


def _open_parquet(path: Path, columns: int, texts: Sequence[str] = ()) -> Any:
    import pyarrow.parquet as pq

    least, most = _BUFFERS
    buffer = min(most, max(least, batch_bytes() // max(columns, 1)))
    return pq.ParquetFile(path, pre_buffer=False, buffer_size=buffer, read_dictionary=list(texts))


# pyarrow shows no page before it has unpacked it, and what the footer says of a column chunk may be
# false or, where a chunk has many pages, far more than is unpacked at once: the headers are read.
_HEADER_BYTES = (1 << 12, 1 << 20)  # that nearly all headers have room in, and all
_TYPE_BYTES = {1: 0, 2: 0, 3: 1, 7: 8}  # of a value of these types; 1 and 2 are true and false
_VARINTS, _TEXT, _LISTS, _STRUCT = (4, 5, 6), 8, (9, 10), 12
_SIZE, _PACKED = 2, 3  # fields of a page's header


def largest_page(path: Path, chunk: Any) -> int:
    """Give the size of the largest page of a column chunk, unpacked.

    What cannot be understood counts as the end: the reader will say what is wrong with it.
    """
    start = chunk.data_page_offset
    if chunk.has_dictionary_page and chunk.dictionary_page_offset is not None:
        start = min(start, chunk.dictionary_page_offset)
    end, largest = start + chunk.total_compressed_size, 0
    with path.open("rb") as file:
        while start < end:
            fields, length = _read_header(file, start)
            if fields.get(_PACKED, -1) < 0:
                break
            largest = max(largest, fields.get(_SIZE, 0))
            start += length + fields[_PACKED]
    return largest


def _read_header(file: Any, start: int) -> tuple[dict[int, int], int]:
    """Read the integers of a page's header by field, and how long it is; none where it is none."""
    for most in _HEADER_BYTES:
        file.seek(start)
        with suppress(IndexError, ValueError):
            return _read_struct(file.read(most), 0)
    return {}, 0


def _read_struct(data: bytes, at: int) -> tuple[dict[int, int], int]:
    """Read the integers of a struct in Thrift's compact form by field, and where it ends."""
    found, field = dict[int, int](), 0
    while first := data[at]:
        kind, field, at = first & 15, field + (first >> 4), at + 1
        if not first >> 4:
            field, at = _read_signed(data, at)
        if kind in _VARINTS:
            found[field], at = _read_signed(data, at)
        else:
            at = _skip_value(data, at, kind)
    return found, at + 1


def _skip_value(data: bytes, at: int, kind: int) -> int:
    if kind in _TYPE_BYTES:
        return at + _TYPE_BYTES[kind]
    if kind in _VARINTS:
        return _read_varint(data, at)[1]
    if kind == _TEXT:
        return sum(_read_varint(data, at))
    if kind == _STRUCT:
        return _read_struct(data, at)[1]
    if kind not in _LISTS:
        raise ValueError(f"unknown type {kind}")
    first = data[at]
    count, at = (first >> 4, at + 1) if first >> 4 < 15 else _read_varint(data, at + 1)
    if count > len(data):  # every value takes a byte: damage must not count for ever
        raise IndexError(count)
    for _ in range(count):
        at = _skip_value(data, at, first & 15)
    return at


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Read an integer of seven bits a byte, and the place behind it."""
    value = 0
    for shift in range(0, 70, 7):
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return value, at
    raise ValueError("a number that is too long")


def _read_signed(data: bytes, at: int) -> tuple[int, int]:
    value, at = _read_varint(data, at)
    return (value >> 1) ^ -(value & 1), at
