"""The form for sparse tables with more columns than rows: stored values and means apart."""

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse

from tamis.numerics.eigen_bounds import bound_leading_values
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices
from tamis.statistics.column_spread import read_stored
from tamis.statistics.gram.protocol import EVERY, Columns, Product
from tamis.statistics.gram.row_gram import SampleGram
from tamis.statistics.gram.sparse_norms import square_sparse_norms

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
