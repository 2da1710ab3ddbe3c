"""What a column of numbers is: a measurement, a count, a code, a share, a key.

Some of its values may stand for something else: -999 for missing, -200 for a broken sensor, 99 for
refused. Such a value lies at an end, apart from all others, and comes again and again. There are
two degrees. What is *obvious* is taken as missing, and that is said: analysed as a number it would
decide the mean, the scale and every correlation of its column, so to leave it in changes the
answer more than to take it out. What is only *odd* (0 among values far from 0, 9 after 1 to 5, the
only negative value, a last value that could be a limit) is named and left as it is: it may be a
value. What is unusual in several columns in the same way, as 9 after 1 to 5, is obvious in all.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

import numpy as np

from tamis.columns.judgement import NAMES_OF_ROWS, ColumnKind, Sentinel
from tamis.columns.name_words import (
    names_area,
    names_codes,
    names_counter,
    names_grades,
    names_identifier,
    names_many_codes,
    names_place,
    names_plural,
    names_quantity,
    names_subject,
    words_in,
)
from tamis.columns.tally import NumberTally
from tamis.columns.written import are_date_numbers
from tamis.numerics.types import Floats
from tamis.rules import kinds, names, sentinels
from tamis.values import dataclass


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
        many = self.distinct >= kinds.MIN_DISTINCT_SHARE * self.filled
        return many and bool((self.counts == 1).all())

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
        return bool(self.whole and most >= 2 and (self.counts == most).mean() >= kinds.MAJORITY)


def find_number_key(name: str, facts: NumberFacts) -> tuple[ColumnKind, str] | None:
    """Say whether integers number or name the rows, and how that shows; None for values.

    Decimals are measurements, however many differ, unless they are names of rows. Integers that all
    differ are no chance where the range is so short that measurements would have met: of `n` values
    spread evenly over a range `R`, which is the rarest way to meet, n^2 / 2R pairs are equal.
    """
    if facts.distinct > 1 and "".join(words_in(name)) in names.ROW_NAME_WORDS:
        # Names such as 1978.1 and 1978.10 are one number.
        close = not facts.integers and facts.distinct > kinds.ALMOST_DISTINCT * facts.filled
        if facts.all_differ or close:
            return "identifier", NAMES_OF_ROWS
    if not facts.integers or facts.distinct < 2:
        return None
    if _are_moments(name, facts):
        return "date", "dates or times written as numbers"
    named, n = names_identifier(name), facts.filled
    if names_area(name) and facts.distinct > n / kinds.ROWS_PER_CODE:
        return "key", f"codes of places, {facts.distinct:,} values in {n:,} rows"
    many = facts.smallest >= 0 and facts.distinct > kinds.MAX_NAMED_CODES
    coded: tuple[ColumnKind, str] | None = None
    if many and names_many_codes(name):
        coded = "key", f"codes by the name, {facts.distinct:,} values in {n:,} rows"
    if facts.all_differ:
        return _key_of_distinct(name, facts, named=named) or coded
    if facts.distinct >= kinds.MIN_KEYS and (named or _repeats_names(name, facts)):
        return "key", f"identifier that repeats, {facts.distinct:,} values in {n:,} rows"
    if names_place(name) and _starts_again(facts):
        return "key", f"running number that starts again, up to {facts.largest:,.0f}"
    almost = facts.distinct > kinds.ALMOST_DISTINCT * n
    if almost and n >= kinds.MIN_KEY_ROWS and facts.step == 1:
        expected = n * n / (2 * max(facts.spread, 1.0))
        rare = n - facts.distinct < expected / kinds.CHANCE_OF_EQUAL
        if expected > kinds.EQUAL_PAIRS_BY_CHANCE and rare:
            return "key", f"almost all integers of a short range, {facts.distinct:,} in {n:,} rows"
    return coded


def _repeats_names(name: str, facts: NumberFacts) -> bool:
    """Whether integers name subjects that come again, or rows of another table."""
    if names_subject(name):
        return facts.evenly_repeated or not _may_be_counts(facts)
    many = facts.distinct >= kinds.EVEN_KEYS and facts.smallest > 1
    return many and facts.evenly_repeated and names_counter(name)


def _starts_again(facts: NumberFacts) -> bool:
    """Whether integers number the rows of each group: no value is more frequent than a smaller one.

    The first is there in every group, and each of the others where a group is long enough.
    """
    first = facts.smallest in (0, 1) and facts.spread == facts.distinct - 1
    known = facts.whole and facts.distinct >= kinds.MIN_KEYS
    falls = known and bool((np.diff(facts.counts) <= 0).all())
    return first and falls and facts.quantile(0.5) >= kinds.PLACED * facts.largest


def _key_of_distinct(
    name: str, facts: NumberFacts, *, named: bool
) -> tuple[ColumnKind, str] | None:
    n = facts.filled
    steps = facts.spread / facts.step
    dense = n >= kinds.MIN_KEY_ROWS and facts.step == 1 and steps <= kinds.DENSE * (n - 1)
    dated = dense or bool(names.VISIT_WORDS & set(words_in(name)))
    if n >= kinds.MIN_KEY_ROWS and dated and _are_years(facts):
        return "key", "a year for each row"
    every = f"integer from {facts.smallest:,.0f} to {facts.largest:,.0f}"
    if not named and names_quantity(name):  # an age or a distance for each row is a value
        return None
    if dense:
        if steps == n - 1:
            return "identifier", f"every {every} once"
        return "identifier", f"most {every.replace('integer', 'integers')}, none twice"
    if (named or names_counter(name)) and n >= 3:
        return "identifier", f"identifier, {n:,} different integers"
    evenly = steps <= n - 1  # a grid of times or places
    if n < kinds.MIN_KEY_ROWS or evenly:
        return None
    # All have the same number of digits, more than a measurement has.
    digits, most = (len(f"{value:.0f}") for value in (facts.smallest, facts.largest))
    if facts.smallest > 0 and kinds.MIN_ID_DIGITS <= digits == most:
        return "identifier", f"identifier, {n:,} different integers with many digits"
    if n * n / (2 * steps) > kinds.EQUAL_PAIRS_BY_CHANCE:
        return "identifier", f"{n:,} different {every.replace('integer', 'integers')}"
    return None


def _are_years(facts: NumberFacts) -> bool:
    return bool(kinds.YEAR_RANGE[0] <= facts.smallest and facts.largest <= kinds.YEAR_RANGE[1])


def _are_moments(name: str, facts: NumberFacts) -> bool:
    """Whether integers are 20240131, or seconds since 1970 by name and size."""
    if are_date_numbers(facts.values) and facts.smallest >= kinds.FIRST_DATE_NUMBER:
        return True
    timed = bool(names.TIME_WORDS & set(words_in(name)))
    seconds = any(
        low <= facts.smallest and facts.largest <= high
        for low, high in (kinds.SECOND_RANGE, kinds.FINE_SECOND_RANGE)
    )
    return timed and facts.distinct > 2 and seconds


def number_kind(name: str, facts: NumberFacts) -> ColumnKind:
    """Say what values are; "number" where it could be several things."""
    words = set(words_in(name))
    if not facts.integers:
        percent = "%" in name or bool(words & names.PERCENT_WORDS)
        most = 100 if percent else 1 if words & names.SHARE_WORDS else -1
        return "share" if facts.smallest >= 0 and facts.largest <= most else "number"
    if facts.distinct == 2 or names_area(name):
        return "category"
    ordered = words_in(name)
    counted = bool(words & names.COUNT_WORDS) or (
        len(ordered) > 1 and ordered[0] in names.COUNT_STARTS
    )
    if counted and facts.smallest >= 0:
        return "count"
    if names_codes(name) and (facts.distinct <= kinds.MAX_CODES or _are_many_codes(facts)):
        return "category"
    if are_few_integers(facts) and names_grades(name) and _are_graded(facts):
        return "ordinal code"
    return "count" if _are_counts(name, facts) else "number"


def are_few_integers(facts: NumberFacts) -> bool:
    """Whether values are so few integers, so near to each other, that they may be codes."""
    few = 2 < facts.distinct <= kinds.MAX_CODES and facts.spread <= kinds.MAX_CODE_SPREAD
    return facts.integers and few and facts.smallest >= 0


def may_be_codes(facts: NumberFacts) -> bool:
    """Whether few integers begin at 1, or are 0, 1 and 2: from 0 on people count."""
    first = facts.smallest == 1 or (facts.smallest == 0 and facts.largest == 2)
    return are_few_integers(facts) and first


def _are_graded(facts: NumberFacts) -> bool:
    """Whether values are 1, 2, ... as the answers to a question."""
    ends = (facts.smallest, facts.largest)
    contiguous = facts.spread == facts.distinct - 1
    many = facts.filled >= kinds.ROWS_PER_VALUE * facts.distinct
    return contiguous and many and (facts.smallest == 1 or ends == kinds.LONG_SCALE)


def find_scale(facts: NumberFacts | None) -> tuple[float, float] | None:
    """Give the ends of a scale of answers; None if values are no such scale."""
    if facts is None or not are_few_integers(facts) or facts.distinct < kinds.MIN_GRADES:
        return None
    return (facts.smallest, facts.largest) if _are_graded(facts) else None


def _are_many_codes(facts: NumberFacts) -> bool:
    few = facts.distinct <= kinds.MAX_NAMED_CODES and facts.smallest >= 0
    return few and facts.filled >= kinds.ROWS_PER_NAMED_CODE * facts.distinct


def _may_be_counts(facts: NumberFacts) -> bool:
    """Whether integers begin at 0 or 1, are mostly small, and dense above 0.

    Amounts with many zeros are sparse above 0, and ages or points are not mostly small.
    """
    above = facts.values > 0
    if facts.smallest < 0 or facts.smallest > 1 or not above.any():
        return False
    values, counts = facts.values[above], facts.counts[above]
    middle = float(values[np.searchsorted(np.cumsum(counts), 0.5 * counts.sum())])
    dense = np.count_nonzero(values <= middle) >= 0.5 * middle
    small = facts.quantile(0.5) - facts.smallest <= kinds.MAX_EARLY * facts.spread
    return bool(middle <= kinds.LARGE_COUNT and dense and small)


def _have_thin_end(facts: NumberFacts) -> bool:
    """Whether values above 0 are mostly small, too."""
    above = facts.values > 0
    sums = np.cumsum(facts.counts[above])
    middle = float(facts.values[above][np.searchsorted(sums, 0.5 * sums[-1])])
    return middle <= kinds.MAX_EARLY * facts.largest + 1


def _are_counts(name: str, facts: NumberFacts) -> bool:
    """Whether they are counts: named by a plural, 0 comes most often, and the end is thin."""
    if facts.distinct < kinds.MIN_COUNTS or not _may_be_counts(facts):
        return False
    if facts.largest > kinds.LARGEST_COUNT or names_quantity(name) or not names_plural(name):
        return False
    return _have_thin_end(facts) and facts.zeros >= kinds.USUAL_ZEROS * facts.counts.max()


def number_badges(facts: NumberFacts, rows: int) -> list[str]:
    """Say what is unusual about values."""
    found: list[str] = []
    years = _are_years(facts) and facts.smallest >= kinds.FIRST_NAMED_YEAR
    if facts.integers and facts.distinct > 2 and years:
        found.append("years")
    many = facts.integers and facts.distinct > kinds.MAX_CODES
    grid = many and facts.all_differ and facts.step > 1
    if grid and facts.spread / facts.step <= facts.filled - 1:
        found.append("evenly spaced")
    found += _spike_badges(facts)
    if rows and facts.filled < kinds.MIN_FILLED_SHARE * rows:
        found.append("mostly missing")
    return found


def _spike_badges(facts: NumberFacts) -> list[str]:
    """Name a value that comes far more often than others: filled in, or a limit of detection."""
    top = float(facts.counts.max(initial=0))
    if facts.distinct > 1 and top >= kinds.NEARLY_CONSTANT * facts.filled:
        return ["nearly constant"]
    if not facts.whole or facts.integers or facts.distinct <= kinds.MIN_SPIKED_VALUES:
        return []
    most = float(facts.values[int(np.argmax(facts.counts))])
    rare = top < kinds.MIN_SPIKE_SHARE * facts.filled
    if most == 0 or rare or top < kinds.MIN_SPIKE_TIMES * np.median(facts.counts):
        return []
    ends = {facts.smallest: ", the smallest", facts.largest: ", the largest"}
    return [f"{most:.15g} ({int(top):,} times{ends.get(most, '')})"]


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
    answers = {v for v in sentinels.ANSWER_CODES if odd[v] >= sentinels.ANSWER_COLUMNS}
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
    for size in range(1, min(sentinels.MAX_GROUP, len(outer) - least) + 1):
        group = outer[:size]
        gap = abs(group[-1] - outer[size])
        # The usual case, and cheap: the value beside it is about as near as others are.
        near = gap < sentinels.ODD_FAR * abs(outer[size] - other)
        coded = group[-1] < 0 <= outer[size] or group[0] in supported | sentinels.ANSWER_CODES
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
            far = sentinels.SUPPORTED if self._is_enough(rest) else sentinels.ODD_FAR
            if below or self.gap >= far * spread:
                return True
        if 0.0 in self.values or not self._is_enough(rest) or rest.distinct < 2:
            return False
        coded = all(_is_code(value, rest, first=self.values[0]) for value in self.values)
        away = sentinels.FAR_BELOW if below else sentinels.FAR_IN_SPREADS
        if coded and self.gap >= away * spread:
            return True
        if len(self.values) > 1 or rest.distinct < sentinels.MIN_REST:
            return False
        nines = _are_nines(self.values[0])
        if below and nines and self.gap >= sentinels.FAR_BELOW_NINES[rest.integers] * spread:
            return True
        far = sentinels.FAR_BELOW if coded and nines else sentinels.FAR_WITHOUT_CODE
        often = self.counts[0] >= sentinels.OFTEN * np.median(rest.counts)
        many = rest.distinct >= sentinels.MANY_VALUES and bool(often)
        return many and self.gap >= far * spread and not _is_tail(self.values[0], rest)

    def find_oddity(self, rest: NumberFacts) -> str:
        """Say how the values stand apart, where they may be measurements; "" if they do not."""
        spread, first, alone = _spread_of(rest), self.values[0], len(self.values) == 1
        if alone and first == 0.0:
            counts = rest.integers and rest.smallest < sentinels.FAR_FROM_ZERO
            spreads = sentinels.FAR_ZERO if self._is_enough(rest) else sentinels.FAR_IN_SPREADS
            far = rest.distinct >= sentinels.MIN_REST and self.gap >= spreads * spread
            return "far from the rest" if far and not counts else ""
        if not self._is_enough(rest):
            return ""
        if self._are_answers(rest):
            return f"apart from {rest.smallest:.15g} to {rest.largest:.15g}"
        if not alone or rest.distinct < sentinels.MIN_REST:
            return ""
        coded = _is_code(first, rest, first=first)
        apart = self.gap >= sentinels.ODD_FAR * spread and _is_spike(self.counts[0], rest)
        if apart and (coded or not _is_tail(first, rest)):
            return "far from the rest"
        often = self.counts[0] >= sentinels.OFTEN_BELOW * np.median(rest.counts)
        return "the only negative value" if often and self._is_below(rest) else ""

    def _is_enough(self, rest: NumberFacts) -> bool:
        often = sum(self.counts) >= sentinels.LEAST_OFTEN * rest.filled
        return often and min(*self.counts, rest.filled) >= sentinels.MIN_REPEATS

    def _is_below(self, rest: NumberFacts) -> bool:
        return self.values[0] < 0 <= rest.smallest

    def _are_answers(self, rest: NumberFacts) -> bool:
        """Whether 8 or 9 follow grades without a gap, such as 1 to 5, which are not mostly 1."""
        graded = rest.integers and rest.smallest in (0, 1) and rest.spread == rest.distinct - 1
        few = rest.distinct >= sentinels.GRADES[0] and rest.largest <= sentinels.GRADES[1]
        codes = sentinels.ANSWER_CODES.issuperset(self.values) and self.gap >= sentinels.ANSWER_GAP
        two = (rest.smallest, rest.largest) == sentinels.TWO_ANSWERS
        if two and self.values[0] == max(sentinels.ANSWER_CODES):
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
    if value in sentinels.INTEGER_LIMITS or abs(value) >= sentinels.HUGE:
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
        return rest.integers and rest.smallest >= 0 and first <= sentinels.LEAST_DIGIT
    return len(digits) >= 3 and not digits[1:].strip("0")  # -200, -1000


def _is_spike(count: int, rest: NumberFacts) -> bool:
    """Whether a value comes more often than the others do, as a rule."""
    rows, values = sentinels.SPIKE_OF_FEW
    return bool(count >= sentinels.SPIKE * np.average(rest.counts, weights=rest.counts)) or (
        rest.filled < rows * count and rest.distinct > values
    )


def _is_tail(value: float, rest: NumberFacts) -> bool:
    """Whether a value may be the far end of a skewed column: beyond more and more rare values."""
    if value == 0 or value < rest.smallest:
        return False
    return rest.quantile(0.5) - rest.smallest < kinds.MAX_EARLY * rest.spread
