"""What a column of numbers is: a measurement, a count, a code, a share, a key."""

import numpy as np

from tamis.columns.judgement import ColumnKind
from tamis.columns.name_words import (
    names_area,
    names_codes,
    names_counter,
    names_identifier,
    names_place,
    names_subject,
    words_in,
)
from tamis.columns.number_tally import NumberFacts
from tamis.columns.written_dates import are_date_numbers
from tamis.rules import kinds as rules
from tamis.rules import names

__all__ = ["find_number_key", "number_badges", "number_kind"]


def find_number_key(name: str, facts: NumberFacts) -> tuple[ColumnKind, str] | None:
    """Say whether integers number or name the rows, and how that shows; None for values.

    Decimals are measurements, however many differ, unless they are names of rows. Integers that all
    differ are no chance where the range is so short that measurements would have met: of `n` values
    spread evenly over a range `R`, which is the rarest way to meet, n^2 / 2R pairs are equal.
    """
    if facts.all_differ and facts.distinct > 1 and "".join(words_in(name)) in names.ROW_NAME_WORDS:
        return "identifier", "names of the rows"
    if not facts.integers or facts.distinct < 2:
        return None
    if _are_moments(name, facts):
        return "date", "dates or times written as numbers"
    named, n = names_identifier(name), facts.filled
    if names_area(name) and facts.distinct > n / rules.ROWS_PER_CODE:
        return "key", f"codes of places, {facts.distinct:,} values in {n:,} rows"
    if facts.all_differ:
        return _key_of_distinct(name, facts, named=named)
    if facts.distinct >= rules.MIN_KEYS and (named or _repeats_names(name, facts)):
        return "key", f"identifier that repeats, {facts.distinct:,} values in {n:,} rows"
    if names_place(name) and _starts_again(facts):
        return "key", f"running number that starts again, up to {facts.largest:,.0f}"
    if facts.distinct > 0.8 * n and n >= rules.MIN_KEY_ROWS and facts.step == 1:
        expected = n * n / (2 * max(facts.spread, 1.0))
        if expected > rules.EQUAL_PAIRS_BY_CHANCE and n - facts.distinct < expected / 8:
            return "key", f"almost all integers of a short range, {facts.distinct:,} in {n:,} rows"
    return None


def _repeats_names(name: str, facts: NumberFacts) -> bool:
    """Whether integers name subjects that come again, or rows of another table."""
    if names_subject(name):
        return facts.evenly_repeated or not _are_counts(facts)
    many = facts.distinct >= rules.EVEN_KEYS and facts.smallest > 1
    return many and facts.evenly_repeated and names_counter(name)


def _starts_again(facts: NumberFacts) -> bool:
    """Whether integers number the rows of each group: no value is more frequent than a smaller one.

    The first is there in every group, and each of the others where a group is long enough.
    """
    first = facts.smallest in (0, 1) and facts.spread == facts.distinct - 1
    falls = (
        facts.whole
        and facts.distinct >= rules.MIN_KEYS
        and bool((np.diff(facts.counts) <= 0).all())
    )
    return first and falls and facts.quantile(0.5) >= rules.PLACED * facts.largest


def _key_of_distinct(
    name: str, facts: NumberFacts, *, named: bool
) -> tuple[ColumnKind, str] | None:
    n = facts.filled
    steps = facts.spread / facts.step
    if n >= rules.MIN_KEY_ROWS and facts.step == 1 and steps <= rules.DENSE * (n - 1):
        if _are_years(facts):
            return "key", "a year for each row"
        return "identifier", "row number or rank, every integer of a range once"
    if (named or names_counter(name)) and n >= 3:
        return "identifier", f"identifier, {n:,} different integers"
    evenly = steps <= n - 1  # a grid of times or places
    if n >= rules.MIN_KEY_ROWS and not evenly and _have_long_digits(facts):
        return "identifier", f"identifier, {n:,} different integers with many digits"
    if n >= rules.MIN_KEY_ROWS and not evenly and n * n / (2 * steps) > rules.EQUAL_PAIRS_BY_CHANCE:
        return "identifier", f"identifier, {n:,} different integers in a short range"
    return None


def _have_long_digits(facts: NumberFacts) -> bool:
    """Whether all integers have the same number of digits, more than a measurement has."""
    digits = len(f"{facts.smallest:.0f}")
    return (
        facts.smallest > 0
        and digits >= rules.MIN_ID_DIGITS
        and digits == len(f"{facts.largest:.0f}")
    )


