"""The questions that methods ask of a statistic and of a Gram matrix, and the form of few columns.

With at least as many rows as columns it is held as the matrix itself (`DenseGram`).
"""

from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np

from tamis.numerics.eigen import (
    decompose,
    find_leading_pairs,
    find_leading_values,
    fix_signs,
    iterate_leading,
)
from tamis.numerics.rank import whole_decomposition
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices

Explained = TypeVar("Explained", covariant=True)  # a Gram matrix, or mutual information


class Statistic(Protocol[Explained]):
    """A Gram matrix, mutual information, or what holds one of them beside other things."""

    @property
    @abstractmethod
    def explained(self) -> Explained:
        """What the columns explain of each other: variance, or information."""

    @property
    def deferred(self) -> bool:
        """Whether that takes another read of the table, made when it is first asked for."""
        return False


class Relations(Protocol):
    """What the columns explain of each other: the questions that both kinds of it answer."""

    @property
    @abstractmethod
    def rank_bound(self) -> int:
        """How many columns can be taken before nothing is left to explain."""

    @property
    @abstractmethod
    def redundant_at(self) -> float:
        """The share explained from which on a column is redundant, unless the user says so."""

    @abstractmethod
    def pooled(self, values: Floats) -> Floats:
        """Give every column the sum of these values of all columns, as far as it explains them."""


Columns = slice | Indices
Product = Callable[[Floats], Floats]

EVERY = slice(None)

_REDUNDANT_VARIANCE = 0.9


class Samples(Protocol):
    """The centred rows `Z` behind `G = Z'Z`: with few rows it is quicker to work on them."""

    rows: Any

    @abstractmethod
    def sample(self, j: int) -> Floats:
        """Give column `j` of `Z`."""

    @abstractmethod
    def transposed_dot(self, u: Floats) -> Floats:
        """Multiply `Z'` with a vector, or with some at once."""

    @abstractmethod
    def kernel_dot(self, u: Floats) -> Floats:
        """Multiply the N x N kernel `ZZ'`, which has the eigenvalues of `G`, with a vector."""

    @abstractmethod
    def kernel_diagonal(self) -> Floats:
        """Give the squared length of every row."""

    @abstractmethod
    def to_array(self) -> Floats:
        """Give `Z` as an array."""


