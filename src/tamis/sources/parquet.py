"""Parquet files, a batch of rows at a time, in memory that no row group sets."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from tamis.sources.files import ArrowFile, readable, without_index
from tamis.sources.source import Unread, batch_bytes

_BUFFERS = (1 << 13, 1 << 16)  # bytes read at once of a column


class ParquetSource(ArrowFile):
    """A Parquet file, read one row group after the other.

    Nothing is fetched beyond what is decoded next: pages come through a small buffer for each
    column, and the file is not mapped, since what is mapped counts as memory of the process.
    """

    def __init__(self, path: Path, unread: Unread | None = None) -> None:
        with readable(path), _opened(path, 1) as file:
            super().__init__(path, without_index(file.schema_arrow), unread)
            found = file.metadata
            groups = [i for i in range(found.num_row_groups) if not self._skips(_unit(file, i))]
            self.n_rows: int | None = sum(found.row_group(i).num_rows for i in groups)

    def _units(
        self, columns: Sequence[int], rows: int
    ) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
        with _opened(self.path, len(columns)) as file:
            groups = file.metadata.num_row_groups
            for i in range(groups):
                if not self._skips(unit := _unit(file, i)):
                    yield unit, self._group(file, i, columns, rows)
                self._count(self.stamp.size * (i + 1) // groups)

    def _group(
        self, file: Any, i: int, columns: Sequence[int], rows: int
    ) -> Iterator[pa.RecordBatch]:
        names = [self.names[j] for j in columns]
        # Arrow decodes a batch in one thread anyway; others would only fight with BLAS.
        for batch in file.iter_batches(rows, row_groups=[i], columns=names, use_threads=False):
            yield batch.select(names)

    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        for _, batches in self._units(columns, rows):
            yield from batches


def _unit(file: Any, i: int) -> str:
    groups = file.metadata.num_row_groups
    return f"row group {i + 1} of {groups}" if groups > 1 else ""


def _opened(path: Path, columns: int) -> Any:
    import pyarrow.parquet as pq

    least, most = _BUFFERS
    buffer = min(most, max(least, batch_bytes() // max(columns, 1)))
    return pq.ParquetFile(path, pre_buffer=False, buffer_size=buffer)
