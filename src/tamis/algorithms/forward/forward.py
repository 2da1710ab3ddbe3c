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
from functools import partial

import numpy as np

from tamis.algorithms.forward.group_residual import GroupResidual
from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.algorithms.forward.together import take_units
from tamis.algorithms.greedy import Mask
from tamis.algorithms.limits import Limits, take_within
from tamis.algorithms.path import Path
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats
from tamis.statistics.gram import Gram
from tamis.statistics.grouped import GroupedGram
from tamis.statistics.response import ResponseGram, grouped_of


def take_groups(
    gram: Gram | GroupedGram | ResponseGram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    limits: Limits | None = None,
    shrink: float | str = "auto",
    importance: Mapping[int, float] | None = None,
    y_weight: float | None = None,
    together: bool | None = None,
) -> Path:
    """Take `k` columns of a table, each the one that lowers the error most for its price.

    A shrinkage of "auto" is 0: what held-out rows say of it is known to the caller only. With
    `together` the groups of the limits are taken whole, and `k` counts them.

    Examples
    --------
    The second column is a category of three levels, which two columns of the matrix stand for.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.grouped import Groups
    >>> G = np.array([[1.0, 0.5, 0.5, 0.0], [0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0, 0, 0, 1]])
    >>> take_groups(GroupedGram(DenseGram(G), Groups(np.array([1, 2, 1]))), 2).indices
    array([1, 2])
    """
    grouped, amount = grouped_of(gram), 0.0 if isinstance(shrink, str) else shrink
    width = len(grouped.groups.sizes)
    columns = width - isinstance(gram, ResponseGram)
    within = (Limits.of(columns) if limits is None else limits).widen(width)
    weights = spread_importance(grouped, columns, importance, y_weight)
    if together:
        take = partial(_take_units, k=k, retain=retain, shrink=amount)
        path = take_units(grouped, within, include, weights, take)
        return replace(path, scores=path.scores[:columns])
    if grouped.groups.single and not amount and weights is None:
        return greedy_reconstruction(grouped.gram, k, retain=retain, include=include, limits=within)
    path = take_by_importance(
        grouped, k, within, retain=retain, include=include, importance=weights, shrink=amount
    )
    return replace(path, scores=path.scores[:columns])


def _take_units(
    statistic: GroupedGram,
    limits: Limits,
    include: Sequence[int],
    importance: Floats | None,
    *,
    k: int,
    retain: float,
    shrink: float,
) -> Path:
    """Take `k` units, by the loop of groups."""
    most = min(k, len(statistic.groups.sizes))
    return take_by_importance(
        statistic,
        max(most, len(include)),
        limits,
        retain=retain,
        include=include,
        importance=importance,
        shrink=shrink,
    )


def spread_importance(
    statistic: GroupedGram,
    columns: int,
    importance: Mapping[int, float] | None,
    y_weight: float | None,
) -> Floats | None:
    """Give how much of what is to be explained each group is; None where all count the same.

    A column counts 1 where nothing is said. A response, behind the columns, gets the share
    `y_weight` of it all: 0.5 if nothing is said.
    """
    width = len(statistic.groups.sizes)
    if importance is None and columns == width:
        return None
    weights = np.ones(width)
    for j, weight in (importance or {}).items():
        weights[j] = weight
    if columns == width:
        return weights
    share, weighed = 0.5 if y_weight is None else y_weight, weights * statistic.diagonal()
    of_columns, of_response = weighed[:columns].sum(), weighed[columns:].sum()
    weights[:columns] *= (1.0 - share) / max(of_columns, np.finfo(float).tiny)
    weights[columns:] *= share / of_response
    return weights


def take_by_importance(
    statistic: GroupedGram,
    k: int,
    limits: Limits | None = None,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    importance: Floats | None = None,
    shrink: float = 0.0,
    usable: Callable[[GroupResidual], Mask] | None = None,
) -> Path:
    """Do the same where some columns matter more: `importance` weighs what is to be explained.

    It has a number of at least 0 for every group. `retained` is the share of what matters, and
    nothing more is taken once all of that is explained. `usable` says which columns may come next,
    beside the limits.
    """
    within = Limits.of(len(statistic.groups.sizes)) if limits is None else limits

    def mark_free(residual: GroupResidual) -> Mask:
        free = residual.free & (residual.unexplained > RANK_TOL)
        return free if usable is None else free & usable(residual)

    path = take_within(
        (ShrunkResidual if shrink else GroupResidual)(statistic, k, shrink, importance),
        k,
        lambda residual: residual.gains(),
        within,
        retain=retain,
        include=include,
        usable=mark_free,
    )
    return replace(path, importance=importance)


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
