"""One pass over a table that counts what each column holds."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
import pyarrow as pa
import scipy.sparse

from tamis.columns.number_tally import NumberTally
from tamis.columns.text_tally import TextTally
from tamis.progress import track
from tamis.sources.read import Accumulator, read
from tamis.sources.source import Source
from tamis.sources.unpacked import count_text_bytes

_GATHERED_CELLS = 1 << 22  # of a batch: columns are counted one by one, which costs a little each
_GATHERED_BYTES = 1 << 25  # of the texts of a batch, written out: a cell may hold a whole book
_SKETCH_BYTES = 1 << 26  # that all sketches may take
_SKETCHED_VALUE_BYTES = 64  # of a value in a sketch, with hash and count
_STRIP_BYTES = 1 << 23  # that the sketches of some columns take on their way from a worker
DISTINCT_KEPT = (256, 20_000)  # fewest and most different values that are kept of a column


class RowWatch(Protocol):
    """What sees the rows of a table as they pass, and keeps some of them."""

    def choose(self, table: Any) -> Any:
        """Choose some rows of an Arrow table by their positions; None to keep none of them."""

    def take(self, values: Any, chosen: Any) -> Any:
        """Take the chosen rows of a column, an Arrow array."""

    def keep(self, columns: Sequence[Any]) -> None:
        """Keep the columns of the rows that were chosen, as Arrow arrays."""


@dataclass(eq=False)
class OtherTally:
    """Counts of a column that holds neither numbers nor texts."""

    filled: int = 0
    dates: bool = False


ColumnTally = NumberTally | TextTally | OtherTally


@dataclass(frozen=True, eq=False)
class TableTally:
    """The counts of all columns of a table, in its order, and the number of its rows."""

    rows: int
    columns: list[ColumnTally | None]

    def merge(self, other: "TableTally") -> "TableTally":
        """Add the counts of the same columns in another part of a table."""
        columns = list(map(_join_columns, self.columns, other.columns))
        return TableTally(self.rows + other.rows, columns)

    def split(self, place: int) -> "tuple[TableTally, TableTally]":
        """Part the columns before this one from the others."""
        before, others = self.columns[:place], self.columns[place:]
        return TableTally(self.rows, before), TableTally(self.rows, others)


def count_columns(
    source: Source,
    columns: Sequence[int],
    watch: RowWatch | None = None,
    target: Sequence[int] = (),
    aims: Sequence[int] = (),
    others: Sequence[Accumulator] = (),
) -> TableTally:
    """Read these columns once and count what they hold; none where a column has no value.

    The answer depends on the values alone: not on the order of the rows, nor on the batches.
    `watch` sees the rows as they pass, with the columns of the `target`, which are not counted,
    behind; it sees none of a table whose parts are counted elsewhere. Without it, sparse columns
    are counted by their stored values. Where an engine has the table, `aims` are counted in the
    same pass, as if they were read by themselves, and follow. So do `others` take in the tables.
    """
    room = _share_room(len(columns))
    if source.in_parts() is not None:
        rooms = [*[room] * len(columns), *[_share_room(len(aims))] * len(aims)]
        counts, *_ = read(
            source, [*columns, *aims], ColumnCounts(rooms), *others, rows=_read_tables
        )
        return TableTally(counts.rows, counts.columns)
    # Written out, a sparse table may be a hundred times as large.
    rows, sparse = (0, {}) if watch is not None else count_sparse(source, columns, room)
    rest = [j for j in columns if j not in sparse]
    if sparse and not rest:
        return TableTally(rows, [sparse[j] for j in columns])
    counts = ColumnCounts([room] * len(rest), watch)
    read(source, [*rest, *target], *others, counts, rows=_read_tables)
    dense = iter(counts.columns)
    return TableTally(counts.rows, [sparse.get(j) or next(dense) for j in columns])


def count_table(table: Any) -> TableTally:
    """Count what the columns of an Arrow table hold."""
    room = _share_room(table.num_columns)
    return TableTally(
        table.num_rows, [_add(None, join_chunks(column), room) for column in table.columns]
    )


def _share_room(width: int) -> int:
    """Give how many different values are kept of each of so many columns."""
    room = _SKETCH_BYTES // (_SKETCHED_VALUE_BYTES * max(width, 1))
    return int(np.clip(room, *DISTINCT_KEPT))


def _read_tables(source: Source, columns: Sequence[int]) -> Iterator[Any]:
    """Yield Arrow tables, missing values as nulls, small ones put together."""
    tables = source.tables(columns, mark_missing=True)
    read = track("rows", tables, source.n_rows, lambda t: t.num_rows, source.meter)
    return _gather(read, len(columns))


class ColumnCounts(Accumulator):
    """The rows of a table and what its first columns hold, with so much room for each."""

    def __init__(self, rooms: Sequence[int], watch: RowWatch | None = None) -> None:
        self._rooms, self._watch = rooms, watch
        self.rows = 0
        self.columns: list[ColumnTally | None] = [None] * len(rooms)

    def add(self, rows: Any) -> None:
        """Count some rows, an Arrow table."""
        self.rows += rows.num_rows
        chosen = None if self._watch is None else self._watch.choose(rows)
        taken = []
        for place, column in enumerate(rows.columns):
            values = join_chunks(column)
            if place < len(self._rooms):
                self.columns[place] = _add(self.columns[place], values, self._rooms[place])
            if self._watch is not None and chosen is not None:
                taken.append(self._watch.take(values, chosen))
        if self._watch is not None and chosen is not None:
            self._watch.keep(taken)

    def split(self) -> dict[Any, Any]:
        """Give the counts of some columns at a time, by the place of the first."""
        room = self._rooms[0] if self._rooms else 1
        step = max(_STRIP_BYTES // (_SKETCHED_VALUE_BYTES * room), 1)
        cuts = range(0, max(len(self.columns), 1), step)
        return {i: TableTally(self.rows, self.columns[i : i + step]) for i in cuts}

    def join(self, values: Mapping[Any, Any]) -> Self:
        """Put the counts of all columns side by side."""
        for first, strip in values.items():
            self.rows = strip.rows
            self.columns[first : first + len(strip.columns)] = strip.columns
        return self


def _join_columns(a: ColumnTally | None, b: ColumnTally | None) -> ColumnTally | None:
    if a is None or b is None:
        return b if a is None else a
    if isinstance(a, NumberTally) and isinstance(b, NumberTally):
        a.join(b)
        return a
    if isinstance(a, TextTally) and isinstance(b, TextTally):
        a.join(b)
    elif isinstance(a, OtherTally) and isinstance(b, OtherTally):
        a.filled += b.filled
    elif isinstance(a, NumberTally):
        return b  # what is no number in some part is text throughout
    return a


def _gather(tables: Iterator[Any], width: int) -> Iterator[Any]:
    """Put small tables together; parts of a table may have types of their own."""
    most = max(_GATHERED_CELLS // max(width, 1), 1)
    held: list[Any] = []
    taken = 0
    for table in tables:
        size = count_text_bytes(table)
        same = not held or held[0].schema.equals(table.schema)
        full = taken + size > _GATHERED_BYTES or sum(one.num_rows for one in held) >= most
        if held and (full or not same):
            yield pa.concat_tables(held)
            held, taken = [], 0
        held.append(table)
        taken += size
    if held:
        yield pa.concat_tables(held)


def join_chunks(column: Any) -> Any:
    """Give a column as one array, of a type that all functions of Arrow know."""
    joined = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if isinstance(joined, pa.ChunkedArray):
        joined = pa.concat_arrays(joined.chunks)
    return joined.cast(pa.string()) if pa.types.is_string_view(joined.type) else joined


def _add(tally: ColumnTally | None, values: Any, room: int) -> ColumnTally | None:
    """Count more values of a column; what is no number from some part on is text throughout."""
    if values.null_count == len(values):
        return tally
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    types, kind = pa.types, values.type
    if types.is_boolean(kind):
        values = values.cast(pa.string())
    if types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind):
        tally = NumberTally(room) if tally is None else tally
        if isinstance(tally, NumberTally):
            tally.add(_floats(values))
        elif isinstance(tally, TextTally):
            tally.add(values.cast(pa.string()))
        return tally
    if types.is_string(values.type) or types.is_large_string(values.type):
        tally = tally if isinstance(tally, TextTally) else TextTally(room)
        tally.add(values.cast(pa.string()))
        return tally
    tally = tally if isinstance(tally, OtherTally) else OtherTally(dates=types.is_temporal(kind))
    tally.filled += len(values) - values.null_count
    return tally


def _floats(values: Any) -> Any:
    if values.null_count:
        values = values.drop_null()
    return np.from_dlpack(values.cast(pa.float64(), safe=False))


_GATHERED_VALUES = 1 << 24  # columns are counted one by one, which costs a little each


def count_sparse(
    source: Source, columns: Sequence[int], room: int
) -> tuple[int, dict[int, NumberTally]]:
    """Count the rows and what the columns of numbers hold; nothing where these are not sparse."""
    numbers = [j for j in columns if source.kinds[j] == "numeric"]
    tallies, rows, stored = {j: NumberTally(room) for j in numbers}, 0, np.zeros(len(numbers), int)
    held: list[Any] = []

    def count_held() -> None:
        nonlocal stored
        values = scipy.sparse.csc_array(scipy.sparse.vstack(held, format="csr"), dtype=np.float64)
        held.clear()
        for place, tally in enumerate(tallies.values()):
            tally.add(values.data[values.indptr[place] : values.indptr[place + 1]])
        stored += np.diff(values.indptr)

    with closing(_read(source, numbers)) as batches:
        for batch in batches:
            if not scipy.sparse.issparse(batch):
                return 0, {}
            rows += batch.shape[0]
            held.append(batch)
            if sum(one.nnz for one in held) >= _GATHERED_VALUES:
                count_held()
    if held:
        count_held()
    for tally, count in zip(tallies.values(), stored, strict=True):
        tally.add_zeros(rows - int(count))
    return rows, tallies if rows else {}


def _read(source: Source, columns: Sequence[int]) -> Any:
    batches = source.batches(columns) if columns else iter(())
    return track("rows", batches, source.n_rows, lambda batch: int(batch.shape[0]), source.meter)
