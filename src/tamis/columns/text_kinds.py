"""What a column of texts is: categories, an identifier, a key, free text, dates."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from tamis.columns.judgement import ColumnKind
from tamis.columns.marks import MAX_MARK_SHARE, looks_like_mark
from tamis.columns.name_words import names_identifier
from tamis.columns.number_tally import NumberTally
from tamis.columns.text_tally import TextFacts, TextTally
from tamis.columns.written_dates import are_dates
from tamis.sources.amounts import parse_amount
from tamis.sources.marked import units_text

__all__ = ["NumberTexts", "find_differing", "find_number_texts", "text_badges", "text_kind"]

MIN_DISTINCT_ROWS = 8  # rows from which texts that all differ name them
MIN_PANEL_VALUES = 20
MIN_KEYS_OF_NAME = 10
MIN_ANSWERS = 12
_MAX_PANEL_DISPERSION = 0.5  # variance of the rows of a key, over their mean
ROWS_PER_VALUE = 5  # fewer, and a text explains every column by chance

_FILES = re.compile(
    r"(?i)(^(https?|s3|file)://|[\\/].+[\\/]|\.(tiff?|png|jpe?g|csv|txt|gz|pdf|dcm)$)"
)
_DECIMAL = r"\d+(?:[.,]\d+)?"
_BETWEEN = "[-/x:;|'\N{MULTIPLICATION SIGN}\N{EN DASH}]"  # 120/80, 3-2, 30x40
_NUMBER_PAIR = re.compile(rf"^({_DECIMAL}) ?{_BETWEEN} ?({_DECIMAL})\"?$")
_COORDINATES = re.compile(r"^\(?-?\d+\.\d+[,;] ?-?\d+\.\d+\)?$")  # 52.52, 13.40
_MOST_TEXTS = 0.8  # share of the different texts that a rule must hold for
_WORDY = 3.0  # words in a text, on average
_FREE_TEXT_LETTERS = 40.0  # characters
_ANSWERED = 1.4  # words in an answer to an open question, on average


def text_kind(name: str, facts: TextFacts) -> tuple[ColumnKind, str]:
    """Say what texts are, and why where they are no categories.

    They are judged among filled values. With fewer than five rows for each value, texts explain
    every other column by chance: they are free text, an identifier or nearly one.
    """
    texts, counts = facts.texts, facts.counts
    n, distinct = facts.filled, facts.distinct
    if distinct == 1:
        return "constant", ""
    if are_dates(texts):
        return "date", "dates, times or durations, not supported yet"
    if distinct > MIN_ANSWERS and _are_pairs(texts):
        return "other", f"two numbers in a value, such as {min(texts)!r}: split the column"
    found = f"{distinct:,} distinct values in {n:,} rows"
    differ = bool((counts == 1).all()) and distinct >= 0.97 * n and n >= MIN_DISTINCT_ROWS
    few_rows = distinct > max(10, n // ROWS_PER_VALUE)
    if differ or few_rows:
        if _are_places(texts):
            return "identifier", f"file names or addresses, {found}"
        if _is_prose(texts):
            return "free text", f"free text, {found}"
        if differ:
            return "identifier", f"looks like an identifier, {found}"
        if distinct > n // 2:
            return "key", f"looks like an identifier, {found}"
    if names_identifier(name) and distinct >= MIN_KEYS_OF_NAME:
        return "key", f"identifier that repeats, {distinct:,} values in {n:,} rows"
    if distinct > MIN_ANSWERS and _are_answers(texts, counts):
        return "free text", f"free text, {found}"
    usual = _usual_count(texts, counts) if facts.whole else 0
    if usual and distinct >= MIN_PANEL_VALUES:
        return "key", f"key that repeats, {distinct:,} values, most in {usual:,} rows each"
    return "category", f"few rows for each value, {found}" if few_rows else ""


def _are_places(texts: Sequence[str]) -> bool:
    return float(np.mean([bool(_FILES.search(text)) for text in texts])) > _MOST_TEXTS


def _are_pairs(texts: Sequence[str]) -> bool:
    """Whether texts are two numbers, 120/80 or 3-2, and no classes that lie side by side: 10-20."""
    if sum(bool(_COORDINATES.match(text)) for text in texts) >= _MOST_TEXTS * len(texts):
        return True
    found = [match for text in texts if (match := _NUMBER_PAIR.match(text)) is not None]
    if len(found) < _MOST_TEXTS * len(texts):
        return False
    ends = sorted(tuple(float(part.replace(",", ".")) for part in one.groups()) for one in found)
    classes = all(low < high for low, high in ends)
    return not (classes and all(one[1] <= two[0] for one, two in pairwise(ends)))


def _is_prose(texts: Sequence[str]) -> bool:
    words = _count_words(texts)
    return words >= _WORDY or (
        words >= 2 and float(np.mean([len(text) for text in texts])) >= _FREE_TEXT_LETTERS
    )


def _are_answers(texts: Sequence[str], counts: Any) -> bool:
    """Whether most texts come once and are no single words: people wrote what they liked."""
    return float((counts == 1).mean()) >= 0.5 and _count_words(texts) >= _ANSWERED


def _count_words(texts: Sequence[str]) -> float:
    """Give how many words a text has on average; what has no letter is none."""
    return float(
        np.mean([sum(any(c.isalpha() for c in word) for word in text.split()) for text in texts])
    )


def _usual_count(texts: Sequence[str], counts: Any) -> int:
    """Give in how many rows each value of a panel stands; 0 if that is no panel.

    Most values come equally often, and none more often; of codes, one may (the controls). Or all
    come nearly equally often, as those of a panel from which rows were lost.
    """
    often, times = np.unique(counts, return_counts=True)
    usual = int(often[np.argmax(times)])
    share = float(times.max()) / float(counts.size)
    codes = float(np.mean([any(c.isdigit() for c in text) for text in texts])) > _MOST_TEXTS
    alike = len({len(text) for text in texts}) == 1
    # In part of a panel each key has nearly as many rows: random texts vary by their mean or more.
    steady = float(np.var(counts)) < _MAX_PANEL_DISPERSION * float(np.mean(counts))
    panel = (usual == often[-1] and share >= 0.5) or ((codes or alike) and share >= 0.7) or steady
    return usual if panel and usual >= 2 else 0


def text_badges(facts: TextFacts, rows: int) -> list[str]:
    """Say what is odd about texts."""
    from tamis.columns.marks import is_known_mark

    found = []
    if facts.padded:
        found.append("blanks around values")
    texts, counts = facts.texts, facts.counts
    if facts.whole:
        folded = {text.casefold() for text in texts}
        if len(folded) < len(texts):
            found.append("values differ only in case")
        marks = [
            f"{text!r} {'once' if count == 1 else f'{int(count):,} times'}"
            for text, count in zip(texts, counts, strict=True)
            if is_known_mark(text)
        ]
        found += marks[:2]
    if rows and facts.filled < 0.5 * rows:
        found.append("mostly missing")
    return found


# Columns of text that hold numbers: with marks for missing values, or written as amounts.
#
# Judged by all texts of a column, so that it does not matter where a mark stands.
MANY_NUMBERS = 30  # different ones: chromosomes are 1 to 22, X and Y
MIN_MEASURED = 5  # different values beside limits of what can be measured
VALUES_PER_LIMIT = 2
_FEW_CODES = 12  # different numbers, stored as text without need: categories
_READ_SHARE = 0.8  # share of the values that are numbers, where they cannot be read
# How many different odd texts there may be, and up to which share of the values.
_ODD_TEXTS = ((5, 0.1), (20, 0.02))


@dataclass(frozen=True, eq=False)
class NumberTexts:
    """Numbers found in texts: their counts, the texts that are missing values, the decimal mark.

    `decimal` is "" where Python reads the numbers as they are. `limits` are texts that say that a
    value is below or above a number, as which they are read, with their counts.
    """

    tally: NumberTally
    marks: tuple[str, ...]
    counts: tuple[int, ...]
    decimal: str = ""
    unit: str = ""
    limits: tuple[tuple[str, int], ...] = ()


def find_number_texts(texts: TextTally, *, guessed: bool) -> NumberTexts | None:
    """Find the numbers of a column of text; None if it is one of texts.

    `guessed` says that the type is only that of a text file: otherwise somebody chose it.
    """
    found = texts.numbers.filled + texts.amounts
    if not texts.may_be_numbers or texts.coded or not found:
        return None
    if texts.amounts and (texts.notation.decimal is None or len(texts.notation.units) > 1):
        return None
    if texts.limits and not _are_measured(texts):
        return None
    tally = _read_amounts(texts) if texts.amounts else texts.numbers
    if not _accepts(texts, tally) or tally.distinct < 2:
        return None
    if not guessed and not texts.marks and not texts.amounts and tally.distinct <= _FEW_CODES:
        return None
    marks = {**texts.marks, **texts.odd}
    return NumberTexts(
        tally,
        tuple(sorted(marks)),
        tuple(marks[text] for text in sorted(marks)),
        str(texts.notation.decimal) if texts.amounts else "",
        next(iter(texts.notation.units), "") if texts.amounts else "",
        tuple(sorted(texts.limits.items())),
    )


def _are_measured(texts: TextTally) -> bool:
    """Whether limits (<0.5) stand beside many values: <18 and >65 beside 18-65 are categories."""
    values = texts.distinct - len(texts.limits) - len(texts.odd) - len(texts.marks)
    return values >= max(MIN_MEASURED, VALUES_PER_LIMIT * len(texts.limits))


def find_differing(texts: TextTally) -> str:
    """Say why texts that are numbers cannot be read as such; nothing where there is no reason."""
    found, many = texts.numbers.filled + texts.amounts, texts.distinct > _FEW_CODES
    if (
        not texts.may_be_numbers
        or not texts.amounts
        or not many
        or found < _READ_SHARE * texts.filled
    ):
        return ""
    if len(texts.notation.units) > 1:
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
    many = tally.distinct >= MANY_NUMBERS or not tally.integers
    if len(odd) == 1:
        bare = not any(texts.notation.units)  # GF beside "1st floor" is a floor
        known = many or (bare and looks_like_mark(next(iter(odd))) and tally.distinct > 2)
        return share < MAX_MARK_SHARE and known
    if len(odd) == 2 and tally.distinct >= MANY_NUMBERS and share < MAX_MARK_SHARE:
        return True
    return many and any(len(odd) <= most and share <= limit for most, limit in _ODD_TEXTS)


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
