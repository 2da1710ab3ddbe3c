"""Sparse rows that take much of the memory: written once, a part at a time, never held twice over.

A sum of two sparse tables in SciPy takes room for both and is then copied; of an atlas of cells, of
which the stored values fill a quarter of the machine, that would be all of it.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse

from tamis.numerics.types import Floats, Indices
from tamis.statistics.column_spread import count_stored, find_far_columns, take_level_off

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


def empty_sparse_into_one(batches: list[Any]) -> Any:
    """Put sparse batches under each other and empty the list: a batch is let go once copied.

    The last is copied first: what was allocated last can be given back to the system at once.
    """
    entries = sum(batch.nnz for batch in batches)
    dtype = np.result_type(*(batch.dtype for batch in batches))
    writer = RowWriter(entries, batches[0].shape[1], dtype)
    while batches:
        writer.add_above(scipy.sparse.csr_array(batches.pop()))
    return writer.finish()


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
