"""What a search has to respect: groups of columns with counts, a budget, a distance on an axis.

A greedy loop asks one thing: which columns may come next. A column may if it breaks no limit, and
if what must still be taken (`at_least` of every group) can be taken after it: there are places and
money left for it, and columns that are far enough from those taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache

import numpy as np

from tamis.algorithms.path import Goal, Path, Removals
from tamis.algorithms.residual import condition
from tamis.numerics.types import Floats, Indices, Mask
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.statistics.gram.row_gram import reorder_columns
from tamis.statistics.grouped import Groups
from tamis.statistics.summary import Summary
from tamis.values import dataclass

NO_GROUP = -1
_PAIR = 2  # columns, without which there is no distance
ALL_ALLOWED = "all others are forbidden, or explained completely by the kept columns"
WITHIN_LIMITS = "the limits allow no others, or the kept columns explain them completely"
REMOVED_FIRST = "columns that broke a limit were removed first, and no more are left"
Counts = int | Mapping[str, int] | None


@dataclass(frozen=True, eq=False)
class Limits:
    """Limits of a search among columns 0, 1, ...

    `group` is the place in `names` of the group of every column, -1 for none. `most` and `least`
    are how many of each group may and must be taken, `price` what every column costs, `place`
    where it is on the axis (NaN for nowhere), `barred` the columns that are never taken; `asked` is
    whether anything was said, even if it limits nothing. `fixed` are columns that are never removed
    by a search that removes columns.
    """

    names: tuple[str, ...]
    group: Indices
    most: Floats
    least: Indices
    price: Floats
    budget: float
    place: Floats
    apart: float
    barred: Mask
    asked: bool = False
    fixed: Indices = field(default_factory=lambda: np.zeros(0, dtype=np.intp))

    @classmethod
    def of(
        cls,
        width: int,
        *,
        groups: Mapping[str, Sequence[int]] | None = None,
        at_most: Counts = None,
        at_least: Counts = None,
        costs: Mapping[int, float] | None = None,
        budget: float | None = None,
        apart: float | None = None,
        axis: Mapping[int, float] | None = None,
        forbid: Sequence[int] | None = None,
    ) -> "Limits":
        """Put the options of a method together; a group never needs more columns than it has.

        Examples
        --------
        >>> limits = Limits.of(4, groups={"A": [0, 1], "B": [2]}, at_most=1, at_least={"B": 1})
        >>> limits.mark_next(np.array([0]), 3)
        array([False, False,  True,  True])
        >>> limits.mark_next(np.array([0]), 2)
        array([False, False,  True, False])
        """
        names, group = tuple(groups or ()), np.full(width, NO_GROUP, dtype=np.intp)
        for i, columns in enumerate((groups or {}).values()):
            group[list(columns)] = i
        price, place, barred = np.ones(width), np.full(width, np.nan), np.zeros(width, dtype=bool)
        for j, cost in (costs or {}).items():
            price[j] = cost
        for j, position in (axis or {}).items():
            place[j] = position
        barred[list(forbid or ())] = True
        given = (groups, at_most, at_least, costs, budget, apart, axis, forbid)
        return cls(
            names,
            group,
            np.array([count_of(at_most, name, np.inf) for name in names]),
            np.array([count_of(at_least, name, 0) for name in names], dtype=np.intp),
            price,
            np.inf if budget is None else budget,
            place,
            0.0 if apart is None else apart,
            barred,
            any(value is not None for value in given),
        ).clip()

    def clip(self) -> "Limits":
        """Demand of no group more columns than it has."""
        return replace(self, least=np.minimum(self.least, self.sizes)) if self.names else self

    def widen(self, width: int) -> "Limits":
        """Add columns behind the others that are never taken, such as a response."""
        more = width - len(self.group)
        if not more:
            return self
        return replace(
            self,
            group=np.append(self.group, np.full(more, NO_GROUP, dtype=np.intp)),
            price=np.append(self.price, np.ones(more)),
            place=np.append(self.place, np.full(more, np.nan)),
            barred=np.append(self.barred, np.ones(more, dtype=bool)),
        )

    def of_columns(self, columns: Indices) -> "Limits":
        """Give the limits of some columns, counted among these; demands stay as they are."""
        return replace(
            self,
            group=self.group[columns],
            price=self.price[columns],
            place=self.place[columns],
            barred=self.barred[columns],
            fixed=np.flatnonzero(np.isin(columns, self.fixed)),
        )

    @cached_property
    def priced(self) -> bool:
        """Whether any column costs more or less than another."""
        return bool((self.price != 1.0).any())

    @cached_property
    def any(self) -> bool:
        """Whether anything is limited but by columns that are barred."""
        counted = np.isfinite(self.most).any() or self.least.any()
        return bool(counted or np.isfinite(self.budget) or self.apart > 0)

    def count_taken(self, taken: Indices) -> Indices:
        """Count the taken columns of every group."""
        own = self.group[taken]
        return np.bincount(own[own >= 0], minlength=len(self.names))

    def is_met(self, taken: Indices) -> bool:
        """Whether of every group as many are taken as must be."""
        return bool((self.count_taken(taken) >= self.least).all())

    def spend(self, taken: Indices) -> float:
        """Add up what the taken columns cost."""
        return float(self.price[taken].sum())

    def mark_next(self, taken: Indices, k: int) -> Mask:
        """Mark the columns that may be taken next, of `k` in all; with 0 only what must be."""
        open_ = ~self.barred
        open_[taken] = False
        open_ &= self.mark_far(taken)
        if self.names:
            open_ &= ~self.mark_full(taken)
        return np.asarray(open_ & self._mark_completable(taken, k, open_))

    def mark_usable(self, taken: Indices, k: int) -> Mask:
        """Mark what may be taken next, of `k` in all."""
        return self.mark_next(taken, k) if self.any else ~self.barred

    def mark_swaps(self, others: Indices) -> Mask:
        """Mark the columns that may be kept beside others, in the place of one that leaves."""
        return self.mark_next(others, len(others) + 1)

    def mark_far(self, taken: Indices) -> Mask:
        """Mark the columns that are far enough from every taken one; all that have no place."""
        places = self.place[taken]
        places = np.sort(places[~np.isnan(places)])
        if not self.apart or not len(places):
            return np.ones(len(self.group), dtype=bool)
        right = np.searchsorted(places, self.place)
        inner = [places[np.clip(right + side, 0, len(places) - 1)] for side in (-1, 0)]
        nearest = np.minimum(*(np.abs(self.place - one) for one in inner))
        return np.asarray(~(nearest < self.apart * (1 - NEGLIGIBLE)))

    def mark_near(self, columns: Indices) -> Mask:
        """Mark those of some columns that are too near to another of them."""
        near = np.zeros(len(self.group), dtype=bool)
        placed = columns[~np.isnan(self.place[columns])]
        if not self.apart or len(placed) < _PAIR:
            return near
        ordered = placed[np.argsort(self.place[placed], kind="stable")]
        close = np.diff(self.place[ordered]) < self.apart * (1 - NEGLIGIBLE)
        near[ordered[1:][close]] = near[ordered[:-1][close]] = True
        return near

    def mark_full(self, taken: Indices) -> Mask:
        """Mark the columns of groups of which as many are taken as may be."""
        full = self.count_taken(taken) >= self.most
        return np.append(full, False)[self.group]

    def mark_affordable(self, taken: Indices, needed: Floats | float = 0.0) -> Mask:
        """Mark the columns that leave `needed` of the budget once they are paid."""
        left = self.budget - self.spend(taken) - needed
        return np.asarray(self.price <= left + NEGLIGIBLE * max(abs(self.budget), 1.0))

    def _mark_completable(self, taken: Indices, k: int, open_: Mask) -> Mask:
        """Mark the columns after which what must still be taken can be."""
        missing = np.maximum(self.least - self.count_taken(taken), 0) if self.names else self.least
        helps = np.append(missing > 0, False)[self.group]
        marked = np.ones(len(open_), dtype=bool)
        if missing.sum() >= k - len(taken):
            marked &= helps
        if np.isfinite(self.budget):
            marked &= self.mark_affordable(taken, self._reserve(missing, open_, helps))
        if self.apart and missing.any():
            marked &= self._mark_spacious(missing, open_)
        return marked

    def _reserve(self, missing: Indices, open_: Mask, helps: Mask) -> Floats:
        """Give, by column, the least that what must be taken after it costs."""
        total, dearest = 0.0, np.zeros(len(self.names) + 1)
        for i in np.flatnonzero(missing).tolist():
            prices = np.sort(self.price[open_ & (self.group == i)])[: missing[i]]
            total += prices.sum()
            dearest[i] = prices[-1] if len(prices) else 0.0
        # A column of the group stands for itself, or for the dearest of the cheapest.
        return np.where(helps, total - np.minimum(self.price, dearest[self.group]), total)

    def _mark_spacious(self, missing: Indices, open_: Mask) -> Mask:
        """Mark the columns that leave enough others of each group at their distance."""
        marked = np.ones(len(open_), dtype=bool)
        for i in np.flatnonzero(missing).tolist():
            own = open_ & (self.group == i)
            places = np.sort(self.place[own & ~np.isnan(self.place)])
            reach = self.apart * (1 - NEGLIGIBLE)
            low = np.searchsorted(places, self.place - reach, side="right")
            high = np.searchsorted(places, self.place + reach, side="left")
            near = np.where(np.isnan(self.place), own, high - low)
            marked &= np.count_nonzero(own) - near >= missing[i] - (self.group == i)
        return marked

    # Which columns a backward search may remove, and in what order limits let them go.
    #
    # Columns to keep in any case stay, and so do those of a group of which no more are left than
    # must be. First go the columns that break a limit: forbidden ones, then those of groups that
    # have too many left and those that are too near to another. While what is left costs more than
    # the budget, nothing else is decided by it. Then the method's own rule is free; removing
    # columns never breaks a limit again, so that every smaller set keeps to them.

    @classmethod
    def fixing(cls, width: int, fixed: Sequence[int], limits: "Limits | None" = None) -> "Limits":
        """Give these limits, or none, for a search that removes columns but those in `fixed`.

        Examples
        --------
        Column 2 is forbidden. Once it is removed, columns 0 and 1 are one too many.

        >>> limits = Limits.of(4, forbid=[2], groups={"A": [0, 1]}, at_most=1)
        >>> limits.mark_removals(np.array([True, True, True, True]))
        array([False, False,  True, False])
        >>> limits.mark_removals(np.array([True, True, False, True]))
        array([ True,  True, False, False])
        >>> limits.mark_removals(np.array([True, False, False, True]))
        array([ True, False, False,  True])
        """
        within = limits or no_limits(width)
        return replace(within, fixed=np.asarray(fixed, dtype=np.intp))

    @cached_property
    def rules_removal(self) -> bool:
        """Whether more decides what is removed than which columns are fixed."""
        return self.any or bool(self.barred.any())

    @cached_property
    def fewest(self) -> int:
        """How many columns are left in the end by a search that removes columns."""
        missing = np.maximum(self.least - self.count_taken(self.fixed), 0)
        return max(1, len(self.fixed) + int(missing.sum()))

    def mark_removable(self, live: Mask) -> Mask:
        """Mark the live columns that may be removed at all."""
        allowed = live.copy()
        allowed[self.fixed] = False
        if self.names:
            few = self.count_taken(np.flatnonzero(live)) <= self.least
            allowed &= ~np.append(few & (self.least > 0), False)[self.group]
        return allowed

    def mark_removals(self, live: Mask) -> Mask:
        """Mark the columns of which one goes next: those that break a limit, if there are any."""
        allowed = self.mark_removable(live)
        if self.rules_removal:
            for breaking in self._mark_breaking(live):
                if (allowed & breaking).any():
                    return allowed & breaking
        return allowed

    def _mark_breaking(self, live: Mask) -> tuple[Mask, Mask]:
        """Mark the live columns that are forbidden, and those too many or too near."""
        left = np.flatnonzero(live)
        over = np.append(self.count_taken(left) > self.most, False)[self.group]
        return live & self.barred, live & (over | self.mark_near(left))

    def cut(self, path: Path, removals: Removals) -> Path:
        """Keep no more columns of a path than the limits allow, and no fewer than they demand."""
        if not self.rules_removal:
            return path
        live = np.ones(len(self.group), dtype=bool)
        most = len(live)
        for j in removals.columns:
            over = self.spend(np.flatnonzero(live)) > self.budget
            if not (over or any(mask.any() for mask in self._mark_breaking(live))):
                break
            live[j] = False
            most -= 1
        size = max(min(path.size or most, most), len(live) - len(removals.columns))
        return replace(path, size=size, stopped=REMOVED_FIRST if most == size else path.stopped)

    def explain(self, path: Path) -> Path:
        """Say why no more columns are taken."""
        if self.any:
            return replace(path, stopped=WITHIN_LIMITS)
        return replace(path, stopped=ALL_ALLOWED) if self.barred.any() else path

    @cached_property
    def sizes(self) -> Indices:
        """How many columns of every group are not barred."""
        own = self.group[(self.group >= 0) & ~self.barred]
        return np.bincount(own, minlength=len(self.names))


class LimitedGoal(Goal, total=False):
    """What a method is given that respects limits."""

    limits: Limits | None


@lru_cache(maxsize=4)
def no_limits(width: int) -> Limits:
    """Give the limits that allow all: made once, as nothing in them can be changed."""
    limits = Limits.of(width)
    for values in (limits.group, limits.price, limits.place, limits.barred):
        values.flags.writeable = False
    return limits


def count_of(counts: Counts, name: str, usual: float) -> float:
    """Give the number for a group: one for all, or by name."""
    if counts is None:
        return usual
    return counts if isinstance(counts, int) else counts.get(name, usual)


# Groups of columns that are taken whole: a sensor brings its hundred columns.
#
# A unit is a group, or a column in none. The units are the groups of a Gram matrix whose columns
# are put in their order, so that the greedy loop of groups takes them (`greedy`): each step takes
# the unit that lowers the error most. Where there are prices or a budget it is the error for the
# price, and a unit costs what its columns cost together.
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
        """Give the limits of the units: those of their first columns, but for prices and barring.

        Counts and distances, which say nothing of whole groups, are refused (`run/beforehand.py`).
        """
        limits = self.limits.of_columns(np.array([some[0] for some in self.members]))
        price = limits.price
        if np.isfinite(limits.budget) or self.limits.priced:
            price = np.array([self.limits.price[some].sum() for some in self.members])
        barred = np.array([self.limits.barred[some].any() for some in self.members])
        return replace(limits, price=price, barred=barred)

    def merge(self, statistic: Summary, importance: Floats | None) -> tuple[Summary, Floats | None]:
        """Put the columns of every unit next to each other, as one group.

        A unit is as important as its first column; None where all are alike.
        """
        sizes = [int(statistic.groups.sizes[some].sum()) for some in self.members]
        order = statistic.groups.members(np.concatenate(self.members))
        groups = Groups(np.array(sizes, dtype=np.intp))
        merged = replace(statistic, gram=reorder_columns(statistic.gram, order), groups=groups)
        first = np.array([some[0] for some in self.members], dtype=np.intp)
        return merged, None if importance is None else importance[first]

    def list_units(self, columns: Sequence[int]) -> list[int]:
        """Give the units of some columns, each once."""
        return list(dict.fromkeys(self.owner[list(columns)].tolist()))

    def spread(self, path: Path, statistic: Summary, importance: Floats | None) -> Path:
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
