"""The squared residue of a part of a table, kept up to date while rows and columns leave it.

Of the part with rows I and columns J the residue of a value is r = a - (mean of its row) - (mean of
its column) + (mean of all): what the best sum of a row effect and a column effect leaves. When a
row p leaves, every other residue of column j grows by r_pj / (rows left). So the sum of squares of
a column falls by r_pj^2 m / (m - 1), and that of a row changes by its product with row p: one
product of a matrix and a vector for each removal, and residues are computed again only when half of
the rows or columns have left.
"""

from dataclasses import dataclass

import numpy as np

from tamis.numerics.types import Floats, Indices


def measure_residues(part: Floats) -> Floats:
    """Give the residue of every value.

    >>> measure_residues(np.array([[1.0, 2.0], [3.0, 8.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return part - part.mean(axis=1, keepdims=True) - part.mean(axis=0) + part.mean()


def mean_residue(part: Floats) -> float:
    """Give the mean squared residue.

    >>> mean_residue(np.array([[1.0, 2.0], [3.0, 8.0]]))
    1.0
    """
    return float(np.square(measure_residues(part)).mean())


@dataclass(eq=False)
class Side:
    """The rows of a part, or its columns: positions, means and sums of squared residues."""

    members: Indices
    means: Floats
    sums: Floats

    def without(self, place: int) -> "Side":
        """Give the side without one of its members."""
        members, means, sums = self.members, self.means, self.sums
        return Side(np.delete(members, place), np.delete(means, place), np.delete(sums, place))


class Part:
    """A part of a table that rows and columns leave one by one.

    Attributes
    ----------
    sides
        Its rows and its columns.
    total
        Sum of all squared residues.
    """

    def __init__(self, values: Floats, rows: Indices, columns: Indices) -> None:
        self._values = values
        self.restrict(rows, columns)

    def restrict(self, rows: Indices, columns: Indices) -> None:
        """Start again from these rows and columns."""
        part = self._values[np.ix_(rows, columns)]
        squares = np.square(measure_residues(part))
        self._part, self._inner = part, [np.arange(rows.size), np.arange(columns.size)]
        self.sides = [
            Side(rows, part.mean(axis=1), squares.sum(axis=1)),
            Side(columns, part.mean(axis=0), squares.sum(axis=0)),
        ]
        self.total = float(squares.sum())

    @property
    def mean_residue(self) -> float:
        """Mean squared residue of the part."""
        return self.total / (self.sides[0].members.size * self.sides[1].members.size)

    def scores(self, axis: int) -> Floats:
        """Give the mean squared residue of every row (axis 0) or column (axis 1)."""
        return self.sides[axis].sums / self.sides[1 - axis].members.size

    def remove(self, axis: int, place: int) -> None:
        """Remove one row (axis 0) or one column (axis 1)."""
        own, other = self.sides[axis], self.sides[1 - axis]
        left = own.members.size - 1
        line = self._line(axis, place)
        residue = line - own.means[place] - other.means + other.means.mean()
        squares = np.square(residue)
        # Residues of a line sum to 0, so the effects of the other lines drop out of the product.
        products = self._products(axis, residue) - other.means @ residue
        own.sums += 2 * products / left + squares.sum() / left**2
        other.sums -= squares * (left + 1) / left
        other.means += (other.means - line) / left
        self.total -= float(squares.sum()) * (left + 1) / left
        self.sides[axis] = own.without(place)
        self._inner[axis] = np.delete(self._inner[axis], place)
        if 2 * left <= self._part.shape[axis]:
            self.restrict(*(side.members for side in self.sides))

    def _line(self, axis: int, place: int) -> Floats:
        line = self._part.take(self._inner[axis][place], axis=axis)
        return line[self._inner[1 - axis]]

    def _products(self, axis: int, residue: Floats) -> Floats:
        """Multiply every line with a residue; the lines that have left count as 0."""
        spread = np.zeros(self._part.shape[1 - axis])
        spread[self._inner[1 - axis]] = residue
        whole = self._part @ spread if axis == 0 else spread @ self._part
        return whole[self._inner[axis]]
