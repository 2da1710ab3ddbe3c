"""Feather (Arrow IPC) files: mapped, and released again behind the reader."""

import mmap
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.sources.feather_sizes import Header, buffer_count, read_header
from tamis.sources.files import ArrowFile, readable, without_index
from tamis.sources.source import Unread
from tamis.sources.unpacked import check_size

_MAGIC = 8  # bytes before the first message


class FeatherSource(ArrowFile):
    """A Feather file.

    A record batch may be as large as the table, so the file is mapped and read in slices; what a
    slice has touched is given back to the system. A packed record batch is unpacked whole.
    """

    def __init__(self, path: Path, unread: Unread | None = None) -> None:
        with readable(path):
            mapped = _Mapped(path)
            reader = mapped.reader()
            super().__init__(path, without_index(reader.schema), unread)
            self._headers, self._dictionaries = mapped.headers()
            self._packed = any(header.packed for header in self._headers)
            self._places = _places(reader.schema)
            known = len(self._headers) == reader.num_record_batches
            units = enumerate(_unit(i, len(self._headers)) for i in range(len(self._headers)))
            self.n_rows: int | None = (
                sum(self._headers[i].rows for i, unit in units if not self._skips(unit))
                if known
                else None
            )

    def _units(
        self, columns: Sequence[int], rows: int
    ) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
        names = [self.names[j] for j in columns]
        mapped = _Mapped(self.path)
        place = {name: i for i, name in enumerate(mapped.reader().schema.names)}
        fields = [place[name] for name in names]
        # Arrow copies all of a record batch to choose fields from it, but need not unpack the rest.
        reader = mapped.reader(fields if self._packed and len(fields) < len(self.names) else None)
        count = reader.num_record_batches
        for i in range(count):
            if not self._skips(unit := _unit(i, count)):
                self._check_room(i, names)
                yield unit, self._slices(reader, i, names, rows, mapped)
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
        self, reader: Any, i: int, names: list[str], rows: int, mapped: "_Mapped"
    ) -> Iterator[pa.RecordBatch]:
        batch = reader.get_batch(i).select(names)
        for start in range(0, batch.num_rows, rows):
            # The system kills a process that looks at a mapped page which is no longer there.
            self.stamp.check()
            yield batch.slice(start, rows)
            mapped.release()

    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        for _, batches in self._units(columns, rows):
            yield from batches


def _places(schema: pa.Schema) -> dict[str, slice] | None:
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


class _Mapped:
    """A file mapped into memory; it is unmapped when nothing refers to its bytes any more."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def reader(self, fields: list[int] | None = None) -> Any:
        """Open the file, to read only these fields if they are given."""
        options = pa.ipc.IpcReadOptions(included_fields=fields)
        return pa.ipc.open_file(self._bytes(), options=options)

    def headers(self) -> tuple[list[Header], int]:
        """Give the headers of all record batches, and how large the dictionaries are, unpacked."""
        stream, found, dictionaries = self._bytes(), list[Header](), 0
        stream.seek(_MAGIC)
        try:
            while True:
                message = pa.ipc.read_message(stream)
                if message.type == "record batch":
                    found.append(read_header(message))
                elif message.type == "dictionary":
                    dictionaries += sum(read_header(message).sizes)
        except (EOFError, OSError, struct.error, pa.ArrowInvalid):  # the end, or damage
            return found, dictionaries

    def _bytes(self) -> Any:
        return pa.BufferReader(pa.py_buffer(self._map))

    def release(self) -> None:
        """Give back the pages that were read: they are still in the file."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)
