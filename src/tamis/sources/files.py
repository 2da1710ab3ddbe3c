"""What all files share, and all tables read through Arrow."""

import contextvars
import errno
import hashlib
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from tamis.errors import TamisError, Unreadable, spell, spell_name
from tamis.memory import batch_bytes, batch_rows
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.threads import leave_a_core
from tamis.progress import Meter
from tamis.sources.arrays import ArraySource, to_native
from tamis.sources.info import Kind, SourceInfo
from tamis.sources.plain_arrays import NO_NUMBER
from tamis.sources.source import JoinableSource, Source, Unread
from tamis.sources.unpacked import in_pieces


@contextmanager
def explain_unreadable(path: Path | str, unit: str = "") -> Iterator[None]:
    """Turn what goes wrong while reading into one sentence; `unit` says where in the file."""
    label = path.name if isinstance(path, Path) else path
    place = f"{label}, {unit}," if unit else label
    hint = f", or pass {spell('skip_corrupt', True)} to do without it" if unit else ""
    try:
        yield
    except TamisError:
        raise
    except MemoryError as error:
        raise TamisError(
            f"{place} asks for more memory than there is: it is damaged, or you must choose fewer "
            f"columns with {spell_name('columns')}."
        ) from error
    # What readers raise on damaged bytes has no list: struct.error, SyntaxError, KeyError, ...
    except Exception as error:
        # A position before the beginning of a file, which damage asks for, is an OSError, too.
        if isinstance(error, OSError) and error.strerror and error.errno != errno.EINVAL:
            reason = error.strerror.lower()
            raise TamisError(
                f"{label} cannot be opened: {reason}, check it and its folder."
            ) from error
        raise Unreadable(
            f"{place} cannot be read, it is damaged or not what its suffix says"
            f"{_tell_reason(error)}: copy or export it again{hint}.",
            str(path),
            unit,
        ) from error


def _tell_reason(error: Exception) -> str:
    """Give what a reader says in brackets; some say nothing, some an expression of Python."""
    first = error.args[0] if error.args else ""
    told = first if isinstance(first, str) and " " in first else str(error)
    reason = " ".join(told.split())[:200].rstrip(".")
    return f" ({reason})" if reason else ""


class Stamp:
    """Size and time of change of a file, which must stay what they were when it was opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen = self._look()
        self.size = self._seen[0]

    @property
    def key(self) -> tuple[str, int, int]:
        """Name this state of this file, and no other."""
        return (str(self.path.resolve()), *self._seen)

    def check(self) -> None:
        """Refuse a file that is no longer what it was: one answer cannot rest on two tables."""
        try:
            same = self._look() == self._seen
        except FileNotFoundError as error:
            raise TamisError(
                f"{self.path.name} has been removed while it was read: put it back and run again."
            ) from error
        if not same:
            raise TamisError(
                f"{self.path.name} has changed while it was read: run again once nothing writes "
                "to it."
            )

    def _look(self) -> tuple[int, int]:
        found = self.path.stat()
        return found.st_size, found.st_mtime_ns


_HASH_LETTERS = 16  # 64 bits: enough to tell files apart, and little to learn of what is in them


def hash_files(source: Source) -> tuple[str, ...]:
    """Give a short hash of every file that a table is read from; none for what is no file."""
    found = set()
    for path in source.info.files or ():
        with explain_unreadable(path):
            found.add(_hash_file(*Stamp(path).key))
    return tuple(sorted(found))


@lru_cache(maxsize=4096)
def _hash_file(path: str, size: int, changed: int) -> str:  # noqa: ARG001
    """Hash a file once, as long as its size and its time of change stay what they are."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:_HASH_LETTERS]


class ArrowSource(JoinableSource):
    """What all tables read through Arrow share; a subclass says how its batches are made."""

    read_anew = True

    def __init__(self, label: str, schema: pa.Schema) -> None:
        kinds = tuple(kind_of(field.type) for field in schema)
        self.info = SourceInfo(names=tuple(schema.names), kinds=kinds, label=label)
        self._types = tuple(schema.types)

    @abstractmethod
    def _read(self, columns: Sequence[int], rows: int) -> Iterator[pa.RecordBatch]:
        """Yield these columns, in this order, at most `rows` rows at a time."""

    def _units(
        self, columns: Sequence[int], rows: int
    ) -> Iterator[tuple[str, Iterator[pa.RecordBatch]]]:
        """Yield the parts of the table that can be damaged alone, each with its name."""
        yield "", self._read(columns, rows)

    def _check_batches(self, columns: Sequence[int]) -> Iterator[pa.RecordBatch]:
        """Yield batches in which every position and every letter is valid: Arrow trusts them."""
        with explain_unreadable(self._place):
            for unit, batches in self._units(columns, batch_rows(len(columns))):
                with explain_unreadable(self._place, unit):
                    for batch in batches:
                        yield from in_pieces(_valid(batch), batch_bytes(), self.label)

    @property
    def _place(self) -> Path | str:
        """Where the table is, for messages."""
        return self.label

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

    def pick(self, columns: Sequence[int]) -> pa.Table:
        """Read these columns, and only these, into an Arrow table."""
        return pa.concat_tables(self.tables(columns))


