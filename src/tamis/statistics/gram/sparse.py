"""The form for sparse tables with more columns than rows: stored values and means apart."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse

from tamis.numerics.eigen import bound_leading_values
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.threads import is_machine_busy
from tamis.numerics.types import Floats, Indices
from tamis.statistics.column_spread import count_stored, read_stored
from tamis.statistics.gram.protocol import EVERY, Columns, Product
from tamis.statistics.gram.row_gram import SampleGram

CEILING_SLACK = 1e-4  # of the variance: far below what a share is shown to
MAX_VALUES_WITH_EXACT_CEILING = 1 << 24  # that are not 0: a product takes 40 ms above
MAX_VALUES_HELD_TWICE = 1 << 27  # by row and by column: 1.6 GB each


class SparseGram(SampleGram):
    """A Gram matrix held by sparse scaled rows and their means, which are taken off on the fly."""

    def __init__(self, rows: Any, mean: Floats) -> None:
        self.rows = scipy.sparse.csr_array(rows)
        self.mean = mean

    @cached_property
    def by_column(self) -> Any:
        """The stored values by column; those of a large table are held by row only."""
        return scipy.sparse.csc_array(self.rows) if self._is_small else self.rows

    @property
    def _is_small(self) -> bool:
        return bool(self.rows.nnz <= MAX_VALUES_HELD_TWICE)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        n, d = self.rows.shape
        return int(n), int(d)

    @property
    def form(self) -> str:
        """How the matrix is held, in words."""
        return "computed from the sparse rows"

    def diagonal(self) -> Floats:
        """Give the squared length of every column."""
        n, d = self.shape
        squares = np.zeros(d)
        for positions, values, _ in read_stored(self.rows):
            squares += np.bincount(positions, np.square(values), d)
        return squares - n * self.mean**2

    def sample(self, j: int) -> Floats:
        """Give column `j` of the centred rows."""
        return self.by_column[:, [j]].toarray().ravel() - self.mean[j]

    def sample_dot(self, v: Floats) -> Floats:
        """Multiply the centred rows with a vector, or with some at once."""
        return np.asarray(self.rows @ v - self.mean @ v)

    def transposed_dot(self, u: Floats) -> Floats:
        """Multiply the transposed centred rows with a vector, or with some at once."""
        return np.asarray(self.by_column.T @ u - np.multiply.outer(self.mean, u.sum(axis=0)))

    def kernel_diagonal(self) -> Floats:
        """Give the squared length of every centred row."""
        squares = np.asarray(self.rows.multiply(self.rows).sum(axis=1)).ravel()
        return squares - 2 * (self.rows @ self.mean) + self.mean @ self.mean

    def find_kernel(self) -> Floats:
        """Compute the N x N kernel of the centred rows."""
        shift = self.rows @ self.mean
        n = len(shift)
        kernel = np.empty((n, n))
        for part in row_blocks(n, n):
            kernel[part] = (self.rows[part] @ self.by_column.T).toarray()
            kernel[part] -= shift[part, None]
        kernel -= shift - self.mean @ self.mean
        return kernel

    def to_array(self) -> Floats:
        """Give the centred rows as an array."""
        return np.asarray(self.rows.toarray() - self.mean)

    def block(self, rows: Columns, columns: Columns = EVERY) -> Floats:
        """Give some rows and columns of `G`."""
        every = isinstance(columns, slice) and columns == EVERY
        others = self.rows if every else self.by_column[:, columns]
        block = (self.by_column[:, rows].T @ others).toarray()
        block -= self.rows.shape[0] * self.mean[rows][:, None] * self.mean[columns]
        return np.asarray(block)

    def weigh_columns(self, weights: Floats) -> "SparseGram":
        """Give the Gram matrix of the columns, each multiplied with its weight."""
        return SparseGram(self.rows @ scipy.sparse.diags_array(weights), self.mean * weights)

    def eigenvalues(self, k: int) -> Floats:
        """Give the `k` largest eigenvalues, largest first; of a large table never too small ones.

        A product takes long there, so their sum may be a ten-thousandth of the variance too large.
        """
        if self.kernel is not None or self.rows.nnz <= MAX_VALUES_WITH_EXACT_CEILING:
            return super().eigenvalues(k)
        slack = CEILING_SLACK * float(self.diagonal().sum())
        return bound_leading_values(self.dot, self.shape[1], k, slack)

    def residual_norms(self, taken: Indices, W: Floats) -> Floats:
        """Give the squared column norms of `G - W'W`; at the start without any row of `G`."""
        few_rows = self.kernel is not None and self.shape[0] < self.shape[1]
        if len(taken) or few_rows:  # strips of `G` would be larger than the kernel of few rows
            return super().residual_norms(taken, W)
        return square_sparse_norms(self.rows, self.mean)

    def squared_dot(self) -> Product:
        """Make the product of `G o G`, the squared entries, with a vector."""
        return super().squared_dot() if self.kernel is None else self._squared_dot

    def _squared_dot(self, v: Floats) -> Floats:
        # As for dense rows; the means drop out of the outer products (Xc'1 = 0).
        shift = self.rows @ (v * self.mean)
        middle = ((self.rows * v[None, :]) @ self.by_column.T).toarray()
        middle += self.mean @ (v * self.mean) - shift
        middle -= shift[:, None]
        found = np.zeros(v.size)
        for part in row_blocks(v.size, len(middle)):
            block = self.by_column[:, part]
            found[part] = np.asarray(block.multiply(middle @ block).sum(axis=0)).ravel()
        return found


# Squared column norms of the Gram matrix of sparse rows; no d x d array is made for them.
#
# The columns are split by how many of their values are not 0. Pairs of the fuller columns are
# multiplied as arrays, where a product takes a hundredth of the time that one of stored values
# takes; all other pairs by their stored values. Everything is float64. The means are taken off
# entry by entry where columns are full, and off the sums of squares elsewhere: a column that is 0
# in all but 4% of the rows has a mean that is small beside its length, so no digits are lost by
# that.
MIN_FULL_SHARE = 0.04  # of values that are not 0: above, pairs of columns are quicker as arrays
_FULL_STRIP_BYTES = 1 << 28  # of the matrix of the fuller columns, held at once
_CHUNK_BYTES = 1 << 25  # of the rows of fuller columns, written out at once
_PRODUCT_BYTES = 1 << 26  # of a product of stored values, if it had no 0


def square_sparse_norms(rows: Any, mean: Floats) -> Floats:
    """Give the squared column norms of `X'X - n mean mean'`, `mean` being that of the columns.

    Examples
    --------
    >>> X = scipy.sparse.csr_array([[1.0, 0.0], [0.0, 2.0]])
    >>> square_sparse_norms(X, np.array([0.5, 1.0])).tolist()
    [1.25, 5.0]
    """
    n, d = rows.shape
    is_full = count_stored(rows) > MIN_FULL_SHARE * n
    full, thin = np.flatnonzero(is_full), np.flatnonzero(~is_full)
    norms = np.zeros(d)
    norms[thin], beside = _square_thin(scipy.sparse.csc_array(rows[:, thin]), rows)
    norms[full] = beside[full]
    # sum_i (a_i - n m_i m)^2 = |a|^2 - 2 n m (m'a) + n^2 m^2 |m|^2: over all i for a thin column,
    # over the thin ones for a full one.
    for columns, others in ((thin, mean), (full, np.where(is_full, 0.0, mean))):
        own, met = mean[columns], (rows.T @ (rows @ others))[columns]
        norms[columns] += n * own * (n * own * (others @ others) - 2.0 * met)
    norms[full] += _square_full(rows, full, mean[full])
    return norms


def _square_full(rows: Any, full: Indices, mean: Floats) -> Floats:
    """Give the squared column norms of the matrix of fuller columns, a strip of it at a time."""
    n, d = rows.shape[0], len(full)
    norms = np.zeros(d)
    for strip in row_blocks(d, d, room=_FULL_STRIP_BYTES):
        found = np.zeros((strip.stop - strip.start, d - strip.start))
        width = strip.stop - strip.start
        for part in row_blocks(n, d - strip.start, room=_CHUNK_BYTES):
            values = rows[part][:, full[strip.start :]].toarray()
            found += values[:, :width].T @ values
        found -= np.outer(n * mean[strip], mean[strip.start :])
        norms[strip] += np.einsum("ij,ij->i", found, found)
        after = found[:, width:]  # the matrix is symmetric: these stand below the strip, too
        norms[strip.stop :] += np.einsum("ij,ij->j", after, after)
    return norms


def _square_thin(thin: Any, rows: Any) -> tuple[Floats, Floats]:
    """Square the products of thin columns with all: add them by thin column, and by the other."""
    d = rows.shape[1]

    def multiply(part: slice) -> tuple[Floats, Floats]:
        products = scipy.sparse.csr_array(thin[:, part].T) @ rows
        squares = np.square(products.data)
        lines = np.repeat(np.arange(products.shape[0]), np.diff(products.indptr))
        own = np.bincount(lines, squares, products.shape[0])
        return own.astype(float), np.bincount(products.indices, squares, d).astype(float)

    norms, beside = np.zeros(thin.shape[1]), np.zeros(d)
    parts = row_blocks(thin.shape[1], d, room=_PRODUCT_BYTES)
    for part, (own, other) in zip(parts, _map_on_cores(multiply, parts), strict=True):
        norms[part] = own
        beside += other
    return norms, beside


def _map_on_cores(
    work: Callable[[slice], tuple[Floats, Floats]], parts: list[slice]
) -> Iterator[tuple[Floats, Floats]]:
    """Do some work on every part, in order, by as many threads as there are free cores."""
    workers = 1 if is_machine_busy() else min(os.cpu_count() or 1, len(parts))
    if workers <= 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, parts)
