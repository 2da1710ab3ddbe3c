"""Which columns a backward search may remove, and in what order limits let them go.

Columns to keep in any case stay, and so do those of a group of which no more are left than must be.
First go the columns that break a limit: forbidden ones, then those of groups that have too many
left and those that are too near to another. While what is left costs more than the budget, nothing
else is decided by it. Then the method's own rule is free; removing columns never breaks a limit
again, so that every smaller set keeps to them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path, Removals
from tamis.numerics.types import Indices, Mask

_REMOVED_TEXT = "columns that broke a limit were removed first, and no more are left"


@dataclass(frozen=True, eq=False)
class RemovalGuard:
    """What may be removed, of columns 0, 1, ...; the columns `fixed` stay."""

    limits: Limits
    fixed: Indices

    @classmethod
    def of(cls, width: int, fixed: Sequence[int], limits: Limits | None = None) -> "RemovalGuard":
        """Guard so many columns; without limits only those in `fixed`.

        Examples
        --------
        Column 2 is forbidden. Once it is removed, columns 0 and 1 are one too many.

        >>> limits = Limits.of(4, forbid=[2], groups={"A": [0, 1]}, at_most=1)
        >>> guard = RemovalGuard.of(4, [], limits)
        >>> guard.mark_next(np.array([True, True, True, True]))
        array([False, False,  True, False])
        >>> guard.mark_next(np.array([True, True, False, True]))
        array([ True,  True, False, False])
        >>> guard.mark_next(np.array([True, False, False, True]))
        array([ True, False, False,  True])
        """
        return cls(Limits.of(width) if limits is None else limits, np.asarray(fixed, dtype=np.intp))

    @cached_property
    def limited(self) -> bool:
        """Whether more decides than which columns are fixed."""
        return self.limits.any or bool(self.limits.barred.any())

    @cached_property
    def least(self) -> int:
        """How many columns are left in the end."""
        missing = np.maximum(self.limits.least - self.limits.count_taken(self.fixed), 0)
        return max(1, len(self.fixed) + int(missing.sum()))

    def among(self, columns: Indices) -> "RemovalGuard":
        """Guard some of the columns, counted among these; the others are removed."""
        places = np.flatnonzero(np.isin(columns, self.fixed))
        return RemovalGuard(self.limits.of_columns(columns), places)

    def mark_allowed(self, live: Mask) -> Mask:
        """Mark the live columns that may be removed at all."""
        allowed = live.copy()
        allowed[self.fixed] = False
        if self.limits.names:
            few = self.limits.count_taken(np.flatnonzero(live)) <= self.limits.least
            allowed &= ~np.append(few & (self.limits.least > 0), False)[self.limits.group]
        return allowed

    def mark_next(self, live: Mask) -> Mask:
        """Mark the columns of which one goes next: those that break a limit, if there are any."""
        allowed = self.mark_allowed(live)
        if not self.limited:
            return allowed
        for breaking in self._mark_breaking(live):
            if (allowed & breaking).any():
                return allowed & breaking
        return allowed

    def _mark_breaking(self, live: Mask) -> tuple[Mask, Mask]:
        """Mark the live columns that are forbidden, and those too many or too near."""
        limits, left = self.limits, np.flatnonzero(live)
        over = np.append(limits.count_taken(left) > limits.most, False)[limits.group]
        return live & limits.barred, live & (over | limits.mark_near(left))

    def breaks(self, live: Mask) -> bool:
        """Whether what is left breaks a limit."""
        left = np.flatnonzero(live)
        over = self.limits.spend(left) > self.limits.budget
        return bool(over or any(mask.any() for mask in self._mark_breaking(live)))

    def cut(self, path: Path, removals: Removals) -> Path:
        """Keep no more columns of a path than the limits allow, and no fewer than they demand."""
        if not self.limited:
            return path
        live = np.ones(len(self.limits.group), dtype=bool)
        most = len(live)
        for j in removals.columns:
            if not self.breaks(live):
                break
            live[j] = False
            most -= 1
        size = max(min(path.size or most, most), len(live) - len(removals.columns))
        return replace(path, size=size, stopped=_REMOVED_TEXT if most == size else path.stopped)
