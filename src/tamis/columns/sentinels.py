"""Values that stand for something else: -999 for missing, -200 for a broken sensor, 99 for refused.

Such a value lies at an end, far from all others, and comes again and again. There are two
degrees. What is *obvious* is taken as missing, and that is said: analysed as a number it would
decide the mean, the scale and every correlation of its column, so to leave it in changes the
answer more than to take it out. What is only *odd* (0 among values far from 0, 9 after 1 to 5, a
last value that could be a limit) is named and left as it is: it may be a value.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.columns.number_facts import NumberFacts
from tamis.columns.number_tally import NumberTally

__all__ = ["Sentinel", "find_sentinels", "share_sentinels"]

MIN_REPEATS = 3
MIN_REST = 5  # different other values, for one to be odd
MAX_GROUP = 4  # different codes at one end, as -9, -8 and -7

_FAR_IN_SPREADS = 3.0  # distances of the rest that make a value obvious
_FAR_BELOW = 1.0  # enough for the only negative values
_ODD_FAR = 1.0
_SUPPORTED = 0.2  # enough where the same value is obvious in other columns
_FAR_FROM_ZERO = 10.0  # for integers: 0 before 1, 2, 3 is a count
_INTEGER_LIMITS = (32767.0, -32768.0, 65535.0, 2147483647.0, -2147483648.0, 4294967295.0)
_HUGE = 1e15
_LEAST_DIGIT = -7.0  # -7, -8 and -9 are codes where no other value is negative


@dataclass(frozen=True)
class Sentinel:
    """A value at an end of a column that probably stands for something else."""

    value: float
    count: int
    obvious: bool

    @property
    def text(self) -> str:
        """The value with all its digits: it is what a user has to name.

        >>> Sentinel(9999999.0, 3, True).text, Sentinel(-99.9, 3, True).text
        ('9999999', '-99.9')
        """
        return f"{self.value:.15g}"


def find_sentinels(
    tally: NumberTally, supported: frozenset[float] = frozenset()
) -> tuple[Sentinel, ...]:
    """Find the values of a column that stand for something else; `supported` are such elsewhere.

    Examples
    --------
    >>> tally = NumberTally(room=100)
    >>> tally.add(np.array([1.5, 2.25, 2.5, 3.0, 3.5, 4.0, -999, -999, -999]))
    >>> find_sentinels(tally)
    (Sentinel(value=-999.0, count=3, obvious=True),)
    """
    lowest, highest = tally.lowest, tally.highest
    low = _at_end(tally, lowest, next(iter(highest), 0.0), supported)
    high = _at_end(tally, highest, next(iter(lowest), 0.0), supported)
    return (*low, *high)


def share_sentinels(found: Sequence[Sequence[Sentinel]]) -> frozenset[float]:
    """Give the values that are obvious in two columns or more: a habit of the table."""
    times = Counter(one.value for column in found for one in column if one.obvious)
    return frozenset(value for value, count in times.items() if count >= 2)


def _at_end(
    tally: NumberTally, ends: Mapping[float, int], other: float, supported: frozenset[float]
) -> list[Sentinel]:
    """Try one, two, ... values at an end; `other` is the value at the other end."""
    outer = list(ends)
    for size in range(1, min(MAX_GROUP, len(outer) - 2) + 1):
        group = outer[:size]
        gap = abs(group[-1] - outer[size])
        # The usual case, and cheap: the value beside it is about as near as others are.
        if gap < _ODD_FAR * abs(outer[size] - other) and group[0] not in supported:
            continue
        rest = NumberFacts.of(tally, group)
        degree = _degree(group, [ends[v] for v in group], gap, rest, supported)
        if degree:
            return [Sentinel(v, ends[v], degree == "obvious") for v in group]
    return []


def _degree(
    group: Sequence[float],
    counts: Sequence[int],
    gap: float,
    rest: NumberFacts,
    supported: frozenset[float],
) -> str:
    """Say how sure it is that values, a gap away from the rest, stand for something else."""
    spread = rest.spread or max(abs(rest.smallest), 1.0)
    enough = min(counts) >= MIN_REPEATS and sum(counts) >= 0.001 * rest.filled
    known = all(value in supported for value in group)
    below = group[0] < 0 <= rest.smallest
    if known and (below or (enough and gap >= _SUPPORTED * spread)):
        return "obvious"
    if list(group) == [0.0] and (rest.integers and rest.smallest < _FAR_FROM_ZERO):
        return ""
    if list(group) == [0.0] and rest.distinct >= MIN_REST and gap >= _FAR_IN_SPREADS * spread:
        return "odd"
    if not enough or rest.distinct < 2 or rest.filled < MIN_REPEATS:
        return ""
    coded = all(_is_code(value, rest, first=group[0]) for value in group)
    if len(group) > 1 and not coded:
        return ""
    if coded and gap >= (_FAR_BELOW if below else _FAR_IN_SPREADS) * spread:
        return "obvious"
    alone = len(group) == 1 and _is_spike(counts[0], rest)
    apart = gap >= _ODD_FAR * spread and rest.distinct >= MIN_REST
    return "odd" if apart and alone and (coded or not _is_tail(group[0], rest)) else ""


def _is_code(value: float, rest: NumberFacts, *, first: float) -> bool:
    """Whether a value is written as people write such codes; `first` is the outermost of some.

    9 alone may be a value, and so may -1 beside 0 and 1; -9 and -8 before 1 to 5 are none.
    """
    if value in _INTEGER_LIMITS or abs(value) >= _HUGE:
        return True
    if value != round(value):  # -99.9, -9999.99
        written = repr(abs(value)).replace(".", "")
        return set(written) == {"9"} and len(written) >= 3
    digits = str(int(abs(value)))
    if len(digits) >= 2 and digits[0] in "89":
        return set(digits[:-1]) == {digits[0]} and digits[-1] in "6789"
    if value >= 0:
        return False
    if len(digits) == 1:
        return rest.integers and rest.smallest >= 0 and first <= _LEAST_DIGIT
    return len(digits) >= 3 and not digits[1:].strip("0")  # -200, -1000


def _is_spike(count: int, rest: NumberFacts) -> bool:
    """Whether a value comes more often than the others do, as a rule."""
    return bool(count >= 3 * np.average(rest.counts, weights=rest.counts)) or (
        rest.filled < 20 * count and rest.distinct > 10
    )


def _is_tail(value: float, rest: NumberFacts) -> bool:
    """Whether a value may be the far end of a skewed column: beyond more and more rare values."""
    if value == 0 or value < rest.smallest:
        return False
    return rest.quantile(0.5) - rest.smallest < 0.25 * rest.spread
