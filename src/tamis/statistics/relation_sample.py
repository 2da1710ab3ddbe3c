"""Rows of a table that show which columns others determine: the same whatever their order."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tamis.numerics.types import Floats, Indices
from tamis.sources.files import as_floats
from tamis.sources.marked import Reading, read_column
from tamis.statistics.row_hash import Hashes, hash_name, row_hashes

__all__ = ["RelationSample"]

MAX_RELATED_ROWS = 5_000
MIN_SAMPLED_ROWS = 300
MAX_SAMPLED_CELLS = 2_000_000
MAX_RELATED_COLUMNS = 10_000
FEW_HASHED_COLUMNS = 16  # to hash all values of a long table takes as long as to read it
MAX_TEXT_BYTES = 200  # of a text, which may be a mark, a code or a number


class RelationSample:
    """The rows of a table with the smallest hashes, taken while it is read for something else.

    Columns of text are kept as such: what is a number in them is known only when all was read.
    """

    def __init__(self, width: int) -> None:
        room = int(np.clip(MAX_SAMPLED_CELLS // max(width, 1), MIN_SAMPLED_ROWS, MAX_RELATED_ROWS))
        self._room = room if width <= MAX_RELATED_COLUMNS else 0
        self._tables: list[Any] = []  # rows that were taken, some of which may be needed no more
        self._rows: Indices = np.zeros(0, dtype=np.intp)  # those needed, in the order of the hashes
        self._tidy = True  # whether one table has just these rows, in this order
        self._hashes: Hashes = np.zeros((0, 2), dtype=np.uint64)
        self._places: Indices = np.zeros(0, dtype=np.intp)
        self.seen = 0

    @property
    def takes_rows(self) -> bool:
        """Whether rows are sampled at all: not of a table of too many columns."""
        return self._room > 0

    def add(self, table: Any) -> None:
        """Take in some rows, as an Arrow table; parts of other types are not sampled."""
        start, self.seen = self.seen, self.seen + table.num_rows
        if not self._room or not table.num_rows:
            return
        table = _simplify(table)
        if self._tables and self._tables[0].schema != table.schema:
            self._room, self._tables = 0, []
            return
        near = self._find_near(table)
        if not len(near):
            return
        fresh = table.take(_as_positions(near))
        # Rows that are alike in a few columns are told apart by all; the second hash decides.
        hashes = np.concatenate([self._hashes, _hash_pairs(fresh)])
        order = np.lexsort((hashes[:, 1], hashes[:, 0]))[: self._room]
        taken = sum(one.num_rows for one in self._tables)
        self._tables.append(fresh)
        self._tidy = False
        self._rows = np.concatenate([self._rows, taken + np.arange(len(near))])[order]
        self._hashes = hashes[order]
        self._places = np.concatenate([self._places, near + start])[order]
        if taken > 2 * self._room:
            self._take_needed()

    def _take_needed(self) -> Any:
        """Give the sampled rows as one table, and forget all others; None where there are none."""
        if not self._tables or self._tidy:
            return self._tables[0] if self._tables else None
        held = pa.concat_tables(self._tables).combine_chunks().take(_as_positions(self._rows))
        self._tables, self._rows, self._tidy = [held], np.arange(len(self._rows)), True
        return held

    def _find_near(self, table: Any) -> Indices:
        """Give the rows that may be among those with the smallest hashes, by a few columns."""
        hashes = _hash_few(table)
        if len(self._hashes) == self._room:
            return np.flatnonzero(hashes <= self._hashes[-1, 0])
        most = min(self._room, len(hashes)) - 1
        return np.flatnonzero(hashes <= np.partition(hashes, most)[most])

    @property
    def places(self) -> Indices:
        """Which rows of the table were taken."""
        return self._places

    @property
    def is_whole(self) -> bool:
        """Whether all rows are there."""
        return len(self._places) == self.seen

    def numbers(self, columns: Sequence[int], readings: Mapping[int, Reading]) -> Floats:
        """Give columns as numbers, NaN where there is none, each read as said."""
        found = np.full((len(self._places), len(columns)), np.nan)
        held = self._take_needed()
        for i, j in enumerate(columns if held is not None else ()):
            found[:, i] = _as_floats(read_column(held.column(j), readings.get(j, Reading())))
        return found

    def texts(self, column: int) -> list[Any] | None:
        """Give the values of one column as they are, None where no rows were taken."""
        held = self._take_needed()
        return None if held is None else held.column(column).to_pylist()


def _as_positions(order: Indices) -> Any:
    """Give positions to Arrow as they lie in memory: `pa.array` would load pandas."""
    buffer = pa.py_buffer(np.ascontiguousarray(order, dtype=np.int64))
    return pa.Array.from_buffers(pa.int64(), len(order), [None, buffer])


def _simplify(table: Any) -> Any:
    """Give the columns as numbers or plain strings, those of other types without values."""
    columns = []
    for column in table.columns:
        kind = column.type
        if pa.types.is_dictionary(kind):
            column = pa.chunked_array([_decode(chunk) for chunk in column.chunks])
            kind = column.type
        if str(kind) == "string_view" or pa.types.is_large_string(kind):
            column = column.cast(pa.string())
        elif pa.types.is_decimal(kind):
            column = column.cast(pa.float64())
        elif not _is_plain(kind):
            column = pa.nulls(table.num_rows, pa.float64())
        columns.append(_cut(column))
    return pa.table(columns, names=list(table.column_names))


def _decode(chunk: Any) -> Any:
    """Write out a coded column; long texts are cut where each stands once."""
    return pa.DictionaryArray.from_arrays(chunk.indices, _cut(chunk.dictionary)).dictionary_decode()


def _cut(column: Any) -> Any:
    """Cut long texts: a few of them may stand for more than there is memory."""
    if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        return column
    longest = pc.max(pc.binary_length(column)).as_py()
    if longest is None or longest <= MAX_TEXT_BYTES:
        return column
    return pc.utf8_slice_codeunits(column, 0, MAX_TEXT_BYTES)


def _is_plain(kind: Any) -> bool:
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    return number or pa.types.is_string(kind)


def _hash_pairs(table: Any) -> Hashes:
    """Give every row two hashes: of a few columns, and of all."""
    rest = row_hashes(_hashed_values(table), table.column_names)
    return np.column_stack([_hash_few(table), rest])


def _hash_few(table: Any) -> Hashes:
    """Give every row a hash of a few columns, which their names decide and not their order."""
    few = sorted(table.column_names, key=hash_name)[:FEW_HASHED_COLUMNS]
    return row_hashes(_hashed_values(table.select(few)), few)


def _hashed_values(table: Any) -> Floats:
    """Give a number for every value: itself, or the length of a text."""
    columns = [
        pc.utf8_length(column) if pa.types.is_string(column.type) else column
        for column in table.columns
    ]
    return as_floats(pa.record_batch([_join_chunks(one) for one in columns], table.column_names))


def _as_floats(column: Any) -> Floats:
    if pa.types.is_string(column.type):
        return np.full(len(column), np.nan)
    return as_floats(pa.record_batch([_join_chunks(column)], names=["values"]))[:, 0]


def _join_chunks(column: Any) -> Any:
    chunks = column.chunks
    return chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks)
