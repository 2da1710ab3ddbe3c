"""One pass over a table that counts what each column holds."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import scipy.sparse

from tamis.columns.number_tally import NumberTally
from tamis.columns.text_tally import TextTally
from tamis.progress import track
from tamis.sources.parted import gather_merged
from tamis.sources.source import Source
from tamis.sources.unpacked import count_text_bytes
from tamis.values import dataclass

__all__ = ["RowWatch", "TableTally", "count_columns", "count_sparse", "count_table", "join_chunks"]

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

    def split(self, place: int) -> "tuple[TableTally, TableTally]":
        """Part the columns before this one from the others."""
        before, others = self.columns[:place], self.columns[place:]
        return TableTally(self.rows, before), TableTally(self.rows, others)


def count_columns(
    source: Source,
    columns: Sequence[int],
    watch: RowWatch | None = None,
    beside: Sequence[int] = (),
    aims: Sequence[int] = (),
) -> TableTally:
    """Read these columns once and count what they hold; none where a column has no value.

    The answer depends on the values alone: not on the order of the rows, nor on the batches.
    `watch` sees the rows as they pass, with the columns `beside`, which are not counted, behind;
    it sees none of a table whose parts are counted elsewhere. Without it, sparse columns are
    counted by their stored values. Where an engine has the table, `aims` are counted in the same
    pass, as if they were read by themselves, and follow.
    """
    room = _share_room(len(columns))
    if (parted := source.in_parts()) is not None:
        strip = max(_STRIP_BYTES // (_SKETCHED_VALUE_BYTES * room), 1)
        rooms = [*[room] * len(columns), *[_share_room(len(aims))] * len(aims)]
        make = partial(_count_strips, rooms=rooms, strip=strip)
        strips = gather_merged(parted, [*columns, *aims], make, _join)
        return _join_strips(strips, len(rooms))
    # Written out, a sparse table may be a hundred times as large.
    rows, sparse = (0, {}) if watch is not None else count_sparse(source, columns, room)
    rest = [j for j in columns if j not in sparse]
    if sparse and not rest:
        return TableTally(rows, [sparse[j] for j in columns])
    found = _count_rows(source, rest, [room] * len(rest), watch, beside)
    others = iter(found.columns)
    return TableTally(found.rows, [sparse.get(j) or next(others) for j in columns])


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


def _count_rows(
    source: Source,
    columns: Sequence[int],
    rooms: Sequence[int],
    watch: RowWatch | None = None,
    beside: Sequence[int] = (),
) -> TableTally:
    tallies: list[ColumnTally | None] = [None] * len(columns)
    rows = 0
    tables = source.tables([*columns, *beside], mark_missing=True)
    read = track("rows", tables, source.n_rows, lambda t: t.num_rows, source.meter)
    for table in _gather(read, len(columns) + len(beside)):
        rows += table.num_rows
        chosen = None if watch is None else watch.choose(table)
        taken = []
        for place, column in enumerate(table.columns):
            values = join_chunks(column)
            if place < len(columns):
                tallies[place] = _add(tallies[place], values, rooms[place])
            if watch is not None and chosen is not None:
                taken.append(watch.take(values, chosen))
        if watch is not None and chosen is not None:
            watch.keep(taken)
    return TableTally(rows, tallies)


def _count_strips(part: Source, *, rooms: Sequence[int], strip: int) -> dict[str, TableTally]:
    """Count what the columns of one part of a table hold, some columns under each name."""
    found = _count_rows(part, range(len(part.names)), rooms)
    cuts = range(0, max(len(found.columns), 1), strip)
    return {str(i): TableTally(found.rows, found.columns[i : i + strip]) for i in cuts}


def _join(a: TableTally, b: TableTally) -> TableTally:
    """Add the counts of two parts of a table."""
    return TableTally(a.rows + b.rows, list(map(_join_columns, a.columns, b.columns)))


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


def _join_strips(strips: Mapping[str, TableTally], width: int) -> TableTally:
    order = sorted(strips, key=int)
    if not order:  # a table without parts
        return TableTally(0, [None] * width)
    columns = [column for name in order for column in strips[name].columns]
    return TableTally(strips[order[0]].rows, columns)


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
