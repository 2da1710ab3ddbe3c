"""`forward`: the columns that explain all others best, numbers and categories alike (tamis).

The greedy loop of `sfs`, on groups of columns: a category is the group of its indicators. With
shrinkage (`shrink`) every column is taken as a little noisy, so that columns that explain others by
chance only are not preferred where rows are few. Without it, and for numbers alone, the picks are
those of `sfs`.

A category of many levels explains much by chance alone. Its gain is that of a single column that
would leave the same error on new rows, by generalised cross-validation.

`retained` is what a plain regression on the taken columns explains of these rows, whatever the
shrinkage, so that it compares with the ceiling.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.algorithms.greedy import search
from tamis.algorithms.limits import LimitedGoal, Limits, Units, no_limits
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual, RowResidual
from tamis.numerics.types import Floats, Mask
from tamis.rules.tolerances import RANK_TOL
from tamis.statistics.gram import Gram
from tamis.statistics.summary import Summary, as_summary


def take_groups(
    gram: Gram | Summary,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    limits: Limits | None = None,
    shrink: float | str = "auto",
    noise: Mapping[int, float] | None = None,
    importance: Mapping[int, float] | None = None,
    y_weight: float | None = None,
    together: bool | None = None,
) -> Path:
    """Take `k` columns of a table, each the one that lowers the error most for its price.

    A shrinkage of "auto" is 0: what held-out rows say of it is known to the caller only. That of a
    column is multiplied with its `noise`, if any is given. With `together` the groups of the limits
    are taken whole, and `k` counts them.

    Examples
    --------
    The second column is a category of three levels, which two columns of the matrix stand for.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.grouped import Groups
    >>> G = np.array([[1.0, 0.5, 0.5, 0.0], [0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0, 0, 0, 1]])
    >>> take_groups(as_summary(DenseGram(G), Groups(np.array([1, 2, 1]))), 2).indices
    array([1, 2])
    """
    summary, amount = as_summary(gram), 0.0 if isinstance(shrink, str) else shrink
    width, columns = summary.width, summary.columns
    within = (limits or no_limits(columns)).widen(width)
    weights = spread_importance(summary, columns, importance, y_weight)
    goal: LimitedGoal = {"retain": retain, "include": include, "limits": within}
    if not together and summary.groups.single and not amount and weights is None:
        return greedy_reconstruction(summary.gram, k, **goal)
    spread: float | Floats = amount
    if noise and not together:
        each = np.ones(width)
        each[list(noise)] = list(noise.values())
        spread = amount * each[summary.groups.owner]
    path = take_by_importance(summary, k, weights, shrink=spread, together=bool(together), **goal)
    return replace(path, scores=path.scores[:columns])


def spread_importance(
    statistic: Summary,
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
    weights, importance = np.ones(width), importance or {}
    weights[list(importance)] = list(importance.values())
    if columns == width:
        return weights
    share, weighed = 0.5 if y_weight is None else y_weight, weights * statistic.diagonal()
    of_columns, of_response = weighed[:columns].sum(), weighed[columns:].sum()
    weights[:columns] *= (1.0 - share) / max(of_columns, np.finfo(float).tiny)
    weights[columns:] *= share / of_response
    return weights


def take_by_importance(
    statistic: Summary,
    k: int | None,
    importance: Floats | None = None,
    *,
    shrink: float | Floats = 0.0,
    usable: Callable[[Summary, Residual], Mask] | None = None,
    together: bool = False,
    **goal: Unpack[LimitedGoal],
) -> Path:
    """Take `k` groups, or all, where some matter more: `importance` weighs what is to be explained.

    It has a number of at least 0 for every group. `retained` is the share of what matters, and
    nothing more is taken once all of that is explained. `usable` says which columns may come next,
    beside the limits. `shrink` is one number, or one for every column of the matrix. With
    `together` the groups of the limits are taken whole, and `k` counts them.
    """
    include = goal.get("include", ())
    if together:
        units = Units.of(goal.get("limits") or no_limits(statistic.width))
        merged, weights = units.merge(statistic, importance)
        goal |= {"include": units.list_units(include), "limits": units.limit()}
        path = take_by_importance(merged, k, weights, shrink=shrink, usable=usable, **goal)
        return units.spread(path, statistic, importance)
    most = statistic.columns
    k = max(min(most if k is None else k, most), len(include))
    by_rows = usable is None and not include and importance is None and statistic.groups.single
    samples = statistic.gram.samples if by_rows and np.any(shrink) else None
    state: Any = (
        Residual(statistic, k, shrink, importance)
        if samples is None
        else RowResidual(statistic.gram, samples, k, shrink)  # the shorter way
    )

    def mark_usable(state: Any) -> Mask:
        free = state.free & (state.unexplained > RANK_TOL)
        return np.asarray(free if usable is None else free & usable(statistic, state))

    path = search(state, k, lambda state, _: state.score(), usable=mark_usable, **goal)
    return replace(path, importance=importance)
