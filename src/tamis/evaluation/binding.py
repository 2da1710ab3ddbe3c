"""Which limits a search ran into, and what the best column that each keeps out would add."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tamis.algorithms.limits import Limits
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices, Mask


@dataclass(frozen=True)
class BindingLimit:
    """A limit that was reached: the option, the group it counts, and what it keeps out.

    `column` is the best column that may be kept but for this limit, `gain` what it would add; where
    a group must have so many columns, what it would add in the place of one of these.
    """

    option: str
    group: str | None
    column: int
    gain: float


def mark_barred(limits: Limits, kept: Indices, position: int) -> Mask:
    """Mark the columns that may not be kept in the place of one that is."""
    others = np.delete(kept, position)
    return ~limits.mark_usable(others, len(kept))


def find_binding(limits: Limits, kept: Indices, gains: Floats) -> list[BindingLimit]:
    """List the limits that keep out a column, each with the column that would add most.

    Examples
    --------
    >>> limits = Limits.of(3, groups={"A": [0, 1]}, at_most=1)
    >>> find_binding(limits, np.array([0]), np.array([0.0, 0.2, 0.1]))
    [BindingLimit(option='at_most', group='A', column=1, gain=0.2)]
    """
    width = len(gains)
    others = ~limits.barred[:width]
    others[kept] = False
    far, paid = limits.mark_far(kept)[:width], limits.mark_affordable(kept)[:width]
    full = limits.mark_full(kept)[:width]
    found = []
    for i, name in enumerate(limits.names):
        out = others & far & paid & full & (limits.group[:width] == i)
        found += _best_of("at_most", name, out, gains)
    found += _best_of("apart", None, others & paid & ~full & ~far, gains)
    found += _best_of("budget", None, others & far & ~full & ~paid, gains)
    barred = limits.barred[:width] & far & paid & ~full
    return found + _best_of("forbid", None, barred, gains)


def find_demanded(
    limits: Limits,
    kept: Indices,
    fixed: Sequence[int],
    swaps: Callable[[Sequence[int]], Iterable[Floats]],
) -> list[BindingLimit]:
    """List the groups that have just as many columns as they must, where another column adds more.

    `swaps` gives, for some places among the kept columns, what each other column there changes;
    columns in `fixed` stay.
    """
    found = []
    counts = limits.count_taken(kept)
    for i in np.flatnonzero((limits.least > 0) & (counts == limits.least)).tolist():
        free = replace(limits, least=np.where(np.arange(len(counts)) == i, 0, limits.least))
        own = (limits.group[kept] == i) & ~np.isin(kept, np.asarray(fixed, dtype=np.intp))
        places = np.flatnonzero(own).tolist()
        best: list[BindingLimit] = []
        for place, change in zip(places, swaps(places), strict=True):
            may = free.mark_swaps(np.delete(kept, place))[: len(change)]
            out = may & (limits.group[: len(change)] != i) & ~np.isnan(change)
            best += _best_of("at_least", limits.names[i], out, change)
        found += sorted(best, key=lambda one: -one.gain)[:1]
    return found


def _best_of(option: str, group: str | None, out: Mask, gains: Floats) -> list[BindingLimit]:
    if not out.any():
        return []
    best = first_best(np.where(out, gains, -np.inf))
    return [BindingLimit(option, group, best, float(gains[best]))] if gains[best] > 0 else []
