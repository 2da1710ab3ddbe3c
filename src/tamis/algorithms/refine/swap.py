"""Swap kept columns for others until no single swap explains more.

Columns without limits, of equal importance, are swapped by a closed form (`exchange`). All others,
groups of columns among them, one after the other: what the others leave says what each could add.

Within limits there is more than one start where there are prices, and sets are filled up. The
greedy search takes what explains most for its price, which may spend a budget on many cheap
columns. So a second search takes what explains most, whatever it costs, within the same budget.
Both are improved by swaps and filled up with what the limits still allow, in turn, until nothing
changes; the better one is the answer, which is never below the given path.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tamis.algorithms.forward.together import Units
from tamis.algorithms.greedy import search
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import NO_GOAL, Path
from tamis.algorithms.refine.exchange import exchange
from tamis.algorithms.residual import Residual, condition
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import NEGLIGIBLE
from tamis.statistics.grouped import GroupedGram

_MAX_PASSES = 100
_MAX_ROUNDS = 20  # of swaps, and of filling up


def swap_columns(
    statistic: GroupedGram,
    path: Path,
    limits: Limits | None = None,
    *,
    include: Sequence[int] = (),
    most: int | None = None,
) -> Path:
    """Improve a set of columns; those in `include` stay.

    Within limits there may be up to `most`, as many as before by default.

    Examples
    --------
    Column 1 alone explains more than column 0 does. Of the second table, three cheap columns cost
    as much as the first one, which explains more than all of them.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.grouped import as_groups
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.5], [0.0, 0.5, 1.0]]))
    >>> swap_columns(as_groups(gram), Path(np.array([0]), np.array([0.4]))).indices
    array([1])
    >>> gram = as_groups(DenseGram(np.diag([9.0, 1.0, 1.0, 1.0])))
    >>> cheap = Path(np.array([1, 2, 3]), np.array([1.0, 2.0, 3.0]) / 12)
    >>> swap_columns(gram, cheap, Limits.of(4, costs={0: 3.0}, budget=3.0)).indices
    array([0])
    """
    if limits is None and statistic.groups.single and path.importance is None:
        return exchange(statistic.gram, path, include=include)
    within = Limits.of(len(statistic.groups.sizes)) if limits is None else limits
    size = max(len(path.kept), most or 0)
    starts = [path]
    if np.isfinite(within.budget) and within.priced:
        starts.append(_take_dear(statistic, within, path, include, size))
    found = [_settle_swaps(statistic, within, start, include, size, most) for start in starts]
    met = [path for path in found[1:] if within.is_met(path.kept)]
    return max([found[0], *met], key=lambda path: path.share)


def swap_units(
    statistic: GroupedGram,
    path: Path,
    limits: Limits,
    *,
    include: Sequence[int] = (),
    most: int | None = None,
) -> Path:
    """Improve a set of groups that are taken whole; there may be up to `most` of them.

    Examples
    --------
    Columns 1 and 2 are a group, and explain more than column 0 does.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.grouped import as_groups
    >>> gram = as_groups(DenseGram(np.diag([3.0, 2.0, 2.0])))
    >>> limits = Limits.of(3, groups={"A": [1, 2]})
    >>> swap_units(gram, Path(np.array([0]), np.array([3 / 7])), limits).indices
    array([1, 2])
    """
    units = Units.of(limits)
    kept = np.array(units.list_units(path.kept.tolist()), dtype=np.intp)
    # What is explained after each unit is not needed, but that after all of them.
    start = Path(kept, np.full(len(kept), path.share), np.zeros(len(units.members)))
    start = replace(start, importance=units.weigh(path.importance))
    merged, must = units.merge(statistic), units.list_units(include)
    found = swap_columns(merged, start, units.limit(), include=must, most=most)
    if set(found.kept.tolist()) == set(kept.tolist()):
        return path
    spread = units.spread(found, statistic, path.importance)
    return replace(spread, scores=path.scores, nested=False, stopped=path.stopped)


def _settle_swaps(
    statistic: GroupedGram,
    limits: Limits,
    path: Path,
    include: Sequence[int],
    size: int,
    most: int | None,
) -> Path:
    """Swap and fill up in turn, until nothing changes."""
    for _ in range(_MAX_ROUNDS):
        before = path
        path = _swap_each(statistic, limits, path, include)
        if most is None or len(path.kept) >= size:
            break
        more = _take_dear(statistic, limits, path, path.kept.tolist(), size)
        if more.share <= path.share + NEGLIGIBLE and path is before:
            break
        path = more
    return path


def _swap_each(statistic: GroupedGram, limits: Limits, path: Path, include: Sequence[int]) -> Path:
    """Swap one kept group after the other, until no swap helps."""
    kept, share = path.kept.copy(), path.share
    for _ in range(_MAX_PASSES):
        before = kept.copy()
        for place in range(len(kept)):
            if int(kept[place]) in set(include):
                continue
            others = np.delete(kept, place)
            residual = condition(statistic, others, importance=path.importance)
            gains = residual.gains()
            gains[~limits.mark_swaps(others)] = -np.inf
            gains[kept] = -np.inf
            best = first_best(gains)
            found = (residual.retained[-1] if residual.size else 0.0) + gains[best]
            if found > share + NEGLIGIBLE:
                kept[place], share = best, found
        if np.array_equal(kept, before):
            break
    if set(kept.tolist()) == set(path.kept.tolist()):
        return path
    shares = condition(statistic, kept, importance=path.importance).retained.copy()
    return replace(path, indices=kept, retained=shares, nested=False)


def _take_dear(
    statistic: GroupedGram, limits: Limits, path: Path, include: Sequence[int], size: int
) -> Path:
    """Take what explains most, whatever it costs, behind the columns to include."""
    found = search(
        Residual(statistic, max(size, len(include)), importance=path.importance),
        max(size, len(include)),
        lambda state, _: state.gains() * limits.price,  # which the search divides by
        limits,
        retain=NO_GOAL,
        include=include,
    )
    return replace(path, indices=found.indices, retained=found.retained, nested=False, size=None)
