"""Columns that stand together: a category as its indicators, a sensor as all its values.

A table of numbers and categories has a Gram matrix as well once every category is a group of
columns. What is chosen is then a group at a time, and all else stays as it is for numbers.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tamis.numerics.types import Floats, Indices
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class Groups:
    """Which columns of a Gram matrix stand for each column of the table.

    They are next to each other, in the order of the table; `sizes` says how many there are.

    Examples
    --------
    >>> groups = Groups(np.array([1, 3, 1]))
    >>> groups.owner, groups.members([2, 1])
    (array([0, 1, 1, 1, 2]), array([4, 1, 2, 3]))
    """

    sizes: Indices

    @cached_property
    def starts(self) -> Indices:
        """The first column of each group."""
        return np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.intp)

    @cached_property
    def owner(self) -> Indices:
        """The group of every column."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @classmethod
    def of_singles(cls, count: int) -> "Groups":
        """Give groups of one column each."""
        return cls(np.ones(count, dtype=np.intp))

    @cached_property
    def single(self) -> bool:
        """Whether every group is one column."""
        return bool((self.sizes == 1).all())

    def members(self, groups: Sequence[int] | Indices) -> Indices:
        """Give the columns of some groups, in the order of the groups."""
        if self.single:
            return np.array(groups, dtype=np.intp)
        spans = [np.arange(self.starts[g], self.starts[g] + self.sizes[g]) for g in groups]
        return np.concatenate([*spans, np.zeros(0, dtype=np.intp)]).astype(np.intp)

    def sum_up(self, values: Floats) -> Floats:
        """Add the values of each group's columns, along the last axis."""
        return np.asarray(np.add.reduceat(values, self.starts, axis=-1))

    def of_columns(self, columns: Indices) -> tuple[Indices, "Groups"]:
        """Keep some columns: give the groups of which any are left, and their new sizes."""
        left = np.bincount(self.owner[columns], minlength=len(self.sizes))
        kept = np.flatnonzero(left)
        return kept, Groups(left[kept])
