"""The Gram matrix of centred columns, in the form that suits the table's shape.

`DenseGram` holds the d x d matrix. `RowGram` and `SparseGram` hold the rows instead and never make
a d x d array: they serve tables with more columns than rows.
"""

from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
import scipy.linalg
import scipy.sparse

from tamis.numerics.eigen import decomposed, iterated, leading_pairs, leading_values, lifted, signed
from tamis.numerics.rank import whole_decomposition, whole_of_rows
from tamis.numerics.types import Floats, Indices

_BLOCK_BYTES = 1 << 23
_CORE_ROWS = 8192


class Gram(Protocol):
    """Seven questions that the methods ask of `G = X'X`."""

    def diagonal(self) -> Floats:
        """Give the squared length of every column."""

    def column(self, j: int) -> Floats:
        """Give one column of `G`."""

    def dot(self, v: Floats) -> Floats:
        """Multiply `G` with a vector, or with some at once."""

    def residual_norms(self, taken: Indices, W: Floats) -> Floats:
        """Give the squared column norms of `G - W'W`, where `W` comes from `taken`."""

    def eigenvalues(self, k: int) -> Floats:
        """Give the `k` largest eigenvalues, largest first."""

    def eigenvectors(self, k: int) -> Floats:
        """Give the matching eigenvectors as columns, largest entry positive."""

    def decomposition(self) -> tuple[Floats, Floats]:
        """Give the non-zero eigenvalues, smallest first, and their eigenvectors as columns."""


@runtime_checkable
class SampleGram(Gram, Protocol):
    """A Gram matrix that holds the (centred) rows `Z`, so that `G = Z'Z`."""

    def sample(self, j: int) -> Floats:
        """Give column `j` of `Z`."""

    def transposed_dot(self, u: Floats) -> Floats:
        """Multiply `Z'` with a vector, or with some at once."""

    def kernel_dot(self, u: Floats) -> Floats:
        """Multiply the N x N kernel `ZZ'`, which has the eigenvalues of `G`, with a vector."""

    def kernel_diagonal(self) -> Floats:
        """Give the squared length of every row."""


class DenseGram:
    """A Gram matrix held as a d x d array.

    Examples
    --------
    >>> gram = DenseGram(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> gram.eigenvalues(2)
    array([3., 1.])
    """

    def __init__(self, matrix: Floats) -> None:
        self.matrix = matrix

    def diagonal(self) -> Floats:
        """Give the squared length of every column."""
        return np.diagonal(self.matrix).copy()

    def column(self, j: int) -> Floats:
        """Give one column of `G`."""
        return self.matrix[j].copy()

    def dot(self, v: Floats) -> Floats:
        """Multiply `G` with a vector, or with some at once."""
        return self.matrix @ v

    def residual_norms(self, taken: Indices, W: Floats) -> Floats:
        """Give the squared column norms of `G - W'W`, block by block."""
        d = len(self.matrix)
        norms = np.empty(d)
        for rows in _blocks(d, d):
            block = self.matrix[rows] - W[:, rows].T @ W if len(taken) else self.matrix[rows]
            if len(taken):
                block[:, taken] = 0.0  # not the rounding of the largest column
            norms[rows] = np.einsum("ij,ij->i", block, block)
        return norms

    def eigenvalues(self, k: int) -> Floats:
        """Give the `k` largest eigenvalues, largest first."""
        return leading_values(self.matrix, k)

    def eigenvectors(self, k: int) -> Floats:
        """Give the matching eigenvectors as columns, largest entry positive."""
        return signed(leading_pairs(self.matrix, k)[1])

    def decomposition(self) -> tuple[Floats, Floats]:
        """Give the non-zero eigenvalues, smallest first, and their eigenvectors as columns."""
        found = decomposed(self.matrix)
        whole = len(found[0]) == len(self.matrix)
        return found if whole else whole_decomposition(self.matrix, *found)


class RowGram:
    """A Gram matrix held by its centred (and scaled) rows, for d > N."""

    def __init__(self, rows: Floats) -> None:
        self.rows = rows

    def diagonal(self) -> Floats:
        """Give the squared length of every column."""
        return np.einsum("ij,ij->j", self.rows, self.rows)

    def column(self, j: int) -> Floats:
        """Give one column of `G`."""
        return self.rows[:, j] @ self.rows

    def sample(self, j: int) -> Floats:
        """Give column `j` of the rows."""
        return self.rows[:, j].copy()

    def transposed_dot(self, u: Floats) -> Floats:
        """Multiply the transposed rows with a vector, or with some at once."""
        return self.rows.T @ u

    def kernel_dot(self, u: Floats) -> Floats:
        """Multiply the kernel of the rows with a vector."""
        return self.kernel @ u if self.kernel is not None else self.rows @ (u @ self.rows)

    def kernel_diagonal(self) -> Floats:
        """Give the squared length of every row."""
        return np.einsum("ij,ij->i", self.rows, self.rows)

    @cached_property
    def kernel(self) -> Floats | None:
        """The N x N kernel, or None when it would be too large to hold."""
        return self.rows @ self.rows.T if len(self.rows) <= _CORE_ROWS else None

    def dot(self, v: Floats) -> Floats:
        """Multiply `G` with a vector, or with some at once."""
        return self.transposed_dot(self.rows @ v)

    def residual_norms(self, taken: Indices, W: Floats) -> Floats:
        """Give the squared column norms of `G - W'W` through the N x N kernel of the residual."""
        left = self.rows
        if len(taken):
            basis = _orthonormal(self.rows[:, taken], W[:, taken])
            left = self.rows - basis @ W
            left[:, taken] = 0.0
        norms = np.zeros(left.shape[1])
        for rows in _blocks(*left.shape):
            # diag(Z'KZ) with K = ZZ': the sum over rows of Z * (KZ).
            norms += np.einsum("ij,ij->j", left[rows], (left[rows] @ left.T) @ left)
        return norms

    def eigenvalues(self, k: int) -> Floats:
        """Give the `k` largest eigenvalues, largest first."""
        if self.kernel is None:
            return iterated(self.dot, self.rows.shape[1], k)[0]
        return leading_values(self.kernel, k)

    def eigenvectors(self, k: int) -> Floats:
        """Give the matching eigenvectors as columns, largest entry positive."""
        if self.kernel is None:
            return signed(iterated(self.dot, self.rows.shape[1], k)[1])
        return lifted(self.rows.T @ leading_pairs(self.kernel, k)[1])

    def decomposition(self) -> tuple[Floats, Floats]:
        """Give the non-zero eigenvalues, smallest first, and their eigenvectors as columns."""
        values, vectors = decomposed(self.rows @ self.rows.T)
        return whole_of_rows(self.rows, values, self.rows.T @ (vectors / np.sqrt(values)))


