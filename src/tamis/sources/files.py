"""Files by their suffix; Parquet and Feather as streams of Arrow record batches."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tamis.errors import TamisError, spelled_name
from tamis.sources.source import Kind, Source, batch_rows

SUFFIXES = (".csv", ".tsv", ".txt", ".parquet", ".feather", ".arrow", ".npz", ".tamis")


def open_file(path: Path, exact: Collection[str] = (), text: Collection[str] = ()) -> Source:
    """Choose the reader by suffix; `.gz` and `.bz2` behind a text suffix are unpacked."""
    _check_file(path)
    suffixes = [part.lower() for part in path.suffixes]
    suffix = suffixes[-1] if suffixes else ""
    if suffix in (".gz", ".bz2") and len(suffixes) > 1:
        suffix = suffixes[-2]
    if suffix in (".csv", ".tsv", ".txt"):
        from tamis.sources.delimited import DelimitedSource

        return DelimitedSource(path, tab=suffix == ".tsv", exact=exact, text=text)
    if suffix == ".parquet":
        return ParquetSource(path)
    if suffix in (".feather", ".arrow"):
        return FeatherSource(path)
    if suffix == ".npz":
        from tamis.sources.npz import open_npz

        return open_npz(path)
    if suffix == ".tamis":
        from tamis.sources.summary_file import SummarySource, read_summary

        return SummarySource(read_summary(path), path.name)
    raise TamisError(
        f"{path.name} has an unsupported file type: give one of {', '.join(SUFFIXES)}."
    )


def _check_file(path: Path) -> None:
    with readable(path.name):
        if not path.exists():
            raise TamisError(f"There is no file {str(path)!r}: check the name and the folder.")
        if path.is_dir():
            raise TamisError(f"{str(path)!r} is a folder: give a file.")
        if path.stat().st_size == 0:
            raise TamisError(f"{path.name} is empty: give a file with a header line and rows.")


@contextmanager
def readable(label: str) -> Iterator[None]:
    """Turn what goes wrong while reading into one sentence."""
    try:
        yield
    except TamisError:
        raise
    except MemoryError as error:
        raise TamisError(
            f"{label} asks for more memory than there is: it is damaged, or you must choose fewer "
            f"columns with {spelled_name('columns')}."
        ) from error
    # What readers raise on damaged bytes has no list: struct.error, SyntaxError, KeyError, ...
    except Exception as error:
        if isinstance(error, OSError) and error.strerror:
            raise TamisError(f"{label} cannot be opened: {error.strerror.lower()}.") from error
        reason = " ".join(str(error).split())[:200].rstrip(".")
        raise TamisError(
            f"{label} cannot be read, it is damaged or not what its suffix says: {reason}."
        ) from error


class ArrowSource(ABC):
    """What all files read through Arrow share; a subclass says how its batches are made."""

    named = True
    origin: str | None = None

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self.path, self.label = path, path.name
        self.names: tuple[str, ...] = tuple(schema.names)
        self.kinds: tuple[Kind, ...] = tuple(kind_of(field.type) for field in schema)

    @abstractmethod
    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        """Yield these columns, in this order, at most `rows` rows at a time."""

    def _checked(self, columns: Sequence[int]) -> Iterator[pa.RecordBatch]:
        """Yield batches in which every position and every letter is valid: Arrow trusts them."""
        for batch in self._read(columns, batch_rows(len(columns))):
            batch.validate(full=True)
            # A promise of no missing values may be false, and no writer takes that.
            fields = [field.with_nullable(True) for field in batch.schema]
            schema = pa.schema(fields, batch.schema.metadata)
            yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, some rows at a time."""
        with readable(self.label):
            for batch in self._checked(columns):
                if batch.num_rows:
                    yield as_floats(batch)

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[pa.Table]:  # noqa: ARG002
        """Yield these columns of any kind as Arrow tables, missing values as nulls."""
        with readable(self.label):
            for batch in self._checked(columns):
                yield pa.Table.from_batches([batch])

    def pick(self, columns: Sequence[int]) -> pa.Table:
        """Read these columns, and only these, into an Arrow table."""
        return pa.concat_tables(self.tables(columns))


class ParquetSource(ArrowSource):
    """A Parquet file, read a batch of rows at a time."""

    def __init__(self, path: Path) -> None:
        with readable(path.name), _parquet(path) as file:
            super().__init__(path, _without_index(file.schema_arrow))
            self.n_rows: int | None = file.metadata.num_rows

    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        names = [self.names[j] for j in columns]
        with _parquet(self.path) as file:
            for batch in file.iter_batches(batch_size=rows, columns=names):
                yield batch.select(names)


def _parquet(path: Path) -> Any:
    import pyarrow.parquet as pq

    return pq.ParquetFile(path, memory_map=True)


class FeatherSource(ArrowSource):
    """A Feather (Arrow IPC) file, mapped into memory."""

    def __init__(self, path: Path) -> None:
        with readable(path.name), pa.memory_map(str(path)) as file:
            super().__init__(path, _without_index(pa.ipc.open_file(file).schema))

    @cached_property
    def n_rows(self) -> int:
        """Number of rows, counted on one column; the others stay packed."""
        with readable(self.label):
            return sum(batch.num_rows for batch in self._batches([0]))

    def _batches(self, columns: Sequence[int]) -> Iterator[pa.RecordBatch]:
        names = [self.names[j] for j in columns]
        with pa.memory_map(str(self.path)) as file:
            positions = [pa.ipc.open_file(file).schema.get_field_index(name) for name in names]
            options = pa.ipc.IpcReadOptions(included_fields=positions)
            reader = pa.ipc.open_file(file, options=options)
            for i in range(reader.num_record_batches):
                yield reader.get_batch(i).select(names)

    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        for batch in self._batches(columns):
            for start in range(0, batch.num_rows, rows):
                yield batch.slice(start, rows)


def _without_index(schema: pa.Schema) -> pa.Schema:
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


def as_floats(batch: pa.RecordBatch) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Copy the columns of a batch into one array, missing values as NaN."""
    out = np.empty((batch.num_rows, batch.num_columns))
    for j, column in enumerate(batch.columns):
        if pa.types.is_boolean(column.type):
            column = column.cast(pa.int8())
        floats = column.cast(pa.float64(), safe=False)
        if floats.null_count:
            floats = floats.fill_null(np.nan)
        # `to_numpy` would load pandas where there is one, for half a second.
        out[:, j] = np.from_dlpack(floats)
    return out
