"""A table written anew before it is summed up: counts as logarithms, or columns by Pareto's rule.

Counts are divided by the size of their row (its sum over the mean sum of all rows), then log1p;
what is 0 stays 0, so a sparse table stays sparse. Pareto scaling divides every column by the root
of its standard deviation. Both need one pass before, whose sums merge in any order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy.sparse

from tamis.errors import TamisError, in_sentence, spell
from tamis.numerics.types import Floats
from tamis.registry.scale import Scale
from tamis.sources.source import Source
from tamis.statistics.count_table import MIN_COUNT_COLUMNS, MIN_SPARSE_SHARE, find_counts
from tamis.statistics.missing_cells import as_float64
from tamis.statistics.moments import Weights, compute_spread, count_rows, sparse_spread
from tamis.statistics.row_rules import RowRules, RulesInOrder
from tamis.statistics.units import divide_columns

_UNIT_DIGITS = 2.0**30


class Rewriting(Protocol):
    """What is done to the rows of a table."""

    def rewrite(self, rows: Any) -> Any:
        """Give some rows anew, dense or sparse as they came; missing values stay missing."""


@dataclass(frozen=True)
class LogCounts:
    """Counts by the size of their row, then log1p; `size` is the mean sum of a row.

    >>> LogCounts(4.0).rewrite(np.array([[1.0, 1.0], [0.0, 8.0]])).round(3).tolist()
    [[1.099, 1.099], [0.0, 1.609]]
    """

    size: float

    def rewrite(self, rows: Any) -> Any:
        """Give some rows as logarithms."""
        factors = _row_sums(rows) / self.size if self.size else np.ones(rows.shape[0])
        factors[factors == 0] = 1.0
        if not scipy.sparse.issparse(rows):
            return np.log1p(as_float64(rows) / factors[:, None])
        cells = scipy.sparse.csr_array(rows, dtype=np.float64, copy=True)
        cells.sum_duplicates()
        cells.data = np.log1p(cells.data / np.repeat(factors, np.diff(cells.indptr)))
        return cells


@dataclass(frozen=True, eq=False)
class ParetoUnits:
    """Columns divided by the root of their standard deviation."""

    units: Floats

    def rewrite(self, rows: Any) -> Any:
        """Give some rows in these units."""
        if scipy.sparse.issparse(rows):
            return divide_columns(scipy.sparse.csr_array(rows, dtype=np.float64), self.units)
        return as_float64(rows) / self.units


class ScaledSource(Source):
    """A table whose columns to be analysed are written anew; all others are as they were."""

    def __init__(self, inner: Source, columns: Sequence[int], rewriting: Rewriting) -> None:
        self._inner, self._columns, self._rewriting = inner, list(columns), rewriting
        self.info = inner.info

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns; the size of a row is of all that are analysed."""
        columns = list(columns)
        places = [self._columns.index(j) for j in columns]
        for rows in self._inner.batches(self._columns):
            found = self._rewriting.rewrite(rows)
            yield found if columns == self._columns else found[:, places]

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, as it was."""
        return self._inner.pick(columns)

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield columns as Arrow tables: numbers written anew, text and labels as they were."""
        if not set(columns) & set(self._columns):
            yield from self._inner.tables(columns, mark_missing=mark_missing)
            return
        import pyarrow as pa

        from tamis.sources.files import as_floats

        beside = [j for j in columns if j not in self._columns]
        wanted, width = [*self._columns, *beside], len(self._columns)
        places = [wanted.index(j) for j in columns]
        for table in self._inner.tables(wanted, mark_missing=mark_missing):
            for batch in table.combine_chunks().to_batches():
                found = self._rewriting.rewrite(as_floats(batch.select(list(range(width)))))
                values = [found[:, i] if i < width else batch.column(i) for i in places]
                yield pa.table(dict(zip((self.names[j] for j in columns), values, strict=True)))


def settle_scale(
    source: Source, columns: Sequence[int], scale: Scale, checkpoint: str | None = None
) -> Scale:
    """Let the table decide where that is wanted, for counts or else the standard scale.

    A `checkpoint` keeps sums of the table as it is.
    """
    if checkpoint is not None and scale.rewrites:
        raise TamisError(
            f"{spell('checkpoint', checkpoint)} and {spell('scale', scale.asked)}: a "
            "checkpoint keeps sums of the table as it is; give one of them."
        )
    if not scale.looks:
        return scale
    numbers = _numbers(source, columns)
    if checkpoint is not None or not _can_be_looked_at(source, numbers, columns):
        return Scale.STANDARD
    found = find_counts(source.batches(numbers))
    if found is None:
        return Scale.STANDARD
    said = (
        f"Sparse counts ({found.zero_share:.0%} zeros): divided by the sum of their row, then "
        f"log1p, not standardised; {spell('scale', 'standard')} standardises the columns."
    )
    source.info = source.info.with_doubts([said])
    return Scale.COUNTS


