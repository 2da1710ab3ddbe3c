"""The Gram matrix of a table of numbers, in one pass, or two where values are filled in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Self

import numpy as np
import scipy.sparse

from tamis.errors import TamisError
from tamis.memory import get_budget
from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.sources.stored_summary import MOST_COLUMNS as MOST_COLUMNS
from tamis.statistics.column_spread import (
    Weights,
    centre_rows,
    compute_level,
    compute_spread,
    count_rows,
    count_stored,
    divide_columns,
    find_far_columns,
    find_varying,
    fine_units,
    sparse_spread,
    take_level_off,
)
from tamis.statistics.gram import DenseGram, Gram, RowGram, SparseGram
from tamis.statistics.missing import CleanRows, CleanSums, Tally, read_clean
from tamis.statistics.moments import Moments
from tamis.statistics.ranks import rank_columns
from tamis.statistics.row_sketch import MAX_SCATTER_BYTES as MAX_SCATTER_BYTES
from tamis.statistics.row_sketch import RowSketch, affordable_sums
from tamis.statistics.summary import Summary


def collect_gram(
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: MissingPolicy = MissingPolicy.ERROR,
    kind: str = "pearson",
    first: CleanRows | None = None,
) -> Summary:
    """Read the table once and summarise it.

    Rows are held only while there are fewer of them than columns: they are then the smaller form.
    Where both the rows and the matrix would be too large, random sums of the rows stand for them.
    With `kind="spearman"` every value is replaced by its rank in its column, equal values by their
    mean rank; for that the table is held in memory. So an engine's table comes back for ranks, and
    where it is known to have more columns than rows. `first` is a pass that was made before.
    """
    tally, ranks = Tally(len(columns)), kind == "spearman"
    wide = source.n_rows is not None and source.n_rows < len(columns)
    sums = GramRows(len(columns), ranks=ranks, n_rows=source.n_rows)
    rows = read_clean(source, columns, sums, missing, tally, here=ranks or wide, first=first)
    return replace(rows.summary(scale, source.label), tally=tally)


class GramRows(CleanSums):
    """Rows on their way into a Gram matrix, added batch by batch.

    They are held while there are fewer than columns, and with `ranks` all of them. Where neither
    they nor the matrix fit, they are sketched; but not a table that comes as one batch of all its
    `n_rows`, which is in memory already. In a `part` of a table none is held for long. The moments
    of earlier rows may be the `start`.
    """

    def __init__(
        self,
        width: int,
        *,
        ranks: bool = False,
        n_rows: int | None = None,
        start: Moments | None = None,
        part: int | None = None,
    ) -> None:
        self._width, self._ranks, self._n_rows, self._part = width, ranks, n_rows, part
        self._sketch: RowSketch | None = None
        self._held: list[Any] = []
        self._moments = start

    def begin(self, number: int) -> Self:
        """Begin the sums of a part of a table."""
        return type(self)(self._width, part=number)

    def add(self, rows: Any, raw: Any = None) -> None:  # noqa: ARG002 - sums of clean rows
        """Add some rows without missing values, dense or sparse."""
        if self._sketch is not None:
            self._sketch.add(rows)
            return
        self._held.append(rows)
        wide = self._width > MOST_COLUMNS and len_of(rows) != self._n_rows
        held = wide and self._part is None and _may_be_held(self._held)
        if self._ranks or held or not self._count():
            return
        if wide:
            self._sketch, self._held = sketch_rows(self._held, self._part or 0), []
        elif self._count() >= self._width:
            fresh = Moments.from_batch(stack_batches(self._held))
            self._moments = fresh if self._moments is None else self._moments.merge(fresh)
            self._held = []

    @property
    def moments(self) -> Moments:
        """The moments of all rows."""
        start = Moments.empty(self._width) if self._moments is None else self._moments
        if self._count():
            start = start.merge(Moments.from_batch(stack_batches(self._held)))
        return start

    def split(self) -> dict[Any, Any]:
        """Give strips of the sketch or tiles of the moments."""
        if self._sketch is not None:
            return dict(self._sketch.strips())
        return {} if self._width > MOST_COLUMNS else dict(self.moments.cut())

    def join(self, values: Mapping[Any, Any]) -> None:
        """Put strips or tiles together."""
        if self._width <= MOST_COLUMNS:
            self._moments = Moments.join(values, self._width)
        elif values:
            self._sketch = RowSketch.of_strips(values[name] for name in sorted(values))

    def of_columns(self, places: Sequence[int]) -> "GramRows":
        """Give the moments of some columns only."""
        moments = self.moments.of_columns(np.asarray(places, dtype=np.intp))
        return GramRows(len(places), start=moments)

    def summary(self, scale: bool, label: str) -> Summary:
        """Summarise what was added."""
        if self._sketch is not None:
            mean, std, varying, gram = self._sketch.gram(scale=scale)
            return Summary(self._sketch.count, varying, gram, mean, std)
        if self._moments is not None and self._moments.count:
            rest = map(Moments.from_batch, self._held)
            return summary_of_moments(reduce(Moments.merge, rest, self._moments), scale)
        if self._count() == 0:
            raise TamisError(f"{label} has no rows to work with: at least 2 are needed.")
        table = empty_into_one(self._held)
        if not self._ranks:
            return summary_of_rows(table, scale)
        return summary_of_table(rank_columns(table), scale)

    def _count(self) -> int:
        return sum(len_of(rows) for rows in self._held)


def sketch_rows(batches: list[Any], part: int = 0) -> RowSketch:
    """Sketch rows that neither fit themselves nor have a scatter matrix that does."""
    first, width = next(batch[:1] for batch in batches if len_of(batch)), batches[0].shape[1]
    first = first.toarray() if scipy.sparse.issparse(first) else np.asarray(first)
    sketch = RowSketch.about(first[0], affordable_sums(width), part)
    for batch in batches:
        sketch.add(batch)
    return sketch


def _may_be_held(batches: list[Any]) -> bool:
    """Whether rows may be held in place of a scatter matrix.

    Sparse rows give exact answers where a scatter matrix could not be held, so they may take all of
    the memory budget.
    """
    if not scipy.sparse.issparse(batches[-1]):
        return sum(batch.nbytes for batch in batches) <= MAX_SCATTER_BYTES
    size = sum(batch.data.nbytes + batch.indices.nbytes for batch in batches)
    return bool(size <= max(MAX_SCATTER_BYTES, get_budget()))


def summary_of_moments(moments: Moments, scale: bool) -> Summary:
    """Summarise a table with at least as many rows as columns."""
    std = moments.std
    varying = find_varying(std, scale=scale)
    mean = moments.mean + moments.rest
    return Summary(round(moments.count), varying, moments.gram(scale=scale), mean, std)


def summary_of_table(X: Any, scale: bool) -> Summary:
    """Summarise all rows of a table, in the smaller form."""
    if X.shape[0] < X.shape[1]:
        return summary_of_rows(X, scale)
    return summary_of_moments(Moments.from_batch(X), scale)


def gram_of_rows(rows: Floats) -> Gram:
    """Give the Gram matrix of columns as they are, in the smaller form."""
    wide = rows.shape[0] < rows.shape[1]
    return RowGram(rows) if wide else DenseGram(rows.T @ rows)


def summary_of_rows(X: Any, scale: bool, weights: Weights | None = None) -> Summary:
    """Summarise a table with more columns than rows, without any d x d array.

    With `weights` the rows behind the matrix are multiplied with their roots.
    """
    if scipy.sparse.issparse(X):
        return _summary_of_sparse(scipy.sparse.csr_array(X, dtype=np.float64), scale)
    rows, mean, std = centre_rows(X, weights)
    count = count_rows(X, weights)
    varying = find_varying(std, scale=scale)
    if len(varying) < len(std):
        rows = rows[:, varying]
    rows /= (std[varying] if scale else compute_level(std)) * np.sqrt(count)
    if weights is not None:
        rows *= np.sqrt(weights)[:, None]
    return Summary(round(count), varying, RowGram(rows), mean, std)


def _summary_of_sparse(X: Any, scale: bool) -> Summary:
    n, d = X.shape
    mean, squares = sparse_spread(X)
    unit = fine_units(X, squares)
    if unit is not None:
        X = divide_columns(X, unit)
        mean, squares = sparse_spread(X)
    unit = np.ones(d) if unit is None else unit
    fine = compute_spread(squares, mean, n)
    std = fine * unit
    varying = find_varying(std, scale=scale)
    length = (fine[varying] if scale else compute_level(std) / unit[varying]) * np.sqrt(n)
    rows, left = scale_sparse(X, varying, mean[varying], squares[varying], length)
    return Summary(n, varying, SparseGram(rows, left), mean * unit, std)


def len_of(batch: Any) -> int:
    """Count the rows of a dense or sparse batch."""
    return int(batch.shape[0])


def empty_into_one(batches: list[Any]) -> Any:
    """Put batches under each other and empty the list: a sparse batch is let go once copied.

    Of a table that takes most of the memory there is no room for two copies. The last is copied
    first: what was allocated last can be given back to the system at once.
    """
    if len(batches) == 1 or not scipy.sparse.issparse(batches[0]):
        table = stack_batches(batches)
        batches.clear()
        return table
    dtype = np.result_type(*(batch.dtype for batch in batches))
    writer = RowWriter(sum(batch.nnz for batch in batches), batches[0].shape[1], dtype)
    while batches:
        writer.add_above(scipy.sparse.csr_array(batches.pop()))
    return writer.finish()


def stack_batches(batches: list[Any]) -> Any:
    """Put batches under each other."""
    if len(batches) == 1:
        return batches[0]
    if scipy.sparse.issparse(batches[0]):
        return scipy.sparse.vstack(batches, format="csr")
    out = np.empty((sum(map(len, batches)), batches[0].shape[1]), np.result_type(*batches))
    return np.concatenate(batches, out=out)


# Sparse rows that take much of the memory: written once, a part at a time, never held twice over.
#
# A sum of two sparse tables in SciPy takes room for both and is then copied; of an atlas of cells,
# of which the stored values fill a quarter of the machine, that would be all of it.
_WRITTEN_AT_ONCE = 1 << 22  # values of sparse rows


class RowWriter:
    """Room for the stored values of a table, filled by some rows at a time.

    Examples
    --------
    >>> writer = RowWriter(3, 2)
    >>> writer.add(scipy.sparse.csr_array([[1.0, 0.0], [0.0, 2.0]]))
    >>> writer.finish().toarray().tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """

    def __init__(self, entries: int, width: int, dtype: Any = np.float64) -> None:
        small = max(entries, width) <= np.iinfo(np.int32).max
        # Memory that is not written to is not taken: `entries` may be more than there are.
        self._values = np.empty(entries, dtype)
        self._columns = np.empty(entries, np.int32 if small else np.int64)
        self._counts: list[Indices] = []
        self._filled, self._width = 0, width

    def add(self, rows: Any) -> None:
        """Write some rows below the others."""
        self._write(rows, self._filled)
        self._counts.append(np.diff(rows.indptr))

    def add_above(self, rows: Any) -> None:
        """Write some rows above the others, from the end of the room on."""
        self._write(rows, len(self._values) - self._filled - rows.nnz)
        self._counts.insert(0, np.diff(rows.indptr))

    def finish(self) -> Any:
        """Give all rows."""
        counts = np.concatenate([np.zeros(1, np.int64), *self._counts])
        ends = np.cumsum(counts, dtype=self._columns.dtype)
        parts = (self._values[: ends[-1]], self._columns[: ends[-1]], ends)
        return scipy.sparse.csr_array(parts, shape=(len(ends) - 1, self._width))

    def _write(self, rows: Any, start: int) -> None:
        place = slice(start, start + rows.nnz)
        self._values[place], self._columns[place] = rows.data, rows.indices
        self._filled += rows.nnz


def scale_sparse(
    X: Any, columns: Indices, mean: Floats, squares: Floats, length: Floats
) -> tuple[Any, Floats]:
    """Give some columns of sparse rows, divided by `length`, and what is left to take off them.

    The columns that lie far from zero are less their mean; `mean` and `squares` (about it) are
    those of the columns given.

    Examples
    --------
    >>> X = scipy.sparse.csr_array([[0.0, 9.0, 1.0], [2.0, 11.0, 1.0]])
    >>> mean, squares = np.array([1.0, 10.0]), np.array([2.0, 2.0])
    >>> rows, left = scale_sparse(X, np.array([0, 1]), mean, squares, np.array([1.0, 2.0]))
    >>> rows.toarray().tolist(), left.tolist()
    ([[0.0, -0.5], [2.0, 0.5]], [1.0, 0.0])
    """
    n, far = X.shape[0], find_far_columns(mean, squares, X.shape[0])
    stored = count_stored(X)[columns]
    entries = int(stored.sum()) + int(np.maximum(n - stored[far], 0).sum())
    writer, sums = RowWriter(entries, len(columns)), np.zeros(len(columns))
    for part in _row_parts(X):
        rows = X[part]
        rows = rows if len(columns) == X.shape[1] else rows[:, columns]
        if len(far):
            rows = take_level_off(rows, mean, far)
            sums += np.ones(rows.shape[0]) @ rows
        rows.data = rows.data / np.take(length, rows.indices)
        writer.add(rows)
    left = mean.copy()
    left[far] = sums[far] / n  # one number cannot hold a large mean exactly
    return writer.finish(), left / length


def _row_parts(X: Any) -> Iterator[slice]:
    """Cut rows into parts of few stored values, of one row at least."""
    start, n = 0, X.shape[0]
    while start < n:
        most = X.indptr[start] + _WRITTEN_AT_ONCE
        stop = max(int(np.searchsorted(X.indptr, most, side="right")) - 1, start + 1)
        yield slice(start, min(stop, n))
        start = stop
