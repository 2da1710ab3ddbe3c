"""What is counted of a column of numbers, some rows at a time."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.columns.sketch import DistinctSketch

__all__ = ["NumberTally"]

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
