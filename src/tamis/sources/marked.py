"""A table in which some texts and values stand for missing ones, and some texts are numbers."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse

from tamis.errors import TamisError, spell
from tamis.rules.kinds import NUMBER_KINDS
from tamis.sources.amounts import Notation, notation_of, parse_amount
from tamis.sources.arrow import as_arrow, as_floats, as_texts
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.sources.wrapping import WrappingSource
from tamis.values import dataclass

_SHOWN_UNITS = 5


@dataclass(frozen=True)
class Reading:
    """How a column is read.

    `absent` are numbers and `marks` texts that stand for a missing value. A column of text with a
    `decimal` mark is read as numbers; one that was asked for as `amounts` has no other text. With
    `as_text` it is text, whatever it holds.
    """

    absent: frozenset[float] = field(default_factory=frozenset)
    marks: frozenset[str] = field(default_factory=frozenset)
    decimal: str = ""
    amounts: bool = False
    as_text: bool = False


class MarkedSource(WrappingSource):
    """A source whose columns are read anew: some values are missing, some have another kind."""

    def __init__(self, inner: Source, readings: Mapping[int, Reading]) -> None:
        self._inner, self.summary = inner, inner.summary
        self._readings = {j: reading for j, reading in readings.items() if reading != Reading()}
        kinds = list(inner.kinds)
        for j, reading in self._readings.items():
            if reading.as_text:
                kinds[j] = "categorical"
            elif reading.amounts or (reading.decimal and kinds[j] == "categorical"):
                kinds[j] = "numeric"
        self.info = replace(inner.info, kinds=tuple(kinds))

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, missing ones as NaN."""
        changed = self._changed(columns)
        if any(reading.decimal for _, reading in changed):
            for table in self.tables(columns, mark_missing=True):
                for batch in table.combine_chunks().to_batches():
                    yield as_floats(batch)
            return
        for batch in self._inner.batches(columns):
            for i, reading in changed:
                if reading.absent:
                    batch = _remove_values(batch, i, reading.absent, self.names[columns[i]])
            yield batch

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns as Arrow tables, missing values as nulls."""
        changed = self._changed(columns)
        mark = mark_missing or any(reading.decimal for _, reading in changed)
        for table in self._inner.tables(columns, mark_missing=mark):
            arrays = table.columns
            for i, reading in changed:
                arrays[i] = read_column(arrays[i], reading, self.names[columns[i]])
            yield pa.table(arrays, names=table.column_names)

    def _changed(self, columns: Sequence[int]) -> list[tuple[int, Reading]]:
        return [(i, self._readings[j]) for i, j in enumerate(columns) if j in self._readings]

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, as they were written."""
        return self._inner.pick(columns)


def _remove_values(batch: Any, i: int, absent: Collection[float], name: str) -> Any:
    if scipy.sparse.issparse(batch):
        raise TamisError(
            f"{spell('na', [f'{name}={min(absent):.15g}'])}: the table is sparse and has no "
            "missing values, turn it into a dense one."
        )
    found = np.isin(batch[:, i], list(absent))
    if found.any():
        batch = np.array(batch, dtype=np.result_type(batch.dtype, np.float32), copy=True)
        batch[found, i] = np.nan
    return batch


def read_column(values: Any, reading: Reading, name: str = "") -> Any:
    """Put nulls in place of marks, and numbers in place of texts that are such."""
    if reading.amounts:
        return pa.chunked_array([_parse_amounts(values, reading.decimal, name)])
    if reading.as_text:
        return values if pa.types.is_dictionary(values.type) else values.cast(pa.string())
    if pa.types.is_dictionary(values.type):
        values = pa.chunked_array([chunk.dictionary_decode() for chunk in values.chunks])
    if str(values.type) == "string_view":
        values = values.cast(pa.string())
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        bare = pc.utf8_trim_whitespace(values)
        gone = pc.is_in(bare, as_texts(sorted({*reading.marks, ""})).cast(values.type))
        values = pc.if_else(gone, pa.nulls(1, values.type)[0], values)
        if not reading.decimal:
            return values
        values = _as_numbers(pc.utf8_trim_whitespace(values), reading.decimal)
    types, kind = pa.types, values.type
    numbers = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    if not reading.absent or not numbers:
        return values
    floats = values.cast(pa.float64(), safe=False)
    gone = pc.is_in(floats, as_arrow(np.array(sorted(reading.absent), dtype=np.float64)))
    return pc.if_else(gone, pa.nulls(1, values.type)[0], values)


