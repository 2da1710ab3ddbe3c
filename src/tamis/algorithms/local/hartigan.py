"""Hartigan's direct splitting: cut a table into blocks whose values are as equal as possible.

The rows of a block, or its columns, are sorted by their means and cut in two where the sum of
squared deviations from the block means falls most. A cut counts only if it lowers that sum by more
than chance allows: by more than rows (or columns) without any difference would, whose means vary
by the noise inside them, in 99 of 100 tables (F distribution).
"""

from functools import cached_property

import numpy as np
import scipy.special

from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Indices
from tamis.values import dataclass

_SPLIT_LEVEL = 0.01  # how often chance may pass for a difference
_MIN_MEAN_SHARE = (
    0.1  # a mean of a third of a standard deviation: cutting by means shifts noise by less
)


@dataclass(frozen=True, eq=False)
class Cut:
    """The best cut of a block along one axis: the two sides, and by how much the sum falls."""

    axis: int
    sides: tuple[Indices, Indices]
    reduction: float


@dataclass(frozen=True, eq=False)
class DataBlock:
    """Some rows and some columns of a table, by position."""

    values: Floats
    rows: Indices
    columns: Indices

    @cached_property
    def part(self) -> Floats:
        """The values of the block."""
        return self.values[np.ix_(self.rows, self.columns)]

    @cached_property
    def ssq(self) -> float:
        """Sum of squared deviations from the mean of the block."""
        return float(np.square(self.part - self.part.mean()).sum())

    def cut(self, axis: int) -> Cut | None:
        """Find the best cut of the rows (axis 0) or of the columns (axis 1)."""
        means = self.part.mean(axis=1 - axis)
        if means.size < 2:
            return None
        order = np.argsort(means, kind="stable")
        falls = self.part.shape[1 - axis] * cut_gains(means[order])
        size = first_best(falls) + 1
        sides = np.sort(order[:size]), np.sort(order[size:])
        return Cut(axis, sides, float(falls[size - 1]))

    def exceeds_chance(self, cut: Cut) -> bool:
        """Say whether the cut lowers the sum by more than noise would, however it was cut."""
        count, width = self.part.shape[cut.axis], self.part.shape[1 - cut.axis]
        if width < 2:
            return False  # a single column or row says nothing of the noise inside it
        means = self.part.mean(axis=1 - cut.axis, keepdims=True)
        inside = float(np.square(self.part - means).sum())
        free = count * (width - 1)
        limit = float(scipy.special.fdtri(count - 1, free, 1 - _SPLIT_LEVEL)) * (count - 1) / free
        return cut.reduction > max(limit * inside, TIE * float(np.square(self.part).sum()))

    @cached_property
    def best(self) -> Cut | None:
        """The cut that lowers the sum most, of those that chance does not explain."""
        found = [cut for cut in map(self.cut, (0, 1)) if cut and self.exceeds_chance(cut)]
        if not found:
            return None
        return found[first_best(np.array([cut.reduction for cut in found]))]

    def halves(self, cut: Cut) -> "list[DataBlock]":
        """Give the two sides of a cut."""
        if cut.axis == 0:
            return [DataBlock(self.values, self.rows[side], self.columns) for side in cut.sides]
        return [DataBlock(self.values, self.rows, self.columns[side]) for side in cut.sides]

    @property
    def stands_out(self) -> bool:
        """Whether the mean of the block, squared, is a fair share of the mean square in it."""
        return float(self.part.mean()) ** 2 >= _MIN_MEAN_SHARE * float(np.square(self.part).mean())


def cut_gains(values: Floats) -> Floats:
    """Give for every cut of these sorted values by how much their sum of squares falls.

    >>> cut_gains(np.array([1.0, 1.0, 4.0]))
    array([1.5, 6. ])
    """
    left = np.arange(1, values.size)
    right = values.size - left
    sums = np.cumsum(values - values.mean())[:-1]  # of the left side; that of the right is -sums
    return np.square(sums) * (1 / left + 1 / right)


def direct_splitting(values: Floats, n_blocks: int) -> list[DataBlock]:
    """Cut the table, the largest fall of the sum first, into at most so many blocks.

    Examples
    --------
    >>> table = np.zeros((6, 12)) + 0.1 * np.eye(6, 12)
    >>> table[:3, :9] = 5
    >>> [(b.rows.tolist(), b.columns.tolist()[-3:]) for b in direct_splitting(table, 3)]
    [([3, 4, 5], [9, 10, 11]), ([0, 1, 2], [9, 10, 11]), ([0, 1, 2], [6, 7, 8])]
    """
    n, d = values.shape
    blocks = [DataBlock(values, np.arange(n), np.arange(d))]
    while len(blocks) < n_blocks:
        falls = [block.best.reduction if block.best else -1.0 for block in blocks]
        at = first_best(np.array(falls))
        cut = blocks[at].best
        if cut is None:
            break
        blocks[at : at + 1] = blocks[at].halves(cut)
    return blocks
