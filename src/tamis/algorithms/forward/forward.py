"""`forward`: the columns that explain all others best, numbers and categories alike (tamis).

The greedy loop of `sfs`, on groups of columns: a category is the group of its indicators. With
shrinkage (`shrink`) every column is taken as a little noisy, so that columns that explain others by
chance only are not preferred where rows are few. Without it, and for numbers alone, the picks are
those of `sfs`.

`retained` is what a plain regression on the taken columns explains of these rows, whatever the
shrinkage, so that it compares with the ceiling.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tamis.algorithms.forward.group_residual import GroupResidual
from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.algorithms.greedy import Mask, take_greedily
from tamis.algorithms.path import Path
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats
from tamis.statistics.gram import Gram
from tamis.statistics.grouped import GroupedGram, as_groups

_ALL_ALLOWED = "all others are forbidden, or explained completely by the kept columns"


def take_groups(
    gram: Gram | GroupedGram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    forbid: Sequence[int] | None = None,
    costs: Mapping[int, float] | None = None,
    shrink: float | str = "auto",
) -> Path:
    """Take `k` columns of a table, each the one that lowers the error most for its price.

    A shrinkage of "auto" is 0: what held-out rows say of it is known to the caller only.

    Examples
    --------
    The second column is a category of three levels, which two columns of the matrix stand for.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.grouped import Groups
    >>> G = np.array([[1.0, 0.5, 0.5, 0.0], [0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0, 0, 0, 1]])
    >>> take_groups(GroupedGram(DenseGram(G), Groups(np.array([1, 2, 1]))), 2).indices
    array([1, 2])
    """
    grouped, amount = as_groups(gram), 0.0 if isinstance(shrink, str) else shrink
    if grouped.groups.single and not amount:
        return greedy_reconstruction(
            grouped.gram, k, retain=retain, include=include, forbid=forbid, costs=costs
        )
    return take_by_importance(
        grouped, k, retain=retain, include=include, forbid=forbid, costs=costs, shrink=amount
    )


def take_by_importance(
    statistic: GroupedGram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    forbid: Sequence[int] | None = None,
    costs: Mapping[int, float] | None = None,
    importance: Floats | None = None,
    shrink: float = 0.0,
    usable: Callable[[GroupResidual], Mask] | None = None,
) -> Path:
    """Do the same where some columns matter more: `importance` weighs what is to be explained.

    It has a number of at least 0 for every group. `retained` is the share of what matters, and
    nothing more is taken once all of that is explained. `usable` says which columns may come next.
    """
    allowed, price = np.ones((2, len(statistic.groups.sizes)))
    allowed[list(forbid or ())] = 0.0
    for j, cost in (costs or {}).items():
        price[j] = cost

    def may_follow(residual: GroupResidual) -> Mask:
        free = residual.free & (allowed > 0) & (residual.unexplained > RANK_TOL)
        return free if usable is None else free & usable(residual)

    path = take_greedily(
        (ShrunkResidual if shrink else GroupResidual)(statistic, k, shrink, importance),
        k,
        lambda residual: residual.gains() / price,
        retain=retain,
        include=include,
        usable=may_follow,
    )
    path = replace(path, importance=importance)
    return replace(path, stopped=_ALL_ALLOWED) if forbid else path


class ShrunkResidual(GroupResidual):
    """What shrunken regressions leave, for the choice, beside what plain ones explain."""

    def __init__(
        self,
        statistic: GroupedGram,
        k: int,
        shrink: float = 0.0,
        importance: Floats | None = None,
    ) -> None:
        super().__init__(statistic, k, shrink, importance)
        self._plain = GroupResidual(statistic, k, importance=importance)

    @property
    def retained(self) -> Floats:
        """Share explained after each taken group, by plain regressions."""
        return self._plain.retained

    @property
    def free(self) -> Mask:
        """Groups that plain regressions on the taken ones do not reproduce already."""
        return self._plain.free

    @property
    def unexplained(self) -> float:
        """Share of what matters that plain regressions leave."""
        return self._plain.unexplained

    def take(self, group: int) -> None:
        """Condition on every column of a group."""
        super().take(group)
        self._plain.take(group)
