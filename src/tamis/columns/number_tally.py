"""What is counted of a column of numbers, some rows at a time."""

from collections.abc import Collection, Sequence
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.columns.sketch import DistinctSketch
from tamis.numerics.types import Floats
from tamis.values import dataclass

__all__ = ["NumberFacts", "NumberTally"]

Counts = tuple[Any, Any]  # values, and how often each comes

MAX_EXTREMES = 12  # different values kept at each end
_PROBED = 512  # values that bound the ends of many
MAX_WAITING_ENDS = 8 * MAX_EXTREMES  # values that may be among them


class NumberTally:
    """Counts of a column of numbers: exact, but for the number of different values of long ones.

    `lowest` and `highest` are the values at both ends with their counts, outermost first.
    """

    def __init__(self, room: int) -> None:
        self.sketch = DistinctSketch(room)
        self.filled = self.zeros = self.infinite = 0
        self.integers = True
        self._ends: tuple[Counts, Counts]
        self._outer: list[Counts] = []  # values that may be at an end, not yet counted
        self._known: tuple[dict[float, int], dict[float, int]] | None = None

    def add(self, values: NDArray[np.float64], counts: NDArray[np.int64] | None = None) -> None:
        """Count more numbers, with `counts` each so often; missing ones (NaN) are no values."""
        ends = _find_ends(values)
        if not all(map(isfinite, ends)):  # an infinite value is an end, a missing one is both
            finite = np.isfinite(values)
            self.infinite += _count_true(np.isinf(values), counts)
            values, counts = values[finite], None if counts is None else counts[finite]
            ends = _find_ends(values)
        if not values.size:
            return
        self.filled += values.size if counts is None else int(counts.sum())
        self._known = None
        if ends[0] <= 0.0 <= ends[1]:
            self.zeros += _count_true(values == 0.0, counts)
        if self.integers:
            self.integers = bool((values == np.rint(values)).all())
        self._note_extremes(values, ends, counts)

    def add_zeros(self, count: int) -> None:
        """Count zeros, of which a sparse column stores none."""
        if count:
            self.filled, self.zeros, self._known = self.filled + count, self.zeros + count, None
            self._note_extremes(np.zeros(1), (0.0, 0.0), np.array([count], dtype=np.int64))

    def join(self, other: "NumberTally") -> None:
        """Count the numbers of other rows, of which there is a tally with the same room."""
        ends = [one._own_ends for one in (self, other) if one.filled]
        self.filled, self.zeros = self.filled + other.filled, self.zeros + other.zeros
        self.infinite += other.infinite
        self.integers = self.integers and other.integers
        self.sketch.join(other.sketch)
        self._known = None
        if not self.sketch.whole:
            # A value at an end of all rows is at that end of the rows that have it.
            low, high = (_join_counts(side) for side in zip(*ends, strict=True))
            self._ends = _ends_of(*low)[0], _ends_of(*high)[1]

    @property
    def _own_ends(self) -> tuple[Counts, Counts]:
        sketch = self.sketch
        self._settle_ends()
        return _ends_of(sketch.values, sketch.counts) if sketch.whole else self._ends

    def _note_extremes(
        self,
        values: NDArray[np.float64],
        ends: tuple[float, float],
        counts: NDArray[np.int64] | None = None,
    ) -> None:
        """Count the values at both ends, where `ends` may be new ones.

        As long as all values are in the sketch, they are there.
        """
        sketch = self.sketch
        if sketch.whole:
            sketch.add_numbers(values, counts)
            overflown = sketch.take_overflown()
            if overflown is not None:
                self._ends = _ends_of(*overflown)
            return
        low, high = self._ends
        if ends[0] <= low[0][-1] or ends[1] >= high[0][0]:
            outer = (values <= low[0][-1]) | (values >= high[0][0])
            times = _once_each(values[outer]) if counts is None else counts[outer]
            self._outer.append((values[outer], times))
            if sum(len(one) for one, _ in self._outer) > MAX_WAITING_ENDS:
                self._settle_ends()
        self.sketch.add_numbers(values, counts)

    def _settle_ends(self) -> None:
        """Count the values at the ends that wait."""
        if self._outer:
            self._ends = _ends_of(*_join_counts([*self._ends, *self._outer]))
            self._outer = []

    @property
    def lowest(self) -> dict[float, int]:
        """The smallest values with their counts, smallest first."""
        return self._both_ends[0]

    @property
    def highest(self) -> dict[float, int]:
        """The largest values with their counts, largest first."""
        return self._both_ends[1]

    @property
    def _both_ends(self) -> tuple[dict[float, int], dict[float, int]]:
        if self._known is None:
            low, high = self._own_ends
            self._known = _as_dict(low), _as_dict((high[0][::-1], high[1][::-1]))
        return self._known

    @property
    def distinct(self) -> int:
        """The number of different values; an estimate unless `sketch.whole`."""
        return min(self.sketch.distinct, self.filled)


