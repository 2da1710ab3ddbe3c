"""The form for tables with at least as many rows as columns: the matrix itself."""

import numpy as np

from tamis.numerics.eigen import find_leading_pairs, find_leading_values, fix_signs
from tamis.numerics.types import Floats
from tamis.statistics.gram.protocol import EVERY, Columns, Gram, Product


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
        """Give the same and their eigenvectors as columns, largest entry positive."""
        values, vectors = find_leading_pairs(self.matrix, k)
        return values, fix_signs(vectors)


def part_of(gram: Gram, columns: Columns) -> Gram:
    """Give the Gram matrix of some of the columns, few enough to be held as an array.

    >>> part_of(DenseGram(np.array([[2.0, 1.0], [1.0, 3.0]])), [1]).diagonal()
    array([3.])
    """
    return DenseGram(gram.block(columns, columns))
