"""Blocks of rows summed up where the parts of a table are: those of the table in memory."""

import numpy as np
import pytest
from tests.engines import FrameInParts, GivesParts, keep_rows_in_parts

import tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.frames import FrameSource
from tamis.statistics import read_blocks
from tamis.statistics.missing import Tally
from tamis.statistics.read_blocks import collect_block_moments

pandas = pytest.importorskip("pandas")

CUTS = {"two": [70], "uneven": [1, 3, 60, 61, 290], "empty": [0, 50, 50, 120]}


@pytest.fixture(autouse=True)
def few_rows_stay_where_they_are(monkeypatch):
    keep_rows_in_parts(monkeypatch)


@pytest.fixture
def frame():
    """Make a messy table: text with rare levels, gaps, marks, extremes, a sentinel, a key."""
    rng = np.random.default_rng(4)
    base = rng.normal(size=(300, 3))
    numbers = base @ rng.normal(size=(3, 6)) + 0.3 * rng.normal(size=(300, 6))
    frame = pandas.DataFrame(numbers, columns=list("abcdef"))
    frame.loc[[5, 17], "b"] = 1e5
    frame.loc[rng.integers(0, 300, 40), "c"] = np.nan
    frame.loc[rng.integers(0, 300, 30), "d"] = -999.0
    colours = np.where(base[:, 0] > 0.5, "red", np.where(base[:, 1] > 0, "blue", "green"))
    frame["colour"] = colours
    frame.loc[[3, 33, 133], "colour"] = ["mauve", "teal", "puce"]
    frame.loc[rng.integers(0, 300, 25), "colour"] = None
    frame["size"] = np.where(base[:, 2] > 0, "large", "small")
    frame["amount"] = [f"{value:.2f}" for value in numbers[:, 0]]
    frame["key"] = [f"id{number}" for number in range(300)]
    return frame


@pytest.mark.parametrize("cuts", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("policy", [MissingPolicy.MEAN, MissingPolicy.DROP])
def test_blocks_of_parts_are_those_of_the_table(frame, cuts, policy):
    numbers, tally, expected_tally = frame[list("abcdef")], Tally(6), Tally(6)
    found = collect_block_moments(FrameInParts(numbers, cuts), range(6), policy, tally)
    expected = collect_block_moments(FrameSource(numbers), range(6), policy, expected_tally)
    assert found.count.tolist() == expected.count.tolist()
    np.testing.assert_allclose(found.scatter, expected.scatter, rtol=1e-9, atol=1e-6)
    assert (tally.rows, tally.used) == (expected_tally.rows, expected_tally.used)


def compare(found, expected):
    assert found.names == expected.names
    assert found.skipped == expected.skipped
    assert found.missing == expected.missing
    np.testing.assert_allclose(found.curve.retained, expected.curve.retained, rtol=1e-9)
    np.testing.assert_allclose(found.held_out, expected.held_out, rtol=1e-8)
    assert found.to_dict()["sentence"] == expected.to_dict()["sentence"]


ASKED = ({}, "two"), ({"missing": "drop"}, "uneven"), ({"categories": ["e"]}, "empty")


@pytest.mark.parametrize(("asked", "cuts"), ASKED, ids=str)
def test_a_table_of_numbers_and_text_has_its_answer_in_parts(frame, asked, cuts):
    if "categories" in asked:
        frame["e"] = np.rint(frame["e"])
    cuts = CUTS[cuts]
    found = tamis.select(GivesParts(FrameInParts(frame, cuts)), k=4, **asked)
    expected = tamis.select(frame, k=4, **asked)
    compare(found, expected)
    mine, theirs = found.summary, expected.summary
    assert mine.encoding.levels == theirs.encoding.levels
    assert mine.encoding.limits == theirs.encoding.limits
    assert mine.clipped.values == theirs.clipped.values
    assert mine.clipped.rows == theirs.clipped.rows


def test_a_method_for_numbers_has_its_held_out_rows_in_parts(frame):
    numbers = frame[list("abcf")]
    parts = GivesParts(FrameInParts(numbers, [100]))
    compare(*(tamis.select(data, k=2, method="sfs") for data in (parts, numbers)))


def test_counts_and_pareto_units_are_found_in_parts():
    rng = np.random.default_rng(0)
    rates = np.exp(rng.normal(size=(300, 2)) @ rng.normal(size=(2, 110)) / 2 - 2.5)
    counts = pandas.DataFrame(rng.poisson(rates), columns=[f"g{j}" for j in range(110)])
    assert tamis.select(counts, k=1)["g0"].taken_as == "count as logarithm"
    for asked in ({}, {"scale": "pareto"}):
        parts = GivesParts(FrameInParts(counts, [100, 101, 250]))
        found, expected = (tamis.select(data, k=4, **asked) for data in (parts, counts))
        compare(found, expected)
        assert found.to_dict()["doubts"] == expected.to_dict()["doubts"]


def test_few_rows_come_home(frame, monkeypatch):
    monkeypatch.setattr(read_blocks, "FEW_ROWS", 1000)
    parts = GivesParts(FrameInParts(frame, [100], gives_rows=True))
    compare(tamis.select(parts, k=3), tamis.select(frame, k=3))