class Gram(Statistic["Gram"], Relations, Protocol):
    """The Gram matrix `G = X'X` of centred columns.

    A form has to answer the first five questions. The other answers follow from them; a form
    overrides those for which it knows a shorter way.
    """

    @abstractmethod
    def diagonal(self) -> Floats:
        """Give the squared length of every column."""

    @abstractmethod
    def column(self, j: int) -> Floats:
        """Give one column of `G`."""

    @abstractmethod
    def block(self, rows: Columns, columns: Columns = EVERY) -> Floats:
        """Give some rows and columns of `G`; with slices it may be a view."""

    @abstractmethod
    def dot(self, v: Floats) -> Floats:
        """Multiply `G` with a vector, or with some at once."""

    @abstractmethod
    def weigh_columns(self, weights: Floats) -> "Gram":
        """Give the Gram matrix of the columns, each multiplied with its weight."""

    @property
    def explained(self) -> "Gram":
        """What the columns explain of each other: the variance, by this matrix."""
        return self

    @property
    def rank_bound(self) -> int:
        """The largest rank that the shape allows, at least 1."""
        return len(self.diagonal())

    @property
    def redundant_at(self) -> float:
        """The share of its variance from which on a column is redundant."""
        return _REDUNDANT_VARIANCE

    def pooled(self, values: Floats) -> Floats:
        """Give every column the sum of these values of all columns, as far as it explains them."""
        sizes = self.diagonal()
        return np.asarray(self.squared_dot()(values / sizes) / sizes)

    @property
    def samples(self) -> Samples | None:
        """The rows behind `G` where it is held by them, so that they are the shorter way."""
        return None

    @property
    def plain_rows(self) -> Floats | None:
        """The rows behind `G` where they are held as an array; None otherwise."""
        return None

    @property
    def row_products(self) -> Floats | None:
        """The products of the rows behind `G` where it is held by few of them; None otherwise."""
        return None

    @property
    def decomposable(self) -> bool:
        """Whether all eigenpairs at once are affordable; otherwise ask for a few."""
        return True

    @property
    def form(self) -> str:
        """How the matrix is held, in words."""
        return "columns x columns"

    @property
    def error(self) -> float | None:
        """How far shares of the variance may be off; None where the matrix is exact."""
        return None

    @cached_property
    def start_norms(self) -> Floats:
        """The squared column norms of `G`, computed once for all searches that begin with them."""
        d = len(self.diagonal())
        return self.residual_norms(np.zeros(0, dtype=np.intp), np.zeros((0, d)))

    def residual_norms(self, taken: Indices, W: Floats) -> Floats:
        """Give the squared column norms of `G - W'W`, where `W` comes from `taken`."""
        d = len(self.diagonal())
        norms = np.empty(d)
        for part in row_blocks(d, d):
            left = self.block(part)
            if len(taken):
                left = left - W[:, part].T @ W
                left[:, taken] = 0.0  # not the rounding of the largest column
            norms[part] = np.einsum("ij,ij->i", left, left)
        return norms

    def squared_dot(self) -> Product:
        """Make the product of `G o G`, the squared entries, with a vector."""
        d = len(self.diagonal())
        parts = row_blocks(d, d)
        return lambda v: np.concatenate([np.square(self.block(part)) @ v for part in parts])

    def hadamard_dot(self, P: Floats) -> Product:
        """Make the product of `G o PP'`, multiplied entry by entry, with a vector."""
        return lambda v: np.einsum("ij,ij->i", P, self.dot(P * v[:, None]))

    def eigenvalues(self, k: int) -> Floats:
        """Give the `k` largest eigenvalues, largest first."""
        return self.find_leading(k)[0]

    def find_leading(self, k: int) -> tuple[Floats, Floats]:
        """Give the `k` largest eigenvalues and their vectors as columns, largest entry positive."""
        values, vectors = iterate_leading(self.dot, len(self.diagonal()), k)
        return values, fix_signs(vectors)

    def decomposition(self) -> tuple[Floats, Floats]:
        """Give the non-zero eigenvalues, smallest first, and their eigenvectors as columns."""
        matrix = self.block(EVERY)
        found = decompose(matrix)
        whole = len(found[0]) == len(matrix)
        return found if whole else whole_decomposition(matrix, *found)


class DenseGram(Gram):
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

    def block(self, rows: Columns, columns: Columns = EVERY) -> Floats:
        """Give some rows and columns of `G`; with slices it may be a view."""
        part = self.matrix[rows]
        # `take` keeps the rows contiguous, which indexing does not.
        return part[:, columns] if isinstance(columns, slice) else part.take(columns, axis=1)

    def dot(self, v: Floats) -> Floats:
        """Multiply `G` with a vector, or with some at once."""
        return self.matrix @ v

    def weigh_columns(self, weights: Floats) -> "DenseGram":
        """Give the Gram matrix of the columns, each multiplied with its weight."""
        return DenseGram(self.matrix * weights * weights[:, None])

    def squared_dot(self) -> Product:
        """Make the product of `G o G`, the squared entries, with a vector."""
        return np.square(self.matrix).__matmul__

    def hadamard_dot(self, P: Floats) -> Product:
        """Make the product of `G o PP'`, multiplied entry by entry, with a vector."""
        product = P @ P.T
        product *= self.matrix
        return product.__matmul__

    def eigenvalues(self, k: int) -> Floats:
        """Give the `k` largest eigenvalues, largest first."""
        return find_leading_values(self.matrix, k)

    def find_leading(self, k: int) -> tuple[Floats, Floats]:
        """Give the `k` largest eigenvalues and their vectors as columns, largest entry positive."""
        values, vectors = find_leading_pairs(self.matrix, k)
        return values, fix_signs(vectors)


def part_of(gram: Gram, columns: Columns) -> Gram:
    """Give the Gram matrix of some of the columns, few enough to be held as an array.

    >>> part_of(DenseGram(np.array([[2.0, 1.0], [1.0, 3.0]])), [1]).diagonal()
    array([3.])
    """
    return DenseGram(gram.block(columns, columns))
