"""Feather (Arrow IPC) files, a record batch at a time."""

import mmap
import os
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from tamis.memory import budget
from tamis.sources.files import ArrowFile, readable, without_index
from tamis.sources.source import Unread

_MAGIC = 8  # bytes before the first message
_RECORD_BATCH = 3  # the type of such a message
_SHARE = 8  # of the memory budget that a record batch may take


class FeatherSource(ArrowFile):
    """A Feather file.

    Record batches are read one at a time. One may be as large as the table: then the file is mapped
    and read in slices, and what a slice has touched is given back to the system. A file that is cut
    while it is mapped would end the process, so its size is checked before every slice.
    """

    def __init__(self, path: Path, unread: Unread | None = None) -> None:
        with readable(path):
            headers = _headers(path)
            self._packed = any(header.packed for header in headers)
            largest = max((header.body for header in headers), default=0)
            self._mapped = largest > budget() // _SHARE and not self._packed
            reader = _open_batches(path, mapped=False)
            super().__init__(path, without_index(reader.schema), unread)
            known = len(headers) == reader.num_record_batches
            units = enumerate(_unit(i, len(headers)) for i in range(len(headers)))
            self.n_rows: int | None = (
                sum(headers[i].rows for i, unit in units if not self._skips(unit))
                if known
                else None
            )

    def _units(
        self, columns: Sequence[int], rows: int
    ) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
        names = [self.names[j] for j in columns]
        place = {
            name: i for i, name in enumerate(_open_batches(self.path, mapped=False).schema.names)
        }
        fields = [place[name] for name in names]
        # Arrow copies all of a mapped record batch to choose fields from it.
        some = None if self._mapped or len(fields) == len(place) else fields
        reader = _open_batches(self.path, mapped=self._mapped, fields=some)
        count = reader.num_record_batches
        for i in range(count):
            if not self._skips(unit := _unit(i, count)):
                yield unit, self._slices(reader, i, names, rows)
            self._count(self.stamp.size * (i + 1) // count)

    def _slices(
        self, reader: "_Batches", i: int, names: list[str], rows: int
    ) -> Iterator[pa.RecordBatch]:
        self.stamp.check()
        batch = reader.batch(i).select(names)
        for start in range(0, batch.num_rows, rows):
            if self._mapped:
                self.stamp.check()
            yield batch.slice(start, rows)
            reader.release()

    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        for _, batches in self._units(columns, rows):
            yield from batches


def _unit(i: int, count: int) -> str:
    return f"record batch {i + 1} of {count}" if count > 1 else ""


class _Batches:
    """The record batches of a file; a mapped one is unmapped once nothing refers to its bytes."""

    def __init__(self, reader: Any, mapping: mmap.mmap | None) -> None:
        self._reader, self._map = reader, mapping
        self.schema, self.num_record_batches = reader.schema, reader.num_record_batches

    def batch(self, i: int) -> Any:
        """Give a record batch."""
        return self._reader.get_batch(i)

    def release(self) -> None:
        """Give back the pages that were read: they are still in the file."""
        if self._map is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)


def _open_batches(path: Path, *, mapped: bool, fields: list[int] | None = None) -> _Batches:
    """Open a file, to read only these fields if they are given."""
    options = pa.ipc.IpcReadOptions(included_fields=fields)
    if not mapped:
        return _Batches(pa.ipc.open_file(pa.OSFile(str(path)), options=options), None)
    with path.open("rb") as file:
        mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    stream = pa.BufferReader(pa.py_buffer(mapping))
    return _Batches(pa.ipc.open_file(stream, options=options), mapping)


class _Header(NamedTuple):
    """What is written before a record batch: its rows, whether it is packed, and its bytes."""

    rows: int
    packed: bool
    body: int


def _headers(path: Path) -> list[_Header]:
    """Read the header of every record batch, and nothing else of it."""
    found: list[_Header] = []
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(_MAGIC)
        try:
            while True:
                (length,) = struct.unpack("<i", file.read(4))
                if length == -1:  # since version 5 of the format
                    (length,) = struct.unpack("<i", file.read(4))
                if not 0 < length <= size:
                    return found
                data = file.read(length)
                kind, body = _message(data)
                if kind == _RECORD_BATCH:
                    found.append(_Header(*_header(data), body))
                file.seek(body, os.SEEK_CUR)
        except (OSError, struct.error, ValueError, OverflowError):  # the end, or damage
            return found


def _message(data: bytes) -> tuple[int, int]:
    """Read off a flatbuffer what kind of message it is, and how many bytes follow it."""
    root = _number(data, "I", 0)
    kind, body = _field(data, root, 1), _field(data, root, 3)
    return (_number(data, "B", kind) if kind else 0), (_number(data, "q", body) if body else 0)


def _header(data: bytes) -> tuple[int, bool]:
    """Read rows and packing off a record batch's flatbuffer, which pyarrow does not show."""
    at = _field(data, _number(data, "I", 0), 2)
    batch = at + _number(data, "I", at)
    length = _field(data, batch, 0)
    return (_number(data, "q", length) if length else 0), _field(data, batch, 3) > 0


def _number(data: bytes, kind: str, at: int) -> int:
    return int(struct.unpack_from(f"<{kind}", data, at)[0])


def _field(data: bytes, table: int, slot: int) -> int:
    """Give the position of a field of a table, 0 if it is not there."""
    places = table - _number(data, "i", table)
    here = 4 + 2 * slot
    there = here < _number(data, "H", places)
    offset = _number(data, "H", places + here) if there else 0
    return table + offset if offset else 0
