"""What a column of texts is: categories, an identifier, a key, free text, dates."""

import re
from typing import Any

import numpy as np

from tamis.columns.judgement import ColumnKind
from tamis.columns.name_words import names_identifier
from tamis.columns.text_tally import TextTally
from tamis.columns.written_dates import are_dates

__all__ = ["text_badges", "text_kind"]

MIN_DISTINCT_ROWS = 8  # rows from which texts that all differ name them
MIN_PANEL_VALUES = 20
MIN_KEYS_OF_NAME = 10
MIN_ANSWERS = 12
ROWS_PER_VALUE = 5  # fewer, and a text explains every column by chance

_FILES = re.compile(
    r"(?i)(^(https?|s3|file)://|[\\/].+[\\/]|\.(tiff?|png|jpe?g|csv|txt|gz|pdf|dcm)$)"
)
_WORDY = 3.0  # words in a text, on average
_FREE_TEXT_LETTERS = 40.0  # characters
_ANSWERED = 1.4  # words in an answer to an open question, on average


def text_kind(name: str, tally: TextTally) -> tuple[ColumnKind, str]:
    """Say what texts are, and why where they are no categories.

    They are judged among filled values. With fewer than five rows for each value, texts explain
    every other column by chance: they are free text, an identifier or nearly one.
    """
    texts, counts = tally.sketch.values, tally.sketch.counts
    n, distinct = tally.filled, tally.distinct
    if distinct == 1:
        return "constant", ""
    if are_dates([str(text) for text in texts]):
        return "date", "dates or times, not supported yet"
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
    usual = _usual_count(texts, counts) if tally.sketch.whole else 0
    if usual and distinct >= MIN_PANEL_VALUES:
        return "key", f"key that repeats, {distinct:,} values, most in {usual:,} rows each"
    return "category", f"few rows for each value, {found}" if few_rows else ""


def _are_places(texts: Any) -> bool:
    return float(np.mean([bool(_FILES.search(str(text))) for text in texts])) > 0.8


def _is_prose(texts: Any) -> bool:
    words = float(np.mean([len(str(text).split()) for text in texts]))
    return words >= _WORDY or (
        words >= 2 and float(np.mean([len(str(t)) for t in texts])) >= _FREE_TEXT_LETTERS
    )


def _are_answers(texts: Any, counts: Any) -> bool:
    """Whether most texts come once and are no single words: people wrote what they liked."""
    words = float(np.mean([len(str(text).split()) for text in texts]))
    return float((counts == 1).mean()) >= 0.5 and words >= _ANSWERED


def _usual_count(texts: Any, counts: Any) -> int:
    """Give in how many rows each value of a panel stands; 0 if that is no panel.

    Most values come equally often, and none more often; of codes, one may (the controls).
    """
    often, times = np.unique(counts, return_counts=True)
    usual = int(often[np.argmax(times)])
    share = float(times.max()) / float(counts.size)
    codes = float(np.mean([any(c.isdigit() for c in str(text)) for text in texts])) > 0.8
    alike = len({len(str(text)) for text in texts}) == 1
    panel = (usual == often[-1] and share >= 0.5) or ((codes or alike) and share >= 0.7)
    return usual if panel and usual >= 2 else 0


def text_badges(tally: TextTally, rows: int) -> list[str]:
    """Say what is odd about texts."""
    from tamis.columns.marks import is_known_mark

    found = []
    if tally.padded:
        found.append("blanks around values")
    texts, counts = tally.sketch.values, tally.sketch.counts
    if tally.sketch.whole:
        folded = {str(text).casefold() for text in texts}
        if len(folded) < len(texts):
            found.append("values differ only in case")
        marks = [
            f"{str(text)!r} {'once' if count == 1 else f'{int(count):,} times'}"
            for text, count in zip(texts, counts, strict=True)
            if is_known_mark(str(text))
        ]
        found += marks[:2]
    if rows and tally.filled < 0.5 * rows:
        found.append("mostly missing")
    return found
