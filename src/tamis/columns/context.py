"""What a column is by the columns beside it: the time of a panel, 0 and 1 or a class in counts."""

from collections.abc import Sequence
from dataclasses import replace

from tamis.columns.judgement import ColumnJudgement
from tamis.columns.name_words import words_in
from tamis.columns.number_facts import NumberFacts
from tamis.columns.number_tally import NumberTally
from tamis.columns.row_descriptions import DESCRIBES_ROWS, find_row_descriptions
from tamis.columns.tally import TableTally
from tamis.columns.text_tally import TextTally

__all__ = ["judge_together"]

_VISIT_WORDS = frozenset(
    [
        *("time", "visit", "wave", "year", "yr", "period", "round", "session", "week", "month"),
        *("day", "quarter", "occasion", "timepoint", "jahr", "date"),
    ]
)
_RARE = 0.1  # share of ones, where 0 and 1 may be counts
_COUNTED = 0.1  # share of them and of counts that must be counts for that
_MOSTLY = 0.5  # share of the columns of numbers that they and counts must be


def judge_together(
    columns: Sequence[ColumnJudgement], facts: Sequence[NumberFacts | None], tally: TableTally
) -> list[ColumnJudgement]:
    """Change what columns are taken for by what the others are."""
    most = _rows_per_key(columns, tally)
    counts = sum(one.kind == "count" for one in columns)
    rare = [_is_rare_binary(one, known) for one, known in zip(columns, facts, strict=True)]
    numbers = sum(known is not None for known in facts)
    alike = counts + sum(rare) >= _MOSTLY * numbers
    counted = alike and counts >= _COUNTED * (counts + sum(rare))
    found = []
    for column, known, binary in zip(columns, facts, rare, strict=True):
        if known is not None and _is_time(column, known, most):
            why = "the time of a key that repeats"
            column = replace(column, kind="key", action="skipped", why=why)
        elif binary and counted:
            column = replace(column, kind="count")
        found.append(column)
    for j in find_row_descriptions(found, facts):
        found[j] = replace(found[j], action="skipped", why=DESCRIBES_ROWS)
    return found


def _rows_per_key(columns: Sequence[ColumnJudgement], tally: TableTally) -> set[int]:
    """Give how many rows the keys that repeat have at most."""
    found = set()
    for column, one in zip(columns, tally.columns, strict=True):
        if column.kind == "key" and isinstance(one, NumberTally | TextTally) and one.sketch.whole:
            found.add(int(one.sketch.counts.max()))
    return {most for most in found if most > 1}


def _is_time(column: ColumnJudgement, facts: NumberFacts, most: set[int]) -> bool:
    """Whether a column is the other half of a key: named as a time, with a value for each row."""
    timed = bool(_VISIT_WORDS & set(words_in(column.name))) and facts.integers
    return timed and any(rows <= facts.distinct <= 1.5 * rows for rows in most)


def _is_rare_binary(column: ColumnJudgement, facts: NumberFacts | None) -> bool:
    if facts is None or column.kind != "category" or facts.distinct != 2:
        return False
    return facts.smallest == 0 and facts.largest == 1 and facts.zeros >= (1 - _RARE) * facts.filled
