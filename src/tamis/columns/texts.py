"""What a column of texts is: categories, an identifier, a key, free text, dates, or numbers."""

import re
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from tamis.columns.judgement import ColumnKind
from tamis.columns.name_words import names_identifier, names_subject, names_territory
from tamis.columns.tally import ColumnTally, NumberTally, TextTally
from tamis.columns.written import are_dates, looks_like_mark
from tamis.rules import kinds as rules
from tamis.rules.texts import COORDINATES, FILE_NAMES, KNOWN_UNITS, MAX_MARK_SHARE, NUMBER_PAIR
from tamis.sources.amounts import parse_amount
from tamis.sources.marked import units_text
from tamis.values import dataclass

_FILES = re.compile(FILE_NAMES, re.IGNORECASE)
_NUMBER_PAIR = re.compile(NUMBER_PAIR)
_COORDINATES = re.compile(COORDINATES)


@dataclass(frozen=True, eq=False)
class TextFacts:
    """Texts of a column with their counts: all, or a random sample of them.

    `filled` counts the values of the column, `distinct` the different ones, exact if `whole`.
    """

    texts: tuple[str, ...]
    counts: Any
    whole: bool
    filled: int
    distinct: int
    padded: bool

    @classmethod
    def of(cls, tally: TextTally, without: Collection[str] = ()) -> "TextFacts":
        """Take the counts of a column, as if some of its texts were missing."""
        texts = [str(text) for text in tally.sketch.values]
        there = np.array([text not in without for text in texts], dtype=bool)
        gone = int(tally.sketch.counts[~there].sum())
        return cls(
            texts=tuple(text for text in texts if text not in without),
            counts=tally.sketch.counts[there],
            whole=tally.sketch.whole,
            filled=tally.filled - gone,
            distinct=max(tally.distinct - int((~there).sum()), 0),
            padded=tally.padded,
        )


MAY_BE_KEY = "unsure: may be a key"


def text_kind(name: str, facts: TextFacts, rows: int) -> tuple[ColumnKind, str]:
    """Say what texts are, and why where they are no categories.

    They are judged among filled values. With fewer than five rows for each value, texts explain
    every other column by chance, whatever they are.
    """
    texts, counts = facts.texts, facts.counts
    n, distinct = facts.filled, facts.distinct
    if distinct == 1:
        return "constant", ""
    if are_dates(texts):
        return "date", "dates, times or durations, not supported yet"
    if distinct > rules.MIN_ANSWERS and _are_pairs(texts):
        return "other", f"two numbers in a value, such as {min(texts)!r}: split the column"
    found = f"{distinct:,} distinct values in {n:,} rows"
    many = distinct >= rules.MIN_DISTINCT_SHARE * n and n >= rules.MIN_DISTINCT_ROWS
    differ = many and bool((counts == 1).all())
    few_rows = has_few_rows(distinct, n)
    if differ or few_rows:
        if float(np.mean([bool(_FILES.search(text)) for text in texts])) > rules.MOST_TEXTS:
            return "identifier", f"file names or addresses, {found}"
        if _is_prose(texts):
            return "free text", f"free text, {found}"
        if differ:
            return "identifier", f"another value in each of {n:,} rows"
        if distinct > rules.ALMOST_DISTINCT * n:
            return "key", f"another value in almost every row, {distinct:,} of {n:,}"
    named = names_identifier(name) or names_subject(name)
    if named and distinct >= rules.MIN_KEYS_OF_NAME:
        return "key", f"identifier that repeats, {distinct:,} values in {n:,} rows"
    if names_territory(name) and usual_count(facts):
        return "key", say_repeats(facts)
    least = max(rules.MIN_LEVEL_ROWS, rules.MIN_LEVEL_SHARE * rows)
    rare = facts.whole and distinct > 2 and bool(counts.max() < least)
    return "category", f"few rows for each value, {found}" if few_rows or rare else ""


