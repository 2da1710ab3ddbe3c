"""Feather (Arrow IPC) files: mapped, and released again behind the reader."""

import mmap
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.sources.files import ArrowFile, readable, without_index
from tamis.sources.source import Unread


class FeatherSource(ArrowFile):
    """A Feather file.

    A record batch may be as large as the table, so the file is mapped and read in slices; what a
    slice has touched is given back to the system. A packed record batch is unpacked whole.
    """

    def __init__(self, path: Path, unread: Unread | None = None) -> None:
        with readable(path):
            super().__init__(path, without_index(_Mapped(path).reader().schema), unread)

    @cached_property
    def n_rows(self) -> int:  # type: ignore[override]  # counted only when asked for
        """Number of rows, counted on one column; the others stay packed."""
        with readable(self.path):
            return sum(batch.num_rows for _, batch in self._record_batches([0], _Mapped(self.path)))

    def _record_batches(
        self, columns: Sequence[int], mapped: "_Mapped"
    ) -> Iterator[tuple[str, pa.RecordBatch]]:
        names = [self.names[j] for j in columns]
        schema = mapped.reader().schema
        reader = mapped.reader([schema.get_field_index(name) for name in names])
        for i in range(reader.num_record_batches):
            many = reader.num_record_batches > 1
            unit = f"record batch {i + 1} of {reader.num_record_batches}" if many else ""
            if not self._skips(unit):
                with readable(self.path, unit):
                    yield unit, reader.get_batch(i).select(names)
            self._count(self.stamp.size * (i + 1) // reader.num_record_batches)

    def _units(
        self, columns: Sequence[int], rows: int
    ) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
        mapped = _Mapped(self.path)
        for unit, batch in self._record_batches(columns, mapped):
            yield unit, _slices(batch, rows, mapped)

    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        for _, batches in self._units(columns, rows):
            yield from batches


def _slices(batch: pa.RecordBatch, rows: int, mapped: "_Mapped") -> Iterator[pa.RecordBatch]:
    for start in range(0, max(batch.num_rows, 1), rows):
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
        return pa.ipc.open_file(pa.BufferReader(pa.py_buffer(self._map)), options=options)

    def release(self) -> None:
        """Give back the pages that were read: they are still in the file."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._map.madvise(mmap.MADV_DONTNEED)
