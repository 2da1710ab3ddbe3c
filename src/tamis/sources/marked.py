"""A table in which some texts and values stand for missing ones, and some texts are numbers."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse

from tamis.errors import TamisError, spell
from tamis.sources.amounts import Notation, notation_of, parse_amount
from tamis.sources.arrow import as_arrow, as_floats, as_texts
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.sources.wrapping import WrappingSource

__all__ = ["MarkedSource", "Reading"]


@dataclass(frozen=True)
class Reading:
    """How a column is read.

    `absent` are numbers and `marks` texts that stand for a missing value. A column of text with a
    `decimal` mark is read as numbers.
    """

    absent: frozenset[float] = field(default_factory=frozenset)
    marks: frozenset[str] = field(default_factory=frozenset)
    decimal: str = ""


class MarkedSource(WrappingSource):
    """A source behind which some values are missing; `unfit` columns are not analysed unasked."""

    def __init__(
        self, inner: Source, readings: Mapping[int, Reading], unfit: Mapping[str, str] | None = None
    ) -> None:
        self._inner = inner
        self._readings = {
            j: one for j, one in readings.items() if one.absent or one.marks or one.decimal
        }
        self.summary = inner.summary
        kinds = list(inner.kinds)
        for j, one in self._readings.items():
            if one.decimal and kinds[j] == "categorical":
                kinds[j] = "numeric"
        self.info = replace(
            inner.info, kinds=tuple(kinds), unfit={**inner.info.unfit, **(unfit or {})}
        )

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, missing ones as NaN."""
        changed = [(i, self._readings[j]) for i, j in enumerate(columns) if j in self._readings]
        if any(one.decimal for _, one in changed):
            for table in self.tables(columns, mark_missing=True):
                for batch in table.combine_chunks().to_batches():
                    yield as_floats(batch)
            return
        for batch in self._inner.batches(columns):
            for i, one in changed:
                batch = self._without(batch, i, one, self.names[columns[i]])
            yield batch

    @staticmethod
    def _without(batch: Any, i: int, reading: Reading, name: str) -> Any:
        if scipy.sparse.issparse(batch):
            raise TamisError(
                f"{spell('na', [f'{name}={min(reading.absent):.15g}'])}: the table is sparse and "
                "has no missing values, turn it into a dense one."
            )
        found = np.isin(batch[:, i], list(reading.absent))
        if found.any():
            batch = np.array(batch, dtype=np.result_type(batch.dtype, np.float32), copy=True)
            batch[found, i] = np.nan
        return batch

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns as Arrow tables, missing values as nulls."""
        changed = [(i, self._readings[j]) for i, j in enumerate(columns) if j in self._readings]
        mark = mark_missing or any(one.decimal for _, one in changed)
        for table in self._inner.tables(columns, mark_missing=mark):
            arrays = table.columns
            for i, one in changed:
                arrays[i] = read_column(arrays[i], one)
            yield pa.table(arrays, names=table.column_names)

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, as they were written."""
        return self._inner.pick(columns)


def read_column(values: Any, reading: Reading) -> Any:
    """Put nulls in place of marks, and numbers in place of texts that are such."""
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
    if not reading.absent or not _holds_numbers(values.type):
        return values
    floats = values.cast(pa.float64(), safe=False)
    gone = pc.is_in(floats, as_arrow(np.array(sorted(reading.absent), dtype=np.float64)))
    return pc.if_else(gone, pa.nulls(1, values.type)[0], values)


def _holds_numbers(dtype: Any) -> bool:
    return pa.types.is_integer(dtype) or pa.types.is_floating(dtype) or pa.types.is_decimal(dtype)


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


_NUMBER_KINDS = ("numeric", "boolean")
_SHOWN_UNITS = 5


class RecastSource(WrappingSource):
    """A source behind which some columns have another kind than they had."""

    def __init__(
        self, inner: Source, categories: Sequence[str | int], numbers: Sequence[str | int]
    ) -> None:
        self._inner = inner
        self._categories = set(find_positions(inner, categories))
        amounts = find_positions(inner, numbers)
        for j in amounts:
            if j in self._categories:
                both = [inner.names[j]]
                raise TamisError(
                    f"{spell('categories', both)} and {spell('numbers', both)}: a column is "
                    "taken as one of them, omit the other."
                )
        # What is a number already stays what it is: 3.117 is not read as 3,117 a second time.
        texts = [j for j in amounts if inner.kinds[j] not in _NUMBER_KINDS]
        self._marks = {j: _mark(inner, j) for j in texts}
        kinds = list(inner.kinds)
        for j in self._categories:
            kinds[j] = "categorical"
        for j in self._marks:
            kinds[j] = "numeric"
        self.info = replace(inner.info, kinds=tuple(kinds))

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns, amounts read."""
        if not self._marks.keys() & set(columns):
            yield from self._inner.batches(columns)
            return
        for table in self.tables(columns):
            for batch in table.combine_chunks().to_batches():
                yield as_floats(batch)

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns as Arrow tables, of the kinds they are taken for."""
        recast = self._marks.keys() & set(columns)
        for table in self._inner.tables(columns, mark_missing=mark_missing or bool(recast)):
            for position, j in enumerate(columns):
                if j in self._categories:
                    table = table.set_column(position, self.names[j], _as_text(table[position]))
                elif j in self._marks:
                    table = table.set_column(
                        position, self.names[j], self._read(j, table[position])
                    )
            yield table

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, as they were written."""
        return self._inner.pick(columns)

    def _read(self, column: int, texts: Any) -> Any:
        values = []
        for text in texts.to_pylist():
            value = None if text is None else parse_amount(str(text), self._marks[column])
            if text is not None and value is None:
                raise TamisError(
                    f"Column {self.names[column]!r} has the text {str(text)[:40]!r}, which is no "
                    f"amount: fix it, or do not name the column in {spell('numbers', '...')}."
                )
            values.append(value)
        return pa.chunked_array([pa.array(values, pa.float64())])


def _as_text(column: Any) -> Any:
    if pa.types.is_dictionary(column.type):
        return column
    return column.cast(pa.string())


def _mark(source: Source, column: int) -> str:
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
