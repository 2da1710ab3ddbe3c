"""A table written anew before it is summed up: counts as logarithms, or columns by Pareto's rule.

Counts are divided by the size of their row (its sum over the mean sum of all rows), then log1p;
what is 0 stays 0, so a sparse table stays sparse. Pareto scaling divides every column by the root
of its standard deviation. Both need one pass before, whose sums merge in any order.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np
import scipy.sparse

from tamis.errors import TamisError, in_sentence, spell
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices, Mask
from tamis.registry.shared import Scale
from tamis.rules.kinds import (
    MAX_CODES,
    MAX_UNIT_RATIO,
    MIN_COUNT_COLUMNS,
    MIN_DOUBT_COLUMNS,
    MIN_DOUBT_ZEROS,
    MIN_LARGE_SHARE,
    MIN_REPEAT_SHARE,
    MIN_REPEATED,
    MIN_SPARSE_SHARE,
    MIN_ZERO_SHARE,
)
from tamis.sources.read import Accumulator, read
from tamis.sources.source import Source
from tamis.sources.wrapping import WrappingSource
from tamis.statistics.clipping import HashedSample
from tamis.statistics.column_spread import (
    Weights,
    compute_spread,
    count_rows,
    divide_columns,
    measure_spread,
    merge_means,
    sparse_spread,
)
from tamis.statistics.missing import as_float64
from tamis.values import dataclass

# Tables of sparse counts, and how they are known: reads of genes in cells, of words in texts.
#
# Standardised, a word that occurs once counts as much as one that occurs everywhere. The rule
# takes whole columns and all rows, so that it does not depend on the order of rows, batches or the
# engine. It was measured on real tables (`python -m benchmarks.counts`): zeros and ones alone are
# marks (fingerprints, answers), and codes of a questionnaire have too few zeros. Where it leaves
# doubt both scales are tried (`run/selection.py`).
_ROWS_FOR_COUNTS = 16


@dataclass(frozen=True, eq=False)
class CountEvidence:
    """What is known of a table without a value below 0.

    By column, without missing values: how many are `known` and `zeros`, whether there are
    `fractions`, and the `largest`.

    Examples
    --------
    >>> first, second = (CountEvidence.of_rows(np.array([row])) for row in ([0, 3.5], [1.0, 0]))
    >>> both = first.merge(second)
    >>> both.zeros, both.fractions, both.largest, CountEvidence.of_rows(np.array([[-1.0]])) is None
    (array([1, 1]), array([False,  True]), array([1. , 3.5]), True)
    """

    known: Indices
    zeros: Indices
    fractions: Mask
    largest: Floats

    @classmethod
    def of_rows(cls, rows: Any) -> Self | None:
        """Count in some rows, dense or sparse; None if any value is below 0 or infinite."""
        n, width = rows.shape
        if scipy.sparse.issparse(rows):
            return cls._of_sparse(scipy.sparse.csr_array(rows, dtype=np.float64, copy=True))
        values = as_float64(rows)
        if not n:
            none = np.zeros(width, dtype=np.intp)
            return cls(none, none, none > 0, np.zeros(width))
        gone, zeros = np.zeros((2, width), dtype=np.intp)
        least, largest = values.min(axis=0), values.max(axis=0)
        if np.isnan(largest).any():
            gone = np.isnan(values).sum(axis=0)
            least = np.fmin.reduce(values, axis=0, initial=0.0)
            largest = np.fmax.reduce(values, axis=0, initial=0.0)
        if (least < 0).any() or np.isinf(largest).any():
            return None
        if (some := least == 0).any():
            zeros[some] = n - np.count_nonzero(values[:, some], axis=0)
        broken = _have_fractions(values[:_ROWS_FOR_COUNTS])
        if not broken.all():  # in most tables of measurements a few rows have shown it
            some = ~broken
            broken[some] = _have_fractions(values if some.all() else values[:, some])
        return cls(n - gone, zeros, broken, largest)

    @classmethod
    def _of_sparse(cls, rows: Any) -> Self | None:
        rows.sum_duplicates()
        values, (n, width) = rows.data, rows.shape
        if (values < 0).any() or np.isinf(values).any():
            return None

        def count(some: Any) -> Indices:
            return np.bincount(rows.indices[some], minlength=width)

        largest, gone = np.zeros(width), np.isnan(values)
        np.fmax.at(largest, rows.indices, values)
        broken = count((values != np.rint(values)) & ~gone) > 0
        return cls(n - count(gone), n - count(values != 0), broken, largest)

    def merge(self, other: Self) -> Self:
        """Add what is known of other rows."""
        return type(self)(
            self.known + other.known,
            self.zeros + other.zeros,
            self.fractions | other.fractions,
            np.fmax(self.largest, other.largest),
        )

    @property
    def zero_share(self) -> float:
        """Share of all values that are 0."""
        return float(self.zeros.sum() / max(self.known.sum(), 1))

    @property
    def are_whole(self) -> bool:
        """Whether all values are integers."""
        return not bool(self.fractions.any())

    @property
    def are_counts(self) -> bool:
        """Whether this is surely a table of sparse counts."""
        return len(self.known) >= MIN_COUNT_COLUMNS and self._look_like_counts

    @property
    def leave_doubt(self) -> bool:
        """Whether standardised columns may be worse: of counts, or of what was made of them.

        Half of the values are zeros. The others are integers, some too large for codes, or all
        columns have fractions, in one unit.
        """
        sparse = (2 * self.zeros > self.known).mean()
        if len(self.known) < MIN_DOUBT_COLUMNS or min(self.zero_share, sparse) < MIN_DOUBT_ZEROS:
            return False
        if self.are_whole:
            counted = (self.largest > 1).mean() >= MIN_REPEATED
            large = (self.largest > MAX_CODES).mean() >= MIN_LARGE_SHARE
            return bool(self._look_like_counts or (counted and large))
        some = self.largest > 0
        most = MAX_UNIT_RATIO * np.median(self.largest[some])
        alike = self.fractions[some].mean() >= MIN_SPARSE_SHARE
        return bool(alike and self.largest.max() <= most)

    @property
    def _look_like_counts(self) -> bool:
        return bool(
            self.are_whole
            and self.zero_share >= MIN_ZERO_SHARE
            and (2 * self.zeros > self.known).mean() >= MIN_SPARSE_SHARE
            and (self.largest > 1).mean() >= MIN_REPEAT_SHARE
        )


def _have_fractions(values: Floats) -> Mask:
    return np.asarray(((values != np.rint(values)) & ~np.isnan(values)).any(axis=0))


class CountSearch(Accumulator):
    """The evidence of counts in some rows; None from the first value on that is below 0."""

    def __init__(self, evidence: CountEvidence | None) -> None:
        self.evidence = evidence

    def add(self, rows: Any) -> None:
        """Take in some rows: many tables show in their first values that they hold no counts."""
        few = rows.shape[0] > _ROWS_FOR_COUNTS
        if few and CountEvidence.of_rows(rows[:_ROWS_FOR_COUNTS]) is None:
            self._add_evidence(None)
        else:
            self._add_evidence(CountEvidence.of_rows(rows))

    def merge(self, other: "CountSearch") -> "CountSearch":
        """Add the evidence of other rows."""
        self._add_evidence(other.evidence)
        return self

    def join(self, values: Mapping[Any, Any]) -> None:
        """Take over what was found; without any part there is no evidence."""
        self.evidence = values[""].evidence if values else None

    def _add_evidence(self, more: CountEvidence | None) -> None:
        known = self.evidence
        self.evidence = None if more is None or known is None else known.merge(more)
        self.done = self.evidence is None


def measure_sizes(rows: Any, mean_sum: float) -> Floats:
    """Give the sum of each row of counts over the mean sum of a row, 1 for rows of zeros."""
    if (rows < 0).sum():
        raise TamisError(
            f"{spell('scale', 'counts')} is for counts, and a row has a value below 0: give "
            "counts, or choose the columns anew."
        )
    sizes = add_row_sums(rows) / mean_sum if mean_sum else np.ones(rows.shape[0])
    sizes[sizes == 0] = 1.0
    return sizes


def take_logarithms(rows: Any, mean_sum: float) -> Any:
    """Give counts by the size of their row, then log1p.

    >>> take_logarithms(np.array([[1.0, 1.0], [0.0, 8.0]]), 4.0).round(3).tolist()
    [[1.099, 1.099], [0.0, 1.609]]
    """
    factors = measure_sizes(rows, mean_sum)
    if not scipy.sparse.issparse(rows):
        return np.log1p(as_float64(rows) / factors[:, None])
    cells = scipy.sparse.csr_array(rows, dtype=np.float64, copy=True)
    cells.sum_duplicates()
    cells.data = np.log1p(cells.data / np.repeat(factors, np.diff(cells.indptr)))
    return cells


def add_row_sums(rows: Any) -> Floats:
    """Add the values of every row that are there."""
    if not scipy.sparse.issparse(rows):
        values = as_float64(rows)
        return np.asarray(values.sum(axis=1, where=np.isfinite(values)))
    cells = scipy.sparse.csr_array(rows, dtype=np.float64, copy=True)
    cells.data[~np.isfinite(cells.data)] = 0.0
    return np.asarray(cells.sum(axis=1)).ravel()


class ScaledSource(WrappingSource):
    """A table whose columns to be analysed are written anew; all others are as they were.

    They are divided by their `units` or are logarithms of counts, whose rows have the mean sum
    `row_size`.
    """

    def __init__(
        self,
        inner: Source,
        columns: Sequence[int],
        *,
        row_size: float | None = None,
        units: Floats | None = None,
    ) -> None:
        self._inner, self._columns, self._row_size, self._units = (
            inner,
            list(columns),
            row_size,
            units,
        )
        self.info = inner.info

    def describe_values(self, columns: Sequence[int]) -> dict[str, Any]:
        """Give what turns values of these columns back, as a summary notes it."""
        if self._units is None:
            return {"row_size": self._row_size}
        units = dict(zip(self._columns, self._units.tolist(), strict=True))
        return {"units": np.array([units.get(j, 1.0) for j in columns])}

    def _rewrite(self, rows: Any) -> Any:
        if self._units is None:
            return take_logarithms(rows, self._row_size or 0.0)
        if scipy.sparse.issparse(rows):
            return divide_columns(scipy.sparse.csr_array(rows, dtype=np.float64), self._units)
        return as_float64(rows) / self._units

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns; the size of a row is of all that are analysed."""
        columns = list(columns)
        places = [self._columns.index(j) for j in columns]
        for rows in self._inner.batches(self._columns):
            found = self._rewrite(rows)
            yield found if columns == self._columns else found[:, places]

    def needed_columns(self, columns: Sequence[int]) -> list[int]:
        """Give all that are analysed, of which the size of a row is, and those beside them."""
        if not set(columns) & set(self._columns):
            return list(columns)
        return [*self._columns, *(j for j in columns if j not in self._columns)]

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, as it was."""
        return self._inner.pick(columns)

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield columns as Arrow tables: numbers written anew, text and labels as they were."""
        if not set(columns) & set(self._columns):
            yield from self._inner.tables(columns, mark_missing=mark_missing)
            return
        import pyarrow as pa

        from tamis.sources.arrow import as_floats

        beside = [j for j in columns if j not in self._columns]
        wanted, width = [*self._columns, *beside], len(self._columns)
        places = [wanted.index(j) for j in columns]
        for table in self._inner.tables(wanted, mark_missing=mark_missing):
            for batch in table.combine_chunks().to_batches():
                found = self._rewrite(as_floats(batch.select(list(range(width)))))
                values = [found[:, i] if i < width else batch.column(i) for i in places]
                yield pa.table(dict(zip((self.names[j] for j in columns), values, strict=True)))


