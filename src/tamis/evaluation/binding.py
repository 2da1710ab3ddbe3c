"""Which limits a search ran into, and what the best column that each keeps out would add."""

from dataclasses import dataclass

import numpy as np

from tamis.algorithms.greedy import Mask
from tamis.algorithms.limits import Limits
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices


@dataclass(frozen=True)
class BindingLimit:
    """A limit that was reached: the option, the group it counts, and what it keeps out.

    `column` is the best column that may be kept but for this limit, `gain` what it would add.
    """

    option: str
    group: str | None
    column: int
    gain: float


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
    return found


def _best_of(option: str, group: str | None, out: Mask, gains: Floats) -> list[BindingLimit]:
    if not out.any():
        return []
    best = first_best(np.where(out, gains, -np.inf))
    return [BindingLimit(option, group, best, float(gains[best]))] if gains[best] > 0 else []
