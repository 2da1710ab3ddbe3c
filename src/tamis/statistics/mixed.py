"""Batches of a table with numbers and categories side by side, and their missing values."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tamis.memory import batch_rows
from tamis.numerics.hashing import hash_bits
from tamis.numerics.row_chunks import lay_in_rows
from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.classes import RowLabels, add_labels
from tamis.statistics.fills import fill_missing
from tamis.statistics.missing import Tally, are_harmless, as_float64
from tamis.statistics.row_hash import Hashes, sum_bits, text_bits
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class MixedRows:
    """Some rows: `numbers` (NaN where missing) of the numeric columns, Arrow arrays of the others.

    `numeric` and `categorical` are the positions of these columns among those read; `labels` are
    those of the rows, for a method that learns from them.
    """

    numeric: tuple[int, ...]
    numbers: Floats
    categorical: tuple[int, ...]
    texts: tuple[Any, ...]
    labels: RowLabels | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def count_missing(self) -> NDArray[np.intp]:
        """Count the missing values of every column."""
        counts = np.zeros(len(self.numeric) + len(self.categorical), dtype=np.intp)
        if not self.good.all():
            counts[list(self.numeric)] = np.isnan(self.numbers).sum(axis=0)
        for j, text in zip(self.categorical, self.texts, strict=True):
            counts[j] = text.null_count
        return counts

    @cached_property
    def good(self) -> NDArray[np.bool_]:
        """Which rows have no missing value."""
        good = np.ones(len(self), dtype=bool)
        if not are_harmless(self.numbers):
            good &= ~np.isnan(self.numbers).any(axis=1)
        for text in self.texts:
            if text.null_count:
                good &= np.asarray(pc.is_valid(text))
        return good

    def fill_numbers(self, values: Floats | None) -> Floats:
        """Give the numbers with these values for missing ones; without values as they are."""
        if values is None or not np.isnan(self.numbers).any():
            return self.numbers
        return fill_missing(self.numbers, values)

    def hashes(self, names: Sequence[str]) -> Hashes:
        """Give every row a number that follows from its values, whatever they are encoded as."""
        sums = sum_bits(self.numbers, [names[j] for j in self.numeric])
        for j, text in zip(self.categorical, self.texts, strict=True):
            sums = sums + text_bits(text, names[j])
        return hash_bits(sums)

    def complete(self) -> "MixedRows":
        """Drop the rows with missing values or without a label."""
        good = self.good.copy()
        if self.labels is not None:
            good &= self.labels.known
        if good.all():
            return self
        mask = pa.array(good)
        texts = tuple(text.filter(mask) for text in self.texts)
        labels = None if self.labels is None else self.labels.where(good)
        return MixedRows(self.numeric, self.numbers[good], self.categorical, texts, labels)


def read_mixed_rows(
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    tally: Tally | None = None,
    labels: RowLabels | int | None = None,
) -> Iterator[MixedRows]:
    """Read these columns in batches; rows with missing values are dropped if `missing` says so.

    A `tally` counts them, unless they are refused later. `labels` is the position of the column
    that holds them, or all of them.
    """
    tally = Tally(len(columns)) if tally is None else tally
    for rows in read_raw_rows(source, columns, labels):
        yield clean_mixed(rows, missing, tally)
    tally.check_left([source.names[j] for j in columns], MissingPolicy.filling(takes_text=True))


def read_raw_rows(
    source: Source, columns: Sequence[int], labels: RowLabels | int | None = None
) -> Iterator[MixedRows]:
    """Read these columns in batches as they are."""
    kinds = [source.kinds[j] for j in columns]
    texts = tuple(i for i, kind in enumerate(kinds) if kind == "categorical")
    numbers = tuple(i for i, kind in enumerate(kinds) if kind != "categorical")
    along, beside = (labels, None) if isinstance(labels, int) else (None, labels)
    if texts or along is not None:
        found = _read_batches(source, columns, numbers, texts, along)
    else:
        step = batch_rows(len(columns))
        found = (r for batch in source.batches(columns) for r in cut_batch(batch, numbers, step))
    if beside is not None:
        found = add_labels(found, beside, source)
    return track("rows read", found, source.n_rows, len, source.meter)


def clean_mixed(rows: MixedRows, missing: MissingPolicy, tally: Tally) -> MixedRows:
    """Drop rows with missing values or without a label if that is asked for, and count them."""
    if missing.takes_infinite:
        rows = replace(rows, numbers=tally.mark_infinite(rows.numbers))
    kept = rows.complete() if missing.drops else rows
    good, labelled = rows.good, 0 if rows.labels is None else int(rows.labels.known.sum())
    counts = None if missing.refuses else rows.count_missing()
    tally.add(len(rows), len(kept), counts, int(good.sum()))
    if missing.drops and rows.labels is not None:
        tally.unlabelled += len(rows) - labelled
    return kept


def cut_batch(batch: Any, numeric: tuple[int, ...], step: int) -> Iterator[MixedRows]:
    """Cut numbers into so many rows at a time, laid in rows."""
    for start in range(0, batch.shape[0], step):
        part = batch[start : start + step]
        yield MixedRows(numeric, lay_in_rows(as_float64(part)), (), ())


def _read_batches(
    source: Source,
    columns: Sequence[int],
    numeric: tuple[int, ...],
    texts: tuple[int, ...],
    labels: int | None,
) -> Iterator[MixedRows]:
    step = batch_rows(len(columns))
    wanted = [*columns, *([] if labels is None else [labels])]
    for table in source.tables(wanted, mark_missing=True):
        for batch in table.combine_chunks().to_batches(max_chunksize=step):
            if batch.num_rows:
                found = rows_of_batch(batch, numeric, texts)
                own = None if labels is None else RowLabels.of_column(batch.column(len(columns)))
                yield replace(found, labels=own)


def rows_of_batch(batch: Any, numeric: tuple[int, ...], texts: tuple[int, ...]) -> MixedRows:
    """Read a batch of Arrow, of which these columns are numbers and those text."""
    from tamis.sources.arrow import as_floats

    numbers = as_floats(batch.select(list(numeric)))
    return MixedRows(numeric, numbers, texts, tuple(_as_values(batch.column(i)) for i in texts))


def _as_values(column: Any) -> Any:
    """Give text as plain text, and categories of any kind by their names."""
    if pa.types.is_dictionary(column.type):
        names = [None if name is None else str(name) for name in column.dictionary.to_pylist()]
        return pa.array(names, pa.string()).take(column.indices)
    odd = pa.types.is_string_view(column.type) or pa.types.is_null(column.type)
    return column.cast(pa.string()) if odd else column