def check_scale(scale: Scale, checkpoint: str | None) -> None:
    """Refuse a checkpoint of a table that is written anew: it keeps sums of the table as it is."""
    if checkpoint is not None and scale.rewrites:
        raise TamisError(
            f"{spell('checkpoint', checkpoint)} and {spell('scale', scale.asked)}: a "
            "checkpoint keeps sums of the table as it is; give one of them."
        )


def look_for_counts(source: Source, columns: Sequence[int]) -> CountEvidence | None:
    """Search these columns for counts, where their parts are if an engine has them.

    None where it is plain that the columns are to be standardised.
    """
    numbers = list_numbers(source, columns)
    # Nearly all columns are numbers, of a table that can be read once more.
    many = len(numbers) >= max(MIN_DOUBT_COLUMNS, MIN_SPARSE_SHARE * len(columns))
    if not many or source.info.once or not source.has_rows:
        return None
    # A part without rows says nothing against counts.
    nothing = CountEvidence.of_rows(np.zeros((0, len(numbers))))
    (found,) = read(source, numbers, CountSearch(nothing))
    evidence: CountEvidence | None = found.evidence
    plain = evidence is None or not (evidence.are_counts or evidence.leave_doubt)
    return None if plain else evidence


class RowSamples(Accumulator):
    """The rows with the smallest hashes, the same whatever their order, batch or engine."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self.sample: HashedSample | None = None

    def add(self, rows: Any) -> None:
        """Take in some rows, few of them at a time: they are made dense."""
        for part in row_blocks(*rows.shape):
            some = rows[part].toarray() if scipy.sparse.issparse(rows) else as_float64(rows[part])
            self._join(HashedSample.from_batch(some, self._names, known=self.sample))

    def merge(self, other: "RowSamples") -> "RowSamples":
        """Take in those of another part."""
        if other.sample is not None:
            self._join(other.sample)
        return self

    def _join(self, other: HashedSample) -> None:
        self.sample = other if self.sample is None else self.sample.merge(other)


def sample_rows(source: Source, columns: Sequence[int], most: int) -> Floats:
    """Give the rows with the smallest hashes, in their order."""
    (found,) = read(source, columns, RowSamples([source.names[j] for j in columns]))
    if found.sample is None:
        return np.zeros((0, len(columns)))
    order = np.argsort(found.sample.hashes, kind="stable")[:most]
    rows: Floats = found.sample.rows[order]
    return rows


def list_numbers(source: Source, columns: Sequence[int]) -> list[int]:
    """Give the columns without text: names of cells and labels may stand beside counts."""
    kinds = source.kinds
    return [j for j in columns if kinds[j] != "categorical"]


def rewrite_source(
    source: Source, columns: Sequence[int], scale: Scale, weights: Weights | None = None
) -> Source:
    """Give the table as it is to be summed up; the columns have the same places.

    Rows count as their `weights` say.
    """
    columns = list_numbers(source, columns)
    if not scale.rewrites or not columns:
        return source
    _check_rewritable(source, scale)
    if scale.takes_roots:
        (spread,) = read(source, columns, RowSpread(len(columns), weights))
        return ScaledSource(source, columns, units=spread.make_units())
    asked, names = spell("scale", scale.asked), [source.names[j] for j in columns]
    (sums,) = read(source, columns, RowTotals(names, asked, weights))
    return ScaledSource(source, columns, row_size=sums.total / max(sums.rows, 1))


class RowTotals(Accumulator):
    """The counts of all rows added up; values below 0 are refused."""

    def __init__(self, names: Sequence[str], asked: str, weights: Weights | None = None) -> None:
        self._names, self._asked, self._weights, self._read = names, asked, weights, 0
        self.total, self.rows = 0.0, 0.0

    def add(self, rows: Any) -> None:
        """Add the counts of some rows."""
        _check_counts(self._names, rows, self._asked)
        self._read, first = self._read + rows.shape[0], self._read
        own = None if self._weights is None else self._weights[first : self._read]
        sums = add_row_sums(rows)
        self.total += float(sums.sum() if own is None else own @ sums)
        self.rows += count_rows(rows, own)

    def merge(self, other: "RowTotals") -> "RowTotals":
        """Add those of other rows."""
        self.total, self.rows = self.total + other.total, self.rows + other.rows
        return self


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


def _check_counts(names: Sequence[str], rows: Any, asked: str) -> None:
    below = rows < 0
    if not (below.nnz if scipy.sparse.issparse(rows) else below.any()):
        return
    places = below.nonzero()[1]
    raise TamisError(
        f"{asked} is for counts, and column {names[int(places.min())]!r} has values below "
        "0: omit it."
    )


Spread = tuple[Floats, Floats, Floats]  # values, their mean and squares about it, by column


class RowSpread(Accumulator):
    """Values, their mean and squares about it, by column."""

    def __init__(self, width: int, weights: Weights | None = None) -> None:
        self._weights, self._read = weights, 0
        self.spread: Spread = (np.zeros(width), np.zeros(width), np.zeros(width))

    def add(self, rows: Any) -> None:
        """Take in some rows."""
        self._read, first = self._read + rows.shape[0], self._read
        own = None if self._weights is None else self._weights[first : self._read]
        self._join(_spread_of(rows, own))

    def merge(self, other: "RowSpread") -> "RowSpread":
        """Take in those of another part."""
        self._join(other.spread)
        return self

    def _join(self, other: Spread) -> None:
        (count, mean, squares), (n, centre, own) = self.spread, other
        total, joint, apart = merge_means(count, mean, n, centre)
        self.spread = (total, joint, squares + own + apart)

    def make_units(self) -> Floats:
        """Give the root of the standard deviation of every column, 1 where it is constant."""
        count, _, squares = self.spread
        units = np.sqrt(np.sqrt(squares / np.where(count > 0, count, 1.0)))
        # The last digits are up to the order of the batches, and the block of a row is not to be.
        with np.errstate(over="ignore", under="ignore"):
            rounded = units.astype(np.float32).astype(np.float64)
        units = np.where(np.isfinite(rounded) & (rounded > 0), rounded, units)
        return np.where(units > 0, units, 1.0)


def _spread_of(rows: Any, weights: Weights | None) -> Spread:
    """Give the number of values, their mean and squares about it, by column."""
    if weights is None and scipy.sparse.issparse(rows) and not np.isnan(rows.data).any():
        n = float(rows.shape[0])
        mean, squares = sparse_spread(scipy.sparse.csr_array(rows, dtype=np.float64))
        return np.full(rows.shape[1], n), mean, np.square(compute_spread(squares, mean, int(n))) * n
    return measure_spread(as_float64(rows), weights)
