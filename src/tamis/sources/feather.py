"""Feather (Arrow IPC) files: mapped, and released again behind the reader."""

import mmap
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.sources.files import ArrowFile, readable, without_index
from tamis.sources.source import Unread

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
            rows, self._packed = mapped.headers()
            known = len(rows) == reader.num_record_batches
            units = enumerate(_unit(i, len(rows)) for i in range(len(rows)))
            self.n_rows: int | None = (
                sum(rows[i] for i, unit in units if not self._skips(unit)) if known else None
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
                yield unit, _slices(reader, i, names, rows, mapped)
            self._count(self.stamp.size * (i + 1) // count)

    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        for _, batches in self._units(columns, rows):
            yield from batches


def _unit(i: int, count: int) -> str:
    return f"record batch {i + 1} of {count}" if count > 1 else ""


def _slices(
    reader: Any, i: int, names: list[str], rows: int, mapped: "_Mapped"
) -> Iterator[pa.RecordBatch]:
    batch = reader.get_batch(i).select(names)
    for start in range(0, batch.num_rows, rows):
        yield batch.slice(start, rows)
        mapped.release()


class _Mapped:
    """A file mapped into memory; it is unmapped when nothing refers to its bytes any more."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def reader(self, fields: list[int] | None = None) -> Any:
        """Open the file, to read only these fields if they are given."""
        options = pa.ipc.IpcReadOptions(included_fields=fields)
        return pa.ipc.open_file(self._bytes(), options=options)

    def headers(self) -> tuple[list[int], bool]:
        """Give the rows of every record batch, and whether one is packed, without reading them."""
        stream, found = self._bytes(), []
        stream.seek(_MAGIC)
        try:
            while True:
                message = pa.ipc.read_message(stream)
                if message.type == "record batch":
                    found.append(_header(message.metadata.to_pybytes()))
        except (EOFError, OSError, struct.error, pa.ArrowInvalid):  # the end, or damage
            return [rows for rows, _ in found], any(packed for _, packed in found)

    def _bytes(self) -> Any:
        return pa.BufferReader(pa.py_buffer(self._map))

    def release(self) -> None:
        """Give back the pages that were read: they are still in the file."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)


def _header(data: bytes) -> tuple[int, bool]:
    """Read rows and packing off a record batch's flatbuffer, which pyarrow does not show."""

    def number(kind: str, at: int) -> int:
        return int(struct.unpack_from(f"<{kind}", data, at)[0])

    def field(table: int, slot: int) -> int:
        """Give the position of a field of a table, 0 if it is not there."""
        places = table - number("i", table)
        here = 4 + 2 * slot
        offset = number("H", places + here) if here < number("H", places) else 0
        return table + offset if offset else 0

    at = field(number("I", 0), 2)
    batch = at + number("I", at)
    length = field(batch, 0)
    return (number("q", length) if length else 0), field(batch, 3) > 0
