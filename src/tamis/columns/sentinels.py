"""Values that stand for something else: -999 for missing, -200 for a broken sensor, 99 for refused.

Such a value lies at an end, apart from all others, and comes again and again. There are two
degrees. What is *obvious* is taken as missing, and that is said: analysed as a number it would
decide the mean, the scale and every correlation of its column, so to leave it in changes the
answer more than to take it out. What is only *odd* (0 among values far from 0, 9 after 1 to 5, the
only negative value, a last value that could be a limit) is named and left as it is: it may be a
value. What is odd in several columns in the same way, as 9 after 1 to 5, is obvious in all.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tamis.columns.number_tally import NumberFacts, NumberTally
from tamis.rules import sentinels as rules

__all__ = ["Sentinel", "find_sentinels", "share_sentinels"]


@dataclass(frozen=True)
class Sentinel:
    """A value at an end of a column that probably stands for something else."""

    value: float
    count: int
    obvious: bool
    place: str = "far from the rest"

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
    (Sentinel(value=-999.0, count=3, obvious=True, place='far from the rest'),)
    """
    high = _at_end(tally, tally.highest, tally.lowest, (), supported)
    low = _at_end(tally, tally.lowest, tally.highest, high, supported)
    # What is missing at one end does not make the values at the other end seem near.
    if any(one.obvious for one in low):
        high = _at_end(tally, tally.highest, tally.lowest, low, supported)
    return (*low, *high)


def share_sentinels(found: Sequence[Sequence[Sentinel]]) -> frozenset[float]:
    """Give the values that are obvious in two columns or more: a habit of the table.

    So are codes of answers that are odd in three.
    """
    times = Counter(one.value for column in found for one in column if one.obvious)
    odd = Counter(one.value for column in found for one in column if not one.obvious)
    answers = {v for v in rules.ANSWER_CODES if odd[v] >= rules.ANSWER_COLUMNS}
    return frozenset(answers | {value for value, count in times.items() if count >= 2})


def _at_end(
    tally: NumberTally,
    ends: Mapping[float, int],
    others: Mapping[float, int],
    known: Sequence[Sentinel],
    supported: frozenset[float],
) -> list[Sentinel]:
    """Try one, two, ... values at an end; `known` are found at the other, where `others` are."""
    gone = [one.value for one in known if one.obvious]
    outer = [value for value in ends if value not in gone]
    other = next((value for value in others if value not in gone), 0.0)
    least = 1 if outer and outer[0] in supported else 2  # of the values that are left
    for size in range(1, min(rules.MAX_GROUP, len(outer) - least) + 1):
        group = outer[:size]
        gap = abs(group[-1] - outer[size])
        # The usual case, and cheap: the value beside it is about as near as others are.
        near = gap < rules.ODD_FAR * abs(outer[size] - other)
        coded = group[-1] < 0 <= outer[size] or group[0] in supported | rules.ANSWER_CODES
        if near and not coded:
            continue
        found = _Group(tuple(group), tuple(ends[v] for v in group), gap)
        rest = NumberFacts.of(tally, [*group, *gone])
        if found.is_obvious(rest, supported):
            these = [Sentinel(v, ends[v], obvious=True) for v in group]
            return [*these, *_at_end(tally, ends, others, [*known, *these], supported)]
        if place := found.find_oddity(rest):
            return [Sentinel(v, ends[v], obvious=False, place=place) for v in group]
    return []