def _as_numbers(texts: Any, decimal: str) -> Any:
    """Read all texts as numbers, most of them at once; one that is none is missing."""
    if decimal == ".":
        try:
            return pc.utf8_ltrim(texts, "+").cast(pa.float64())
        except pa.ArrowInvalid:
            pass
    values = [None if text is None else parse_amount(text, decimal) for text in texts.to_pylist()]
    found = as_arrow(np.array(values, dtype=np.float64))  # NaN for None
    return pa.chunked_array([pc.if_else(pc.is_nan(found), pa.nulls(1, pa.float64())[0], found)])


def _parse_amounts(texts: Any, decimal: str, name: str) -> Any:
    """Read all texts as amounts, and refuse one that is none."""
    values: list[float | None] = []
    for text in texts.to_pylist():
        values.append(None if text is None else parse_amount(str(text), decimal))
        if text is not None and values[-1] is None:
            raise TamisError(
                f"Column {name!r} has the text {str(text)[:40]!r}, which is no amount: fix it, or "
                f"do not name the column in {spell('numbers', '...')}."
            )
    return pa.array(values, pa.float64())


def recast(
    source: Source, categories: Sequence[str | int], numbers: Sequence[str | int]
) -> MarkedSource:
    """Give a source behind which these columns are categories, and these texts are amounts."""
    as_text, amounts = find_positions(source, categories), find_positions(source, numbers)
    if both := [source.names[j] for j in amounts if j in as_text][:1]:
        raise TamisError(
            f"{spell('categories', both)} and {spell('numbers', both)}: a column is taken as one "
            "of them, omit the other."
        )
    # What is a number already stays what it is: 3.117 is not read as 3,117 a second time.
    texts = [j for j in amounts if source.kinds[j] not in NUMBER_KINDS]
    readings = {j: Reading(decimal=_find_decimal(source, j), amounts=True) for j in texts}
    marked = MarkedSource(source, readings | dict.fromkeys(as_text, Reading(as_text=True)))
    marked.summary = None  # its columns would have to be read anew
    return marked


def _find_decimal(source: Source, column: int) -> str:
    """Find the decimal mark by all texts of a column: some rows alone may mislead."""
    seen, name = Notation(), source.names[column]
    for table in source.tables([column], mark_missing=True):
        texts = {str(text) for text in table.column(0).to_pylist() if text is not None}
        seen += notation_of(sorted(texts))
    if seen.odd is not None:
        raise TamisError(
            f"Column {name!r} has the text {seen.odd[:40]!r}, which is no amount such as "
            f"'€ 1,234.50': fix it, or do not name the column in {spell('numbers', '...')}."
        )
    if len(seen.units) > 1:
        raise TamisError(
            f"{spell('numbers', [name])}: the column has values in different units "
            f"({units_text(seen.units)}): convert them to one unit."
        )
    if seen.decimal is None:
        raise TamisError(
            f"{spell('numbers', [name])}: the column has a comma as the decimal mark in some "
            "values and a point in others: write all values in one way."
        )
    return seen.decimal


def units_text(units: Collection[str]) -> str:
    """Name units, few of them where they are many.

    >>> units_text(["kg", "", "g"])
    "'g', 'kg', no unit"
    """
    named = [repr(unit) for unit in sorted(units) if unit]
    few = [*named[:_SHOWN_UNITS], *["..."][: len(named) > _SHOWN_UNITS]]
    return ", ".join([*few, *["no unit"][: "" in units]])
