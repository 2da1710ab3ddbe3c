"""Feather (Arrow IPC) files, a record batch at a time."""

import mmap
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.memory import get_budget
from tamis.sources.feather_sizes import Header, buffer_count, read_header
from tamis.sources.files import ArrowFile, explain_unreadable, without_index
from tamis.sources.source import Unread
from tamis.sources.unpacked import check_size

_MAGIC_BYTES = 8  # bytes before the first message
_RECORD_BATCHES_IN_BUDGET = 8  # of the memory budget that a record batch may take


class FeatherSource(ArrowFile):
    """A Feather file.

    Record batches are read one at a time. One may be as large as the table: then the file is mapped
    and read in slices, and what a slice has touched is given back to the system. A file that is cut
    while it is mapped would end the process, so its size is checked before every slice. A packed
    record batch is unpacked whole, so what has no room is refused by its header.
    """

    def __init__(self, path: Path, unread: Unread | None = None) -> None:
        with explain_unreadable(path):
            self._headers, self._dictionaries = _read_headers(path)
            self._packed = any(header.packed for header in self._headers)
            largest = max((sum(header.sizes) for header in self._headers), default=0)
            self._mapped = largest > get_budget() // _RECORD_BATCHES_IN_BUDGET and not self._packed
            reader = _open_batches(path, mapped=False)
            super().__init__(path, without_index(reader.schema), unread)
            self._places = _find_buffers(reader.schema)
            known = len(self._headers) == reader.num_record_batches
            units = enumerate(_unit(i, len(self._headers)) for i in range(len(self._headers)))
            n_rows = sum(self._headers[i].rows for i, unit in units if not self._skips(unit))
            self.info = replace(self.info, n_rows=n_rows if known else None)

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
                self._check_room(i, names)
                yield unit, self._slices(reader, i, names, rows)
            self._count(self.stamp.size * (i + 1) // count)

    def _check_room(self, i: int, names: list[str]) -> None:
        """Refuse a packed record batch that is too large unpacked: it is unpacked whole."""
        header = self._headers[i] if i < len(self._headers) else None
        if header is None or not header.packed:
            return
        if self._places is None:
            size = sum(header.sizes)
        else:
            size = sum(sum(header.sizes[self._places[name]]) for name in names)
        check_size(self._dictionaries + size, f"A record batch of {self.path.name}")

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


def _find_buffers(schema: pa.Schema) -> dict[str, slice] | None:
    """Say which buffers of a record batch belong to which column; None where that varies."""
    found, start = dict[str, slice](), 0
    for field in schema:
        count = buffer_count(field.type)
        if count is None:
            return None
        found[field.name] = slice(start, start + count)
        start += count
    return found


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
    mapping = _map(path)
    stream = pa.BufferReader(pa.py_buffer(mapping))
    return _Batches(pa.ipc.open_file(stream, options=options), mapping)


def _read_headers(path: Path) -> tuple[list[Header], int]:
    """Give the headers of all record batches, and how large the dictionaries are, unpacked.

    The file is mapped for that: of the record batches themselves only the sizes are read.
    """
    stream, found, dictionaries = pa.BufferReader(pa.py_buffer(_map(path))), list[Header](), 0
    stream.seek(_MAGIC_BYTES)
    try:
        while True:
            message = pa.ipc.read_message(stream)
            if message.type == "record batch":
                found.append(read_header(message))
            elif message.type == "dictionary":
                dictionaries += sum(read_header(message).sizes)
    except (EOFError, OSError, struct.error, pa.ArrowInvalid):  # the end, or damage
        return found, dictionaries


def _map(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