@dataclass(frozen=True)
class _Group:
    """Values at one end of a column, outermost first, a gap away from the rest."""

    values: tuple[float, ...]
    counts: tuple[int, ...]
    gap: float

    def is_obvious(self, rest: NumberFacts, supported: frozenset[float]) -> bool:
        """Whether the values cannot be measurements."""
        spread, below = _spread_of(rest), self._is_below(rest)
        if all(value in supported for value in self.values):
            far = rules.SUPPORTED if self._is_enough(rest) else rules.ODD_FAR
            if below or self.gap >= far * spread:
                return True
        if 0.0 in self.values or not self._is_enough(rest) or rest.distinct < 2:
            return False
        coded = all(_is_code(value, rest, first=self.values[0]) for value in self.values)
        if coded and self.gap >= (rules.FAR_BELOW if below else rules.FAR_IN_SPREADS) * spread:
            return True
        if len(self.values) > 1 or rest.distinct < rules.MIN_REST:
            return False
        nines = _are_nines(self.values[0])
        if below and nines and self.gap >= rules.FAR_BELOW_NINES[rest.integers] * spread:
            return True
        far = rules.FAR_BELOW if coded and nines else rules.FAR_WITHOUT_CODE
        often = self.counts[0] >= rules.OFTEN * np.median(rest.counts)
        many = rest.distinct >= rules.MANY_VALUES and bool(often)
        return many and self.gap >= far * spread and not _is_tail(self.values[0], rest)

    def find_oddity(self, rest: NumberFacts) -> str:
        """Say how the values stand apart, where they may be measurements; "" if they do not."""
        spread, first, alone = _spread_of(rest), self.values[0], len(self.values) == 1
        if alone and first == 0.0:
            counts = rest.integers and rest.smallest < rules.FAR_FROM_ZERO
            spreads = rules.FAR_ZERO if self._is_enough(rest) else rules.FAR_IN_SPREADS
            far = rest.distinct >= rules.MIN_REST and self.gap >= spreads * spread
            return "far from the rest" if far and not counts else ""
        if not self._is_enough(rest):
            return ""
        if self._are_answers(rest):
            return f"apart from {rest.smallest:.15g} to {rest.largest:.15g}"
        if not alone or rest.distinct < rules.MIN_REST:
            return ""
        coded = _is_code(first, rest, first=first)
        apart = self.gap >= rules.ODD_FAR * spread and _is_spike(self.counts[0], rest)
        if apart and (coded or not _is_tail(first, rest)):
            return "far from the rest"
        often = self.counts[0] >= rules.OFTEN_BELOW * np.median(rest.counts)
        return "the only negative value" if often and self._is_below(rest) else ""

    def _is_enough(self, rest: NumberFacts) -> bool:
        often = (
            min(self.counts) >= rules.MIN_REPEATS
            and sum(self.counts) >= rules.LEAST_OFTEN * rest.filled
        )
        return often and rest.filled >= rules.MIN_REPEATS

    def _is_below(self, rest: NumberFacts) -> bool:
        return self.values[0] < 0 <= rest.smallest

    def _are_answers(self, rest: NumberFacts) -> bool:
        """Whether 8 or 9 follow grades without a gap, such as 1 to 5, which are not mostly 1."""
        graded = rest.integers and rest.smallest in (0, 1) and rest.spread == rest.distinct - 1
        few = rest.distinct >= rules.GRADES[0] and rest.largest <= rules.GRADES[1]
        codes = rules.ANSWER_CODES.issuperset(self.values) and self.gap >= rules.ANSWER_GAP
        if (rest.smallest, rest.largest) == rules.TWO_ANSWERS and self.values[0] == max(
            rules.ANSWER_CODES
        ):
            return bool(graded and codes)
        return bool(graded and few and codes and not _is_tail(self.values[0], rest))


def _spread_of(rest: NumberFacts) -> float:
    return rest.spread or max(abs(rest.smallest), 1.0)


def _are_nines(value: float) -> bool:
    """Whether a value is written with nines only, two or more: -9.9, 99, -999."""
    written = f"{abs(value):.15g}".replace(".", "")
    return len(written) >= 2 and set(written) == {"9"}


def _is_code(value: float, rest: NumberFacts, *, first: float) -> bool:
    """Whether a value is written as people write such codes; `first` is the outermost of some.

    9 alone may be a value, and so may -1 beside 0 and 1; -9 and -8 before 1 to 5 are none.
    """
    if value in rules.INTEGER_LIMITS or abs(value) >= rules.HUGE:
        return True
    if value != round(value):  # -99.9, -9999.99
        return _are_nines(value) and abs(value) >= 10
    digits = str(int(abs(value)))
    if len(digits) >= 2 and digits[0] in "89":
        return set(digits[:-1]) == {digits[0]} and digits[-1] in "6789"
    if value >= 0:  # 77 beside 99, 777 beside 999
        sevens = len(digits) >= 2 and set(digits) == {"7"}
        return sevens and first == float("9" * len(digits))
    if len(digits) == 1:
        return rest.integers and rest.smallest >= 0 and first <= rules.LEAST_DIGIT
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