class ArrowFile(ArrowSource):
    """A file read through Arrow; `unread` are the damaged units to do without."""

    def __init__(self, path: Path, schema: pa.Schema, unread: Unread | None = None) -> None:
        super().__init__(path.name, schema)
        self.path = path
        self.stamp = Stamp(path)
        self.info = replace(self.info, files=(path,), meter=Meter(self.stamp.size))
        self._unread: Mapping[tuple[str, str], str] = unread or {}

    @property
    def _place(self) -> Path:
        return self.path

    def _check_batches(self, columns: Sequence[int]) -> Iterator[pa.RecordBatch]:
        self.stamp.check()
        self._count(0)
        yield from super()._check_batches(columns)
        self.stamp.check()

    def _count(self, done: int) -> None:
        """Note how many bytes have been read."""
        if self.meter is not None:
            self.meter.done = done

    def _skips(self, unit: str) -> bool:
        return (str(self.path), unit) in self._unread


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


def _valid(batch: pa.RecordBatch) -> pa.RecordBatch:
    batch.validate(full=True)
    # A promise of no missing values may be false, and no writer takes that.
    fields = [field.with_nullable(True) for field in batch.schema]
    schema = pa.schema(fields, batch.schema.metadata)
    return pa.RecordBatch.from_arrays(batch.columns, schema=schema)


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


class StoredArraySource(ArraySource):
    """An array in a file: `read` gives these columns of it, a block of rows at a time.

    A choice of its columns is an Arrow table or, with `picks_arrays`, an array.
    """

    def __init__(
        self,
        path: Path,
        shape: Sequence[int],
        dtype: Any,
        names: Sequence[str] | None,
        read: Callable[[list[int]], Iterator[Any]],
        *,
        picks_arrays: bool = False,
    ) -> None:
        super().__init__(np.empty((0, shape[1]), dtype), names, path.name)
        self._stamp, self._read, self._picks_arrays = Stamp(path), read, picks_arrays
        self._meter = Meter(self._stamp.size)
        self.info = replace(self.info, n_rows=shape[0], meter=self._meter)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns in blocks of rows, read ahead."""
        return read_ahead(lambda: self._blocks(list(columns)))

    def _blocks(self, columns: list[int]) -> Iterator[Any]:
        done, total = 0, self._meter.total
        self._meter.done = 0
        self._stamp.check()
        with explain_unreadable(self._stamp.path):
            for block in self._read(columns):
                done += block.shape[0]
                self._meter.done = total * done // max(self.n_rows or 0, 1)
                yield to_native(block)
        self._stamp.check()

    def pick(self, columns: Sequence[int]) -> Any:
        """Read these columns into a table."""
        if self._picks_arrays:
            return np.concatenate([self.array[:, list(columns)], *self.batches(columns)])
        return pa.concat_tables(self.tables(columns))

    def tables(
        self,
        columns: Sequence[int],
        *,
        mark_missing: bool = False,  # noqa: ARG002
        types: Sequence[Any] | None = None,
    ) -> Iterator[Any]:
        """Yield these columns as Arrow tables, of the `types` that other files have."""
        names = [self.names[j] for j in columns]
        for block in self.batches(columns):
            yield from ArraySource(block, names).tables(range(len(names)), types=types)


T = TypeVar("T")

_POLL = 0.05


def read_ahead(read: Callable[[], Iterable[T]], depth: int = 1) -> Iterator[T]:
    """Yield what `read()` gives, in its order, made by a thread at most `depth` items ahead.

    What goes wrong there is raised here. The thread ends before this generator does, also when the
    reader stops half-way or is interrupted.

    >>> list(read_ahead(lambda: range(3)))
    [0, 1, 2]
    """
    ready: Queue[tuple[bool, Any]] = Queue(maxsize=depth)
    stopped = threading.Event()
    context = contextvars.copy_context()  # the memory budget and how messages spell options
    thread = threading.Thread(
        target=context.run, args=(_fill, read, ready, stopped), name="tamis-reader", daemon=True
    )
    try:
        with leave_a_core():  # which looks for libraries, and must not while the thread loads one
            thread.start()
            while (found := ready.get())[0]:
                yield found[1]
                del found  # or it would live on while the next one is waited for
            if found[1] is not None:
                raise found[1]
    finally:
        stopped.set()
        with suppress(Empty):
            while True:
                ready.get_nowait()
        if thread.ident is not None:  # it was started
            thread.join()


def _fill(
    read: Callable[[], Iterable[Any]], ready: "Queue[tuple[bool, Any]]", stopped: threading.Event
) -> None:
    """Put every item into the queue as (True, item), then (False, what went wrong or None)."""
    failed: BaseException | None = None
    items: Iterator[Any] = iter(())
    try:
        items = iter(read())
        for item in items:
            if not _put((True, item), ready, stopped):
                break
            del item
    except BaseException as error:  # an interrupt, too, is for the one who reads
        failed = error
    finally:
        close = getattr(items, "close", None)
        if close is not None:
            close()  # files are closed by the thread that opened them
    _put((False, failed), ready, stopped)


def _put(
    found: tuple[bool, Any], ready: "Queue[tuple[bool, Any]]", stopped: threading.Event
) -> bool:
    """Wait for room; give False once nobody reads any more."""
    while not stopped.is_set():
        with suppress(Full):
            ready.put(found, timeout=_POLL)
            return True
    return False