def _can_be_looked_at(source: Source, numbers: Sequence[int], columns: Sequence[int]) -> bool:
    """Whether nearly all columns are numbers, of a table that can be read once more."""
    if len(numbers) < MIN_COUNT_COLUMNS or source.info.once or not source.has_rows:
        return False
    return len(numbers) >= MIN_SPARSE_SHARE * len(columns)


def _numbers(source: Source, columns: Sequence[int]) -> list[int]:
    """Give the columns without text: names of cells and labels may stand beside counts."""
    return [j for j in columns if source.kinds[j] != "categorical"]


def rewrite_source(
    source: Source, columns: Sequence[int], scale: Scale, rules: RowRules | None = None
) -> Source:
    """Give the table as it is to be summed up; the columns have the same places.

    Rows count as `rules` say.
    """
    columns, ahead = _numbers(source, columns), RulesInOrder(rules)
    if not scale.rewrites or not columns:
        return source
    _check_rewritable(source, scale)
    if scale.takes_roots:
        return ScaledSource(source, columns, ParetoUnits(_pareto_units(source, columns, ahead)))
    total, rows = 0.0, 0.0
    for batch in source.batches(columns):
        _check_counts(source, columns, batch, scale)
        weights = ahead.take(batch.shape[0]).weights
        sums = _row_sums(batch)
        total += float(sums.sum() if weights is None else weights @ sums)
        rows += count_rows(batch, weights)
    return ScaledSource(source, columns, LogCounts(total / max(rows, 1)))


def _check_rewritable(source: Source, scale: Scale) -> None:
    asked = spell("scale", scale.asked)
    if not source.has_rows:
        raise TamisError(
            f"{asked}: {in_sentence(source.label)} is a summary without rows; omit it, or give "
            "the table."
        )
    if source.info.once:
        raise TamisError(
            f"{source.label} can be read only once, and {asked} needs a second pass: give a "
            "function that opens it anew, or a table (`.read_all()`)."
        )


def _check_counts(source: Source, columns: Sequence[int], rows: Any, scale: Scale) -> None:
    """Refuse values below 0."""
    below = rows < 0
    if not (below.nnz if scipy.sparse.issparse(rows) else below.any()):
        return
    places = below.nonzero()[1]
    raise TamisError(
        f"{spell('scale', scale.asked)} is for counts, and column "
        f"{source.names[columns[int(places.min())]]!r} has values below 0: omit it."
    )


def _row_sums(rows: Any) -> Floats:
    """Add the values of every row that are there."""
    if not scipy.sparse.issparse(rows):
        values = as_float64(rows)
        return np.asarray(values.sum(axis=1, where=np.isfinite(values)))
    cells = scipy.sparse.csr_array(rows, dtype=np.float64, copy=True)
    cells.data[~np.isfinite(cells.data)] = 0.0
    return np.asarray(cells.sum(axis=1)).ravel()


def _pareto_units(source: Source, columns: Sequence[int], ahead: RulesInOrder) -> Floats:
    """Give the root of the standard deviation of every column, 1 where it is constant."""
    count, mean, squares = (np.zeros(len(columns)) for _ in range(3))
    for batch in source.batches(columns):
        n, centre, own = _spread_of(batch, ahead.take(batch.shape[0]).weights)
        total = np.where(count + n > 0, count + n, 1.0)
        apart = centre - mean
        squares = squares + own + np.square(apart) * count * n / total
        mean, count = mean + apart * n / total, count + n
    units = np.sqrt(np.sqrt(squares / np.where(count > 0, count, 1.0)))
    # Folds follow from hashes of the rows: the last digit must not hang on the order of the sums.
    digits, power = np.frexp(units)
    units = np.ldexp(np.round(digits * _UNIT_DIGITS) / _UNIT_DIGITS, power)
    return np.where(units > 0, units, 1.0)


def _spread_of(rows: Any, weights: Weights | None) -> tuple[Floats, Floats, Floats]:
    """Give the number of values, their mean and squares about it, by column."""
    if weights is None and scipy.sparse.issparse(rows) and not np.isnan(rows.data).any():
        n = float(rows.shape[0])
        mean, squares = sparse_spread(scipy.sparse.csr_array(rows, dtype=np.float64))
        return np.full(rows.shape[1], n), mean, np.square(compute_spread(squares, mean, int(n))) * n
    values = as_float64(rows.toarray() if scipy.sparse.issparse(rows) else rows)
    known = np.isfinite(values)
    each = np.ones(len(values)) if weights is None else weights.astype(np.float64)
    count = each @ known
    mean = each @ np.where(known, values, 0.0) / np.where(count > 0, count, 1.0)
    apart = np.where(known, values - mean, 0.0)
    return count, mean, np.einsum("i,ij,ij->j", each, apart, apart)
