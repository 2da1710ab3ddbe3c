"""Groups of columns that are taken whole: a sensor brings its hundred columns.

A unit is a group, or a column in none. The units are the groups of a Gram matrix whose columns are
put in their order, so that the greedy loop of groups takes them (`greedy`): each step takes
the unit that lowers the error most. Where there are prices or a budget it is the error for the
price, and a unit costs what its columns cost together.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.algorithms.residual import condition
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram.reorder import reorder_columns
from tamis.statistics.grouped import GroupedGram, Groups
from tamis.values import dataclass

Take = Callable[[GroupedGram, Limits, Sequence[int], Floats | None], Path]


@dataclass(frozen=True, eq=False)
class Units:
    """Columns of a table that are taken together: `members` has those of each unit.

    Units come in the order of their first columns.
    """

    limits: Limits
    members: tuple[Indices, ...]

    @classmethod
    def of(cls, limits: Limits) -> "Units":
        """Take the groups of limits as units, and every other column as one.

        Examples
        --------
        >>> Units.of(Limits.of(4, groups={"A": [1, 3]})).members
        (array([0]), array([1, 3]), array([2]))
        """
        found: dict[int, list[int]] = {}
        for j, group in enumerate(limits.group.tolist()):
            found.setdefault(-1 - j if group < 0 else group, []).append(j)
        return cls(limits, tuple(np.array(some, dtype=np.intp) for some in found.values()))

    @cached_property
    def owner(self) -> Indices:
        """The unit of every column."""
        owner = np.zeros(len(self.limits.group), dtype=np.intp)
        for unit, columns in enumerate(self.members):
            owner[columns] = unit
        return owner

    def limit(self) -> Limits:
        """Give the limits of the units: what they cost, and which are never taken."""
        price, own = self.limits.price, {}
        if np.isfinite(self.limits.budget) or self.limits.priced:
            own = {unit: float(price[some].sum()) for unit, some in enumerate(self.members)}
        barred = [unit for unit, some in enumerate(self.members) if self.limits.barred[some].any()]
        budget = self.limits.budget if np.isfinite(self.limits.budget) else None
        return Limits.of(len(self.members), costs=own, budget=budget, forbid=barred)

    def merge(self, statistic: GroupedGram) -> GroupedGram:
        """Put the columns of every unit next to each other, as one group."""
        sizes = [int(statistic.groups.sizes[some].sum()) for some in self.members]
        order = statistic.groups.members(np.concatenate(self.members))
        groups = Groups(np.array(sizes, dtype=np.intp))
        return replace(statistic, gram=reorder_columns(statistic.gram, order), groups=groups)

    def weigh(self, importance: Floats | None) -> Floats | None:
        """Give the importance of every unit, that of its first column; None where all are alike."""
        first = np.array([some[0] for some in self.members], dtype=np.intp)
        return None if importance is None else importance[first]

    def list_units(self, columns: Sequence[int]) -> list[int]:
        """Give the units of some columns, each once."""
        return list(dict.fromkeys(self.owner[list(columns)].tolist()))

    def spread(self, path: Path, statistic: GroupedGram, importance: Floats | None) -> Path:
        """Turn a path of units into one of their columns, with what each of these adds."""
        some = [self.members[unit] for unit in path.indices]
        columns = np.concatenate([*some, np.zeros(0, dtype=np.intp)]).astype(np.intp)
        residual = condition(statistic, columns, importance=importance)
        return replace(
            path,
            indices=columns,
            retained=residual.retained.copy(),
            scores=path.scores[self.owner],
            importance=importance,
        )


def take_units(
    statistic: GroupedGram,
    limits: Limits,
    include: Sequence[int],
    importance: Floats | None,
    take: Take,
) -> Path:
    """Take whole units by `take`, which is given their matrix, limits and importance."""
    units = Units.of(limits)
    weights = units.weigh(importance)
    path = take(units.merge(statistic), units.limit(), units.list_units(include), weights)
    return units.spread(path, statistic, importance)