def _are_years(facts: NumberFacts) -> bool:
    return bool(rules.YEAR_RANGE[0] <= facts.smallest and facts.largest <= rules.YEAR_RANGE[1])


def _are_moments(name: str, facts: NumberFacts) -> bool:
    """Whether integers are 20240131, or seconds since 1970 by name and size."""
    if are_date_numbers(facts.values) and facts.smallest >= 190_001:
        return True
    timed = bool(names.TIME_WORDS & set(words_in(name)))
    seconds = facts.smallest >= 1e8 and facts.largest <= 4.2e9
    finer = facts.smallest >= 1e11 and facts.largest <= 4.2e18
    return timed and facts.distinct > 2 and (seconds or finer)


def number_kind(name: str, facts: NumberFacts) -> ColumnKind:
    """Say what values are; "number" where it could be several things."""
    words = set(words_in(name))
    if not facts.integers:
        within = facts.smallest >= 0 and facts.largest <= 1
        touches = facts.zeros > 1 and facts.largest == 1 and facts.counts[-1] > 1
        percent = "%" in name or bool(words & names.PERCENT_WORDS)
        percent = percent and facts.smallest >= 0 and facts.largest <= 100
        share = within and (touches or bool(words & names.SHARE_WORDS))
        return "share" if percent or share else "number"
    if facts.distinct == 2 or names_area(name):
        return "category"
    ordered = words_in(name)
    counted = bool(words & names.COUNT_WORDS) or (
        len(ordered) > 1 and ordered[0] in names.COUNT_STARTS
    )
    if names_codes(name) and facts.distinct <= rules.MAX_CODES and not counted:
        return "category"
    if facts.smallest < 0 or _are_years(facts):
        return "number"
    if facts.distinct <= rules.MAX_CODES and facts.spread <= rules.MAX_CODE_SPREAD:
        return _small_integers(facts, counted=counted)
    return "count" if counted or _are_counts(facts) else "number"


def _are_counts(facts: NumberFacts) -> bool:
    """Whether integers begin at 0 or 1, are mostly small, and dense above 0.

    Amounts with many zeros are sparse above 0, and ages or points are not mostly small.
    """
    above = facts.values > 0
    if facts.smallest > 1 or not above.any():
        return False
    values, counts = facts.values[above], facts.counts[above]
    middle = float(values[np.searchsorted(np.cumsum(counts), 0.5 * counts.sum())])
    dense = np.count_nonzero(values <= middle) >= 0.5 * middle
    small = facts.quantile(0.5) - facts.smallest <= 0.25 * facts.spread
    return bool(middle <= rules.LARGE_COUNT and dense and small)


def _small_integers(facts: NumberFacts, *, counted: bool) -> ColumnKind:
    """Separate grades from counts: counts are mostly 0, or have a thin end."""
    if counted or facts.zeros > 0.6 * facts.filled:
        return "count"
    contiguous = facts.spread == facts.distinct - 1
    thin = facts.filled >= 100 and facts.counts[-1] < rules.THIN * facts.counts.sum()
    if facts.smallest > 1 and not contiguous:
        return "number"
    return "count" if thin and facts.distinct >= 5 and facts.smallest <= 1 else "ordinal code"


def number_badges(facts: NumberFacts, rows: int) -> list[str]:
    """Say what is odd about values."""
    found = []
    if facts.integers and facts.distinct > 2 and _are_years(facts) and facts.smallest >= 1800:
        found.append("years")
    grid = (
        facts.integers and facts.distinct > rules.MAX_CODES and facts.all_differ and facts.step > 1
    )
    if grid and facts.spread / facts.step <= facts.filled - 1:
        found.append("evenly spaced")
    found += _spike_badges(facts)
    if rows and facts.filled < 0.5 * rows:
        found.append("mostly missing")
    return found


def _spike_badges(facts: NumberFacts) -> list[str]:
    """Name a value that comes far more often than others: filled in, or a limit of detection."""
    top = float(facts.counts.max(initial=0))
    if facts.distinct > 1 and top >= 0.99 * facts.filled:
        return ["nearly constant"]
    if not facts.whole or facts.integers or facts.distinct <= 20:
        return []
    most = float(facts.values[int(np.argmax(facts.counts))])
    if most == 0 or top < 0.05 * facts.filled or top < 50 * np.median(facts.counts):
        return []
    ends = {facts.smallest: ", the smallest", facts.largest: ", the largest"}
    return [f"{most:.15g} {int(top):,} times{ends.get(most, '')}"]