class SparseGram:
    """A Gram matrix held by sparse scaled rows and their means, which are taken off on the fly."""

    def __init__(self, rows: Any, mean: Floats) -> None:
        self.rows = scipy.sparse.csr_array(rows)
        self.by_column = scipy.sparse.csc_array(self.rows)
        self.mean = mean

    def diagonal(self) -> Floats:
        """Give the squared length of every column."""
        squares = np.asarray(self.rows.multiply(self.rows).sum(axis=0)).ravel()
        return squares - self.rows.shape[0] * self.mean**2

    def column(self, j: int) -> Floats:
        """Give one column of `G`."""
        return self.transposed_dot(self.sample(j))

    def sample(self, j: int) -> Floats:
        """Give column `j` of the centred rows."""
        return self.by_column[:, [j]].toarray().ravel() - self.mean[j]

    def transposed_dot(self, u: Floats) -> Floats:
        """Multiply the transposed centred rows with a vector, or with some at once."""
        return np.asarray(self.by_column.T @ u - np.multiply.outer(self.mean, u.sum(axis=0)))

    def kernel_dot(self, u: Floats) -> Floats:
        """Multiply the kernel of the centred rows with a vector."""
        if self.kernel is not None:
            return self.kernel @ u
        v = self.transposed_dot(u)
        return self.rows @ v - self.mean @ v

    def kernel_diagonal(self) -> Floats:
        """Give the squared length of every centred row."""
        squares = np.asarray(self.rows.multiply(self.rows).sum(axis=1)).ravel()
        return squares - 2 * (self.rows @ self.mean) + self.mean @ self.mean

    @cached_property
    def kernel(self) -> Floats | None:
        """The N x N kernel, or None when it would be too large to hold."""
        return None if self.rows.shape[0] > _CORE_ROWS else self._kernel()

    def _kernel(self) -> Floats:
        shift = self.rows @ self.mean
        n = len(shift)
        kernel = np.empty((n, n))
        for rows in _blocks(n, n):
            kernel[rows] = (self.rows[rows] @ self.by_column.T).toarray()
            kernel[rows] -= shift[rows, None]
        kernel -= shift - self.mean @ self.mean
        return kernel

    def dot(self, v: Floats) -> Floats:
        """Multiply `G` with a vector, or with some at once."""
        return self.transposed_dot(self.rows @ v - self.mean @ v)

    def residual_norms(self, taken: Indices, W: Floats) -> Floats:
        """Give the squared column norms of `G - W'W` from blocks of columns of `G`."""
        n, d = self.rows.shape
        norms = np.empty(d)
        for block in _blocks(d, d):
            columns = (self.by_column[:, block].T @ self.rows).toarray()
            columns -= n * self.mean[block, None] * self.mean
            if len(taken):
                columns -= W[:, block].T @ W
                columns[:, taken] = 0.0
            norms[block] = np.einsum("ij,ij->i", columns, columns)
        return norms

    def eigenvalues(self, k: int) -> Floats:
        """Give the `k` largest eigenvalues, largest first."""
        if self.kernel is None:
            return iterated(self.dot, self.rows.shape[1], k)[0]
        return leading_values(self.kernel, k)

    def eigenvectors(self, k: int) -> Floats:
        """Give the matching eigenvectors as columns, largest entry positive."""
        if self.kernel is None:
            return signed(iterated(self.dot, self.rows.shape[1], k)[1])
        vectors = leading_pairs(self.kernel, k)[1]
        return lifted(self.rows.T @ vectors - np.outer(self.mean, vectors.sum(axis=0)))

    def decomposition(self) -> tuple[Floats, Floats]:
        """Give the non-zero eigenvalues, smallest first, and their eigenvectors as columns."""
        values, vectors = decomposed(self._kernel())
        lifted = self.rows.T @ vectors - np.outer(self.mean, vectors.sum(axis=0))
        # The vectors are as large as the rows written out.
        rows = self.rows.toarray() - self.mean
        return whole_of_rows(rows, values, lifted / np.sqrt(values))


def _blocks(count: int, width: int) -> list[slice]:
    step = max(1, _BLOCK_BYTES // (8 * max(width, 1)))
    return [slice(i, min(i + step, count)) for i in range(0, count, step)]


def _orthonormal(columns: Floats, triangle: Floats) -> Floats:
    """Undo the triangular factor: `columns = Q triangle`, empty rows giving empty directions."""
    kept = np.diagonal(triangle) > 0
    basis = np.zeros_like(columns)
    solved = scipy.linalg.solve_triangular(
        triangle[np.ix_(kept, kept)], columns[:, kept].T, trans="T", lower=False
    )
    basis[:, kept] = solved.T
    return basis