def _find_ends(values: NDArray[np.float64]) -> tuple[float, float]:
    """Give the smallest and the largest value; both are NaN if one is missing."""
    if not values.size:
        return 0.0, 0.0
    with np.errstate(invalid="ignore"):  # a NaN of a damaged file may be one that signals
        return float(values.min()), float(values.max())


def _once_each(values: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.ones(values.size, dtype=np.int64)


def _count_true(found: NDArray[np.bool_], counts: NDArray[np.int64] | None) -> int:
    return int(np.count_nonzero(found)) if counts is None else int(counts[found].sum())


def _ends_of(values: Any, counts: Any) -> tuple[Counts, Counts]:
    """Sum the counts of equal values, and give the smallest and the largest, in rising order."""
    if not values.size:
        return (values, counts), (values, counts)
    values, counts = _keep_outer(values, counts)
    order = np.argsort(values, kind="stable")
    values, counts = values[order], counts[order]
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    values, counts = values[starts], np.add.reduceat(counts, starts)
    low, high = slice(MAX_EXTREMES), slice(-MAX_EXTREMES, None)
    return (values[low], counts[low]), (values[high], counts[high])


def _keep_outer(values: Any, counts: Any) -> Counts:
    """Drop what some of the values show to be at neither end: to sort all takes too long."""
    if values.size <= MAX_WAITING_ENDS:
        return values, counts
    probe = np.sort(values[:: max(values.size // _PROBED, 1)])
    probe = probe[np.concatenate([[True], probe[1:] != probe[:-1]])]
    if probe.size < MAX_EXTREMES:
        return values, counts
    outer = (values <= probe[MAX_EXTREMES - 1]) | (values >= probe[-MAX_EXTREMES])
    return values[outer], counts[outer]


def _join_counts(parts: Sequence[Counts]) -> Counts:
    values, counts = (np.concatenate(part) for part in zip(*parts, strict=True))
    return values, counts


def _as_dict(ends: Counts) -> dict[float, int]:
    return dict(zip(ends[0].tolist(), ends[1].tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class NumberFacts:
    """Values of a column in rising order with their counts: all, or a random sample of them.

    `filled` counts the values of the column, `distinct` the different ones, exact if `whole`.
    """

    values: Floats
    counts: Floats
    whole: bool
    filled: int
    distinct: int
    smallest: float
    largest: float
    zeros: int
    integers: bool

    @classmethod
    def of(cls, tally: NumberTally, without: Collection[float] = ()) -> "NumberFacts":
        """Take the counts of a column, as if some of the values at its ends were missing."""
        known = {**tally.highest, **tally.lowest}
        gone = sum(known.get(value, 0) for value in without)
        values = tally.sketch.values
        order = np.argsort(values)
        values, counts = values[order], tally.sketch.counts[order].astype(float)
        if without:
            there = ~np.isin(values, list(without))
            values, counts = values[there], counts[there]
        low = [value for value in tally.lowest if value not in without]
        high = [value for value in tally.highest if value not in without]
        integers = tally.integers or bool(
            without and tally.sketch.whole and (values == np.rint(values)).all()
        )
        return cls(
            values=values,
            counts=counts,
            whole=tally.sketch.whole,
            filled=tally.filled - gone,
            distinct=max(tally.distinct - len(set(without) & known.keys()), 0),
            smallest=min(low, default=np.nan),
            largest=max(high, default=np.nan),
            zeros=0 if 0.0 in without else tally.zeros,
            integers=integers,
        )

    @property
    def spread(self) -> float:
        """The distance of the largest from the smallest value."""
        return self.largest - self.smallest

    @property
    def all_differ(self) -> bool:
        """Whether no value comes twice, as far as the different values are known."""
        return bool((self.counts == 1).all()) and self.distinct >= 0.97 * self.filled

    @cached_property
    def step(self) -> float:
        """The largest number of which all distances of integers are multiples."""
        if not self.integers or self.spread >= 2.0**53 or self.values.size < 2:
            return 1.0
        return float(np.gcd.reduce(np.diff(self.values).astype(np.int64)))

    def quantile(self, share: float) -> float:
        """Give a quantile of the values, as far as they are known."""
        place = np.searchsorted(np.cumsum(self.counts), share * self.counts.sum())
        return float(self.values[min(place, self.values.size - 1)])

    @property
    def evenly_repeated(self) -> bool:
        """Whether most values come equally often, and none more often: as in a panel."""
        most = self.counts.max(initial=0)
        return bool(self.whole and most >= 2 and (self.counts == most).mean() >= 0.5)
