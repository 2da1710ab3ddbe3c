"""Columns that stand together: a category as its indicators, a sensor as all its values.

A table of numbers and categories has a Gram matrix as well once every category is a group of
columns. What is chosen is then a group at a time, and all else stays as it is for numbers.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram, Samples
from tamis.statistics.gram.protocol import Statistic
from tamis.values import dataclass

if TYPE_CHECKING:
    from tamis.statistics.classes import CountedTarget
    from tamis.statistics.labels import Target


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


@dataclass(frozen=True, eq=False)
class GroupedGram(Statistic["GroupedGram"]):
    """A Gram matrix whose columns stand together in groups.

    Every group's diagonal adds up to the weight of its column: 1 in a table of which every column
    counts the same. `n_rows` is None where it is not known how many rows are behind it. The last
    groups are `responses`, so many; `targets` have their labels, which what the columns explain
    does not need.
    """

    gram: Gram
    groups: Groups
    n_rows: int | None = None
    targets: "tuple[Target | CountedTarget, ...]" = ()
    responses: int = 0

    @cached_property
    def explained(self) -> "GroupedGram":
        """What the columns explain of each other: the variance, by this matrix without labels."""
        return replace(self, targets=()) if self.targets else self

    @property
    def width(self) -> int:
        """The number of columns and responses."""
        return len(self.groups.sizes)

    @property
    def columns(self) -> int:
        """How many columns there are to choose from; the responses follow them."""
        return self.width - self.responses

    @property
    def target(self) -> "Target | CountedTarget | None":
        """The labels of the rows, where there is one response."""
        return self.targets[0] if len(self.targets) == 1 else None

    @property
    def importance(self) -> Floats | None:
        """What is to be explained: the responses alone; None for all columns alike."""
        if not self.responses:
            return None
        return np.asarray(np.arange(self.width) >= self.columns, dtype=np.float64)

    @property
    def samples(self) -> Samples | None:
        """The rows behind the matrix where it is held by them."""
        return self.gram.samples

    @property
    def error(self) -> float | None:
        """How far shares of the variance may be off; None where the matrix is exact."""
        return self.gram.error

    def diagonal(self) -> Floats:
        """Give the weight of every group."""
        return self.groups.sum_up(self.gram.diagonal())


def as_groups(statistic: "Gram | GroupedGram") -> GroupedGram:
    """Give a Gram matrix as one of groups; where nothing else is known, of one column each."""
    if isinstance(statistic, GroupedGram):
        return statistic
    return GroupedGram(statistic, Groups.of_singles(len(statistic.diagonal())))
