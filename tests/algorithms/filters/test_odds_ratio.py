"""`odds-ratio`: the worked examples, smoothing, directions, many values and many classes."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from scipy.stats.contingency import odds_ratio
from tests.algorithms.filters.tables import CARD, table_of

import tamis
from tamis.algorithms.filters.odds_ratio import rank_by_odds

HOLE = np.array([[5, 0], [15, 20]])


def scores(*blocks, **options):
    return rank_by_odds(table_of(*blocks), len(blocks), **options).scores


def test_the_worked_examples():
    assert scores(CARD, direction="positive") == pytest.approx([6])
    assert scores(CARD, direction="negative") == pytest.approx([1 / 6])
    assert scores(CARD) == pytest.approx([np.log(6)])
    assert scores(HOLE, direction="positive") == pytest.approx([14.54839], abs=5e-6)


def test_smoothing_adds_to_all_cells_of_every_table_or_to_empty_cells_only():
    always = scores(CARD, direction="positive", smoothing="always", constant=1.0)
    assert always == pytest.approx([31 * 41 / (11 * 21)])
    cell = scores(HOLE, direction="positive", smoothing="cell", constant=0.1)
    assert cell == pytest.approx([5 * 20 / (15 * 0.1)])
    assert scores(CARD, smoothing="cell") == pytest.approx([np.log(6)])


def test_scipy_agrees_with_the_ratio():
    assert scores(CARD, direction="positive") == pytest.approx(
        [odds_ratio(CARD, kind="sample").statistic]
    )


def one_against_the_rest(block):
    """Give the log odds ratio of every value and class by its definition."""
    found = np.zeros(block.shape)
    for i in range(block.shape[0]):
        for c in range(block.shape[1]):
            a, n = block[i, c], block.sum()
            b, rest = block[i].sum() - a, block[:, c].sum() - a
            cells = np.array([a, b, rest, n - a - b - rest], dtype=float)
            cells += 0.5 * (cells == 0).any()
            found[i, c] = np.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    return found


def test_many_values_and_many_classes_are_compared_one_against_the_rest():
    block = np.random.default_rng(0).integers(0, 9, (5, 4))
    expected = one_against_the_rest(block)
    assert scores(block) == pytest.approx([np.abs(expected).max()])
    assert scores(block, direction="positive") == pytest.approx([np.exp(expected.max())])
    assert scores(block, direction="negative") == pytest.approx([np.exp(-expected.min())])


def test_of_two_values_and_two_classes_the_later_ones_are_meant():
    swapped = CARD[:, ::-1]
    assert scores(swapped, direction="positive") == pytest.approx([1 / 6])
    assert scores(CARD[::-1], direction="positive") == pytest.approx([1 / 6])


def test_a_column_with_one_value_changes_no_odds():
    single = np.array([[50, 50], [0, 0]])
    path = rank_by_odds(table_of(single, CARD), 2, direction="positive")
    assert path.scores == pytest.approx([1, 6])
    assert path.evidence.p[0] == 1
    assert path.evidence.facts(["a", "b"])["columns"][0]["column"] == "b"


def test_p_values_are_those_of_wald_times_the_comparisons():
    error = np.sqrt((1 / CARD).sum())
    found = rank_by_odds(table_of(CARD), 1).evidence.p
    assert found == pytest.approx([2 * norm.sf(np.log(6) / error)])
    three = np.array([[30, 10], [10, 20], [10, 20]])
    alone = rank_by_odds(table_of(np.array([[20, 40], [30, 10]])), 1).evidence.p
    assert rank_by_odds(table_of(three), 1).evidence.p == pytest.approx(3 * alone)


def test_the_evidence_names_the_value_and_the_class():
    kind = np.repeat(["sick", "well"], 40)
    smoker = np.where(np.arange(80) % 8 < np.where(kind == "sick", 6, 2), "yes", "no")
    frame = pd.DataFrame(
        {"smoker": smoker, "age": np.arange(80) + 0.1 * (np.arange(80) % 2), "kind": kind}
    )
    rows = tamis.select(frame, 2, method="odds-ratio", y="kind").to_dict()["evidence"]["columns"]
    notes = {row["column"]: row["note"] for row in rows}
    assert notes["smoker"] == "yes: odds of well x 0.111"
    assert notes["age"].startswith("above 39.55: odds of well x ")
