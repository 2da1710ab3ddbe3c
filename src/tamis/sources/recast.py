"""A table with some columns read as another kind: codes as categories, texts as amounts."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from tamis.errors import TamisError, spell
from tamis.sources.amounts import Notation, notation_of, parse_amount
from tamis.sources.files import as_floats
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.sources.wrapping import WrappingSource

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
