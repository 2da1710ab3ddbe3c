"""Swaps within limits: from more than one start where there are prices, and filled up.

The greedy search takes what explains most for its price, which may spend a budget on many cheap
columns. So a second search takes what explains most, whatever it costs, within the same budget.
Both are improved by swaps and filled up with what the limits still allow, in turn, until nothing
changes; the better one is the answer, which is never below the given path.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tamis.algorithms.greedy import search
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import NO_GOAL, Path
from tamis.algorithms.refine.swap_groups import swap_groups
from tamis.algorithms.residual import Residual
from tamis.numerics.tolerances import NEGLIGIBLE
from tamis.statistics.grouped import GroupedGram

_ROUNDS = 20


def swap_within(
    statistic: GroupedGram,
    limits: Limits,
    path: Path,
    *,
    include: Sequence[int] = (),
    most: int | None = None,
) -> Path:
    """Improve a set of columns within limits; there may be up to `most`, as many by default.

    Examples
    --------
    Three cheap columns cost as much as the first one, which explains more than all of them.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.grouped import as_groups
    >>> gram = as_groups(DenseGram(np.diag([9.0, 1.0, 1.0, 1.0])))
    >>> cheap = Path(np.array([1, 2, 3]), np.array([1.0, 2.0, 3.0]) / 12)
    >>> swap_within(gram, Limits.of(4, costs={0: 3.0}, budget=3.0), cheap).indices
    array([0])
    """
    size = max(len(path.kept), most or 0)
    starts = [path]
    if np.isfinite(limits.budget) and (limits.price != 1.0).any():
        starts.append(_take_dear(statistic, limits, path, include, size))
    found = [_settle_swaps(statistic, limits, one, include, size, most) for one in starts]
    met = [one for one in found[1:] if limits.is_met(one.kept)]
    return max([found[0], *met], key=lambda one: one.share)


def _settle_swaps(
    statistic: GroupedGram,
    limits: Limits,
    path: Path,
    include: Sequence[int],
    size: int,
    most: int | None,
) -> Path:
    """Swap and fill up in turn, until nothing changes."""
    for _ in range(_ROUNDS):
        before = path
        path = swap_groups(statistic, path, include=include, may_join=limits.mark_swaps)
        if most is None or len(path.kept) >= size:
            break
        more = _take_dear(statistic, limits, path, path.kept.tolist(), size)
        if more.share <= path.share + NEGLIGIBLE and path is before:
            break
        path = more
    return path


def _take_dear(
    statistic: GroupedGram, limits: Limits, path: Path, include: Sequence[int], size: int
) -> Path:
    """Take what explains most, whatever it costs, behind the columns to include."""
    residual = Residual(statistic, max(size, len(include)), importance=path.importance)
    found = search(
        residual,
        max(size, len(include)),
        lambda state, _: state.gains() * limits.price,  # which the search divides by
        limits,
        retain=NO_GOAL,
        include=include,
    )
    return replace(path, indices=found.indices, retained=found.retained, nested=False, size=None)
