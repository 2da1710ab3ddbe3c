"""Columns of text that hold numbers: with marks for missing values, or written as amounts.

Judged by all texts of a column, so that it does not matter where a mark stands.
"""

from dataclasses import dataclass

import numpy as np

from tamis.columns.marks import MAX_MARK_SHARE, looks_like_mark
from tamis.columns.number_tally import NumberTally
from tamis.columns.text_tally import TextTally
from tamis.sources.amounts import parse_amount
from tamis.sources.recast import units_text

__all__ = ["NumberTexts", "find_differing", "find_number_texts"]

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