def has_few_rows(values: int, rows: int, most: int = rules.MIN_TEXTS) -> bool:
    """Say whether texts have fewer than five rows for each of their distinct values.

    >>> has_few_rows(200, 300), has_few_rows(12, 300)
    (True, False)
    """
    return values > max(most, rows // rules.ROWS_PER_VALUE)


def say_repeats(facts: TextFacts) -> str:
    """Say how often the values of a key come."""
    most = int(facts.counts.max())
    return f"key that repeats, {facts.distinct:,} values, up to {most:,} rows each"


def _are_pairs(texts: Sequence[str]) -> bool:
    """Whether texts are two numbers, 120/80 or 30x40, and no dates, scores or numbers of a book."""
    if sum(bool(_COORDINATES.fullmatch(text)) for text in texts) >= rules.MOST_TEXTS * len(texts):
        return True
    found = [match for text in texts if (match := _NUMBER_PAIR.fullmatch(text)) is not None]
    first = [float(match[1].replace(",", ".")) for match in found]
    large = sum(number > rules.MAX_DAY for number in first)  # no month or day comes first
    return len(found) >= rules.MOST_TEXTS * len(texts) and 2 * large > len(found)


def _is_prose(texts: Sequence[str]) -> bool:
    words = _count_words(texts)
    return words >= rules.WORDY or (
        words >= 2 and float(np.mean([len(text) for text in texts])) >= rules.FREE_TEXT_LETTERS
    )


def _count_words(texts: Sequence[str]) -> float:
    """Give how many words a text has on average; what has no letter is none."""
    return float(
        np.mean([sum(any(c.isalpha() for c in word) for word in text.split()) for text in texts])
    )


def usual_count(facts: TextFacts) -> int:
    """Give in how many rows each value of a panel stands; 0 if that is no panel.

    Most values come equally often, and none more often; of codes, one may (the controls). Or all
    come nearly equally often, as those of a panel from which rows were lost.
    """
    if not facts.whole or facts.distinct < rules.MIN_PANEL_VALUES:
        return 0
    texts, counts = facts.texts, facts.counts
    often, times = np.unique(counts, return_counts=True)
    usual = int(often[np.argmax(times)])
    share = float(times.max()) / float(counts.size)
    codes = float(np.mean([any(c.isdigit() for c in text) for text in texts])) > rules.MOST_TEXTS
    alike = len({len(text) for text in texts}) == 1
    # In part of a panel each key has nearly as many rows: random texts vary by their mean or more.
    steady = float(np.var(counts)) < rules.MAX_PANEL_DISPERSION * float(np.mean(counts))
    even = (codes or alike) and share >= rules.MIN_EVEN_SHARE
    panel = even or steady or (usual == often[-1] and share >= rules.MAJORITY)
    return usual if panel and usual >= 2 else 0


def times(count: int) -> str:
    """Say how often.

    >>> times(1), times(1200)
    ('once', '1,200 times')
    """
    return "once" if count == 1 else f"{count:,} times"


def text_badges(facts: TextFacts, rows: int) -> list[str]:
    """Say what is unusual about texts."""
    found = []
    if facts.padded:
        found.append("blanks around values")
    if facts.whole:
        words = {
            text for text in facts.texts if len(text) >= rules.CASED
        }  # Aa and AA are two genotypes
        if len({text.casefold() for text in words}) < len(words):
            found.append("values differ only in case")
    if rows and facts.filled < rules.MIN_FILLED_SHARE * rows:
        found.append("mostly missing")
    return found


# Columns of text that hold numbers: with marks for missing values, or written as amounts.
#
# Judged by all texts of a column, so that it does not matter where a mark stands.


def find_numbers(tally: ColumnTally | None, *, guessed: bool) -> NumberTally | None:
    """Find the numbers of a column; None if it is one of texts, or of something else.

    `guessed` says that the type is only that of a text file: otherwise somebody chose it.
    """
    if isinstance(tally, NumberTally):
        return tally
    return _read_numbers(tally, guessed=guessed) if isinstance(tally, TextTally) else None


def _read_numbers(texts: TextTally, *, guessed: bool) -> NumberTally | None:
    found = texts.numbers.filled + texts.amounts
    if not texts.may_be_numbers or texts.coded or not found:
        return None
    if texts.amounts and (texts.notation.decimal is None or len(texts.notation.units) > 1):
        return None
    units = {unit.lower() for unit in texts.notation.units}
    if texts.amounts and texts.numbers.filled and not units <= KNOWN_UNITS:  # 1OT beside 1 to 4
        return None
    if texts.limits and not _are_measured(texts):
        return None
    tally = _read_amounts(texts) if texts.amounts else texts.numbers
    if not _accepts(texts, tally) or tally.distinct < 2:
        return None
    if not guessed and not texts.marks and not texts.amounts and tally.distinct <= rules.FEW_CODES:
        return None
    tally.marks = dict(sorted({**texts.marks, **texts.odd}.items()))
    tally.limits = dict(sorted(texts.limits.items()))
    tally.decimal = str(texts.notation.decimal) if texts.amounts else "."
    tally.unit = next(iter(texts.notation.units), "") if texts.amounts else ""
    return tally


def _are_measured(texts: TextTally) -> bool:
    """Whether limits (<0.5) stand beside many values: <18 and >65 beside 18-65 are categories."""
    values = texts.distinct - len(texts.limits) - len(texts.odd) - len(texts.marks)
    return values >= max(rules.MIN_MEASURED, rules.VALUES_PER_LIMIT * len(texts.limits))


def find_differing(texts: TextTally) -> str:
    """Say why texts that are numbers cannot be read as such; nothing where there is no reason."""
    found, many = texts.numbers.filled + texts.amounts, texts.distinct > rules.FEW_CODES
    mostly = found >= rules.READ_SHARE * texts.filled
    if not (texts.may_be_numbers and texts.amounts and many and mostly):
        return ""
    units = {unit.lower() for unit in texts.notation.units}
    if len(units) > 1 and not units <= KNOWN_UNITS:  # 34A is a size, 2013FAIL a result
        return ""
    if len(units) > 1:
        return f"numbers in different units ({units_text(texts.notation.units)}): convert them"
    if texts.notation.decimal is None:
        return "numbers with a decimal point in some values and a decimal comma in others"
    return ""


def _accepts(texts: TextTally, tally: NumberTally) -> bool:
    """Whether the texts that are neither numbers nor known marks are few enough."""
    odd, total = texts.odd, texts.filled
    if not odd:
        return True
    share = sum(odd.values()) / total
    many = tally.distinct >= rules.MANY_NUMBERS or not tally.integers
    if len(odd) == 1:
        bare = not any(texts.notation.units)  # GF beside "1st floor" is a floor
        known = many or (bare and looks_like_mark(next(iter(odd))) and tally.distinct > 2)
        return share < MAX_MARK_SHARE and known
    if len(odd) == 2 and tally.distinct >= rules.MANY_NUMBERS and share < MAX_MARK_SHARE:
        return True
    return many and any(len(odd) <= most and share <= limit for most, limit in rules.ODD_TEXTS)


def _read_amounts(texts: TextTally) -> NumberTally:
    """Read the texts that are kept, all or a sample, as amounts."""
    decimal = str(texts.notation.decimal)
    pairs = zip(texts.sketch.values, texts.sketch.counts.tolist(), strict=True)
    read = [(parse_amount(str(text), decimal), count) for text, count in pairs]
    there = [(value, count) for value, count in read if value is not None]
    tally = NumberTally(texts.sketch.room)
    values = np.array([value for value, _ in there], dtype=float)
    tally.add(np.repeat(values, [count for _, count in there]))
    return tally
