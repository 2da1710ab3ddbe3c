"""The form for tables with more columns than rows: the rows, and the N x N kernel of them.

For tables too wide for the matrix and too long for the rows, a sketch of the rows stands for them.
"""

from abc import abstractmethod
from functools import cached_property

import numpy as np
import scipy.linalg

from tamis.numerics.eigen import (
    decompose,
    find_leading_pairs,
    find_leading_values,
    normalise_columns,
)
from tamis.numerics.rank import whole_of_rows
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram.protocol import EVERY, Columns, DenseGram, Gram, Product, Samples

CORE_ROWS = 8192  # their kernel takes 0.5 GB


class SampleGram(Gram, Samples):
    """What every form shares that holds the centred rows `Z`: the way through `ZZ'`."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""

    @abstractmethod
    def sample_dot(self, v: Floats) -> Floats:
        """Multiply `Z` with a vector, or with some at once."""

    @abstractmethod
    def find_kernel(self) -> Floats:
        """Compute the N x N kernel `ZZ'`."""

    @abstractmethod
    def to_array(self) -> Floats:
        """Give `Z` as an array."""

    @property
    def samples(self) -> Samples:
        """The rows behind `G`."""
        return self

    @property
    def rank_bound(self) -> int:
        """The largest rank that the shape allows: centred rows have one less than their number."""
        n, d = self.shape
        return max(1, min(n - 1, d))

    @property
    def decomposable(self) -> bool:
        """Whether all eigenpairs at once are affordable; otherwise ask for a few."""
        return self.shape[0] <= CORE_ROWS

    @cached_property
    def kernel(self) -> Floats | None:
        """The N x N kernel, or None when it would be too large to hold."""
        return self.find_kernel() if self.decomposable else None

    @property
    def row_products(self) -> Floats | None:
        """The same, as every form may be asked for it."""
        return self.kernel

    def column(self, j: int) -> Floats:
        """Give one column of `G`."""
        return self.transposed_dot(self.sample(j))

    def dot(self, v: Floats) -> Floats:
        """Multiply `G` with a vector, or with some at once."""
        return self.transposed_dot(self.sample_dot(v))

    def kernel_dot(self, u: Floats) -> Floats:
        """Multiply the kernel of the rows with a vector."""
        return self.sample_dot(self.transposed_dot(u)) if self.kernel is None else self.kernel @ u

    def eigenvalues(self, k: int) -> Floats:
        """Give the `k` largest eigenvalues, largest first."""
        return (
            super().eigenvalues(k) if self.kernel is None else find_leading_values(self.kernel, k)
        )

    def find_leading(self, k: int) -> tuple[Floats, Floats]:
        """Give the `k` largest eigenvalues and their vectors as columns, largest entry positive."""
        if self.kernel is None:
            return super().find_leading(k)
        values, vectors = find_leading_pairs(self.kernel, k)
        return values, normalise_columns(self.transposed_dot(vectors))

    def decomposition(self) -> tuple[Floats, Floats]:
        """Give the non-zero eigenvalues, smallest first, and their eigenvectors as columns."""
        values, vectors = decompose(self.find_kernel())
        vectors = self.transposed_dot(vectors / np.sqrt(values))
        # The vectors are as large as the rows written out.
        return whole_of_rows(self.to_array(), values, vectors)


class RowGram(SampleGram):
    """A Gram matrix held by its centred (and scaled) rows, for d > N."""

    def __init__(self, rows: Floats) -> None:
        self.rows = rows

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return len(self.rows), self.rows.shape[1]

    @property
    def plain_rows(self) -> Floats:
        """The rows."""
        return self.rows

    @property
    def form(self) -> str:
        """How the matrix is held, in words."""
        return "computed from the rows"

    def diagonal(self) -> Floats:
        """Give the squared length of every column."""
        return self._diagonal.copy()

    @cached_property
    def _diagonal(self) -> Floats:
        return np.einsum("ij,ij->j", self.rows, self.rows)

    def sample(self, j: int) -> Floats:
        """Give column `j` of the rows."""
        return self.rows[:, j].copy()

    def sample_dot(self, v: Floats) -> Floats:
        """Multiply the rows with a vector, or with some at once."""
        return self.rows @ v

    def transposed_dot(self, u: Floats) -> Floats:
        """Multiply the transposed rows with a vector, or with some at once."""
        return np.asarray((u.T @ self.rows).T)  # its transpose is contiguous

    def kernel_diagonal(self) -> Floats:
        """Give the squared length of every row."""
        return np.einsum("ij,ij->i", self.rows, self.rows)

    def find_kernel(self) -> Floats:
        """Compute the N x N kernel."""
        return self.rows @ self.rows.T

    def to_array(self) -> Floats:
        """Give the rows."""
        return self.rows

    def block(self, rows: Columns, columns: Columns = EVERY) -> Floats:
        """Give some rows and columns of `G`."""
        return self.rows[:, rows].T @ self.rows[:, columns]

    def weigh_columns(self, weights: Floats) -> "RowGram":
        """Give the Gram matrix of the columns, each multiplied with its weight."""
        return RowGram(self.rows * weights)

    def residual_norms(self, taken: Indices, W: Floats) -> Floats:
        """Give the squared column norms of `G - W'W` through the N x N kernel of the residual."""
        if not len(taken) and self.kernel is not None:
            return np.asarray(np.einsum("ij,ij->j", self.rows, self.kernel @ self.rows))
        left = self.rows
        if len(taken):
            basis = _orthonormal(self.rows[:, taken], W[:, taken])
            left = self.rows - basis @ W
            left[:, taken] = 0.0
        norms = np.zeros(left.shape[1])
        for part in row_blocks(*left.shape):
            # diag(Z'KZ) with K = ZZ': the sum over rows of Z * (KZ).
            norms += np.einsum("ij,ij->j", left[part], (left[part] @ left.T) @ left)
        return norms

    def squared_dot(self) -> Product:
        """Make the product of `G o G`, the squared entries, with a vector."""
        return super().squared_dot() if self.kernel is None else self._squared_dot

    def _squared_dot(self, v: Floats) -> Floats:
        # ((G o G)v)_j = sum_l (f_j'f_l)^2 v_l = f_j' (X diag(v) X') f_j
        found = np.zeros(v.size)
        for part in row_blocks(*self.rows.shape):
            block = self.rows[part]
            found += np.einsum("ij,ij->j", block, ((block * v) @ self.rows.T) @ self.rows)
        return found


def _orthonormal(columns: Floats, triangle: Floats) -> Floats:
    """Undo the triangular factor: `columns = Q triangle`, empty rows giving empty directions."""
    kept = np.diagonal(triangle) > 0
    basis = np.zeros_like(columns)
    solved = scipy.linalg.solve_triangular(
        triangle[np.ix_(kept, kept)], columns[:, kept].T, trans="T", lower=False
    )
    basis[:, kept] = solved.T
    return basis


class SketchGram(RowGram):
    """A Gram matrix estimated from random sums of the rows: `G` is about `Z'Z`."""

    @property
    def form(self) -> str:
        """How the matrix is held, in words."""
        return f"estimated from {len(self.rows):,} random sums of the rows"

    @property
    def error(self) -> float:
        """How far shares of the variance may be off: a correlation of s sums varies by 1/sqrt(s).

        That of all columns together is less, unless one or two factors drive them all
        (docs/scale.md).
        """
        return float(len(self.rows) ** -0.5)

    def weigh_columns(self, weights: Floats) -> "SketchGram":
        """Give the Gram matrix of the columns, each multiplied with its weight."""
        return SketchGram(self.rows * weights)


def reorder_columns(gram: Gram, order: Indices) -> Gram:
    """Put the columns of a Gram matrix in another order.

    >>> gram = DenseGram(np.array([[1.0, 0.5], [0.5, 2.0]]))
    >>> reorder_columns(gram, np.array([1, 0])).diagonal()
    array([2., 1.])
    """
    if np.array_equal(order, np.arange(len(order))):
        return gram
    if gram.samples is not None:
        return RowGram(gram.samples.to_array()[:, order])
    return DenseGram(gram.block(order, order))
