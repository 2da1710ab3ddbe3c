"""A table in which some texts and values stand for missing ones, and some texts are numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse

from tamis.errors import TamisError, spell
from tamis.sources.amounts import parse_amount
from tamis.sources.files import as_floats
from tamis.sources.plain_arrays import as_arrow, as_texts
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
