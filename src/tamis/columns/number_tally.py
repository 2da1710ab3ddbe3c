"""What is counted of a column of numbers, some rows at a time."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.columns.sketch import DistinctSketch

__all__ = ["NumberTally"]

Counts = tuple[Any, Any]  # values, and how often each comes

MAX_EXTREMES = 12  # different values kept at each end


class NumberTally:
    """Counts of a column of numbers: exact, but for the number of different values of long ones.

    `lowest` and `highest` are the values at both ends with their counts, outermost first.
    """

    def __init__(self, room: int) -> None:
        self.sketch = DistinctSketch(room)
        self.filled = self.zeros = self.infinite = 0
        self.integers = True
        self._ends: tuple[Counts, Counts]
        self._known: tuple[dict[float, int], dict[float, int]] | None = None

    def add(self, values: NDArray[np.float64]) -> None:
        """Count more numbers; those that are missing (NaN) are no values."""
        finite = np.isfinite(values)
        if not finite.all():
            self.infinite += int(np.isinf(values).sum())
            values = values[finite]
        if not values.size:
            return
        self.filled += values.size
        self._known = None
        self.zeros += values.size - int(np.count_nonzero(values))
        if self.integers:
            self.integers = bool((values == np.rint(values)).all())
        self._note_extremes(values)

    def add_zeros(self, count: int) -> None:
        """Count zeros, of which a sparse column stores none."""
        if count:
            self.filled, self.zeros, self._known = self.filled + count, self.zeros + count, None
            self._note_extremes(np.zeros(1), np.array([count], dtype=np.int64))

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
        return _ends_of(sketch.values, sketch.counts) if sketch.whole else self._ends

    def _note_extremes(
        self, values: NDArray[np.float64], counts: NDArray[np.int64] | None = None
    ) -> None:
        """Count the values at both ends; as long as all are in the sketch, they are there.

        With `counts` they are different values, each so often.
        """
        if self.sketch.whole:
            self.sketch.add_numbers(values, counts)
            if (overflown := self.sketch.take_overflown()) is not None:
                self._ends = _ends_of(*overflown)
            return
        low, high = self._ends
        outer = (values <= low[0][-1]) | (values >= high[0][0])
        ends = values[outer]
        if ends.size:
            times = np.ones(ends.size, dtype=np.int64) if counts is None else counts[outer]
            self._ends = _ends_of(*_join_counts([low, high, (ends, times)]))
        self.sketch.add_numbers(values, counts)

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
    """Drop what lies far from both ends: to sort all values takes longer than to read them."""
    last = values.size - 1
    if last < 8 * MAX_EXTREMES:
        return values, counts
    places = (2 * MAX_EXTREMES, last - 2 * MAX_EXTREMES)
    low, high = np.partition(values, places)[list(places)]
    ends = [values <= low, values >= high]
    if any(len(np.unique(values[end])) < MAX_EXTREMES for end in ends):  # equal values take room
        return values, counts
    outer = ends[0] | ends[1]
    return values[outer], counts[outer]


def _join_counts(parts: Sequence[Counts]) -> Counts:
    values, counts = (np.concatenate(part) for part in zip(*parts, strict=True))
    return values, counts


def _as_dict(ends: Counts) -> dict[float, int]:
    return dict(zip(ends[0].tolist(), ends[1].tolist(), strict=True))
