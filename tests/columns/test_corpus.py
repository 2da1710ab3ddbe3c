"""What generated columns with known kinds are taken for, as a confusion table.

One author wrote the rules and the habits drawn here, so this shows that nothing has come undone,
not how often other tables are judged right: for that there are real ones (`test_real_tables.py`).
Seeds from 100 on are for changing the rules; those tested here are not looked into for that.
"""

from collections import Counter

import pyarrow as pa
import pytest

from tamis.columns.judge import judge_counts
from tamis.columns.judgement import ColumnJudgement
from tamis.columns.tally import count_columns
from tamis.sources.open import open_source
from tests.columns.corpus import KEYS, MAKERS, VALUES, Trap, draw_columns

SEEDS = range(4)


def judge_alone(trap: Trap) -> ColumnJudgement:
    """Judge one column by itself, as one of a text file would be."""
    source = open_source(pa.table({trap.name: pa.array(trap.values)}))
    counts = count_columns(source, [0])
    return judge_counts([trap.name], counts.columns, counts.rows, guessed=True)[0]


@pytest.fixture(scope="module")
def judged() -> list[tuple[Trap, ColumnJudgement]]:
    return [(trap, judge_alone(trap)) for trap in draw_columns(SEEDS)]


def test_the_corpus_is_large_and_varied(judged):
    assert len(judged) >= 200
    assert len({trap.trap for trap, _ in judged}) == len(MAKERS) >= 25


def test_no_identifier_is_kept(judged):
    kept = [(t.trap, t.name, j.kind) for t, j in judged if set(t.kinds) <= {*KEYS} and not j.why]
    assert kept == []


def test_no_measurement_is_skipped(judged):
    aside = [(t, j.why) for t, j in judged if set(t.kinds) <= {*VALUES} and j.why]
    assert [trap.trap for trap, _ in aside if trap.kinds != ("category",)] == []
    # Categories with fewer than five rows for each value are such that no method can analyse.
    assert all(why.startswith("few rows for each value") for _, why in aside)


def test_almost_every_column_is_called_what_it_is(judged):
    confusion = Counter(
        (trap.kinds[0], one.kind) for trap, one in judged if one.kind not in trap.kinds
    )
    assert sum(confusion.values()) <= 0.02 * len(judged), confusion


def test_marks_and_sentinels_are_missing_and_nothing_else(judged):
    wrong = [
        (trap.trap, trap.missing, one.missing, one.badges)
        for trap, one in judged
        if trap.missing is not None and one.missing != trap.missing
    ]
    assert wrong == []
