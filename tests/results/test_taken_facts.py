"""How each column was taken: in the frame, in the answer for programs, of a column alone."""

import numpy as np
import pytest

import tamis

pandas = pytest.importorskip("pandas")


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.normal(size=(200, 3)), columns=list("abc"))
    frame["colour"] = rng.choice(["red", "blue", "green"], 200)
    frame.loc[range(6), "colour"] = ["mauve", "teal"] * 3
    frame["coat"] = rng.choice(["wool", "silk", "jute", None], 200)
    frame["bus"] = rng.choice(["yes", None], 200)
    frame["same"] = 1.0
    return frame


def test_numbers_and_categories_say_how_they_were_taken(frame):
    found = tamis.select(frame, k=2)
    said = dict(zip(found.to_frame()["column"], found.to_frame()["taken_as"], strict=True))
    assert said["a"] == "number"
    assert said["colour"] == "category of 5 levels (2 rare ones pooled)"
    assert said["coat"] == "category of 3 levels"
    assert said["bus"] == "category of 1 level (missing values a level)"  # a box, ticked or not
    assert pandas.isna(said["same"])
    assert found["coat"].taken_as == said["coat"]


def test_programs_are_told_what_is_no_plain_number(frame):
    colour, coat, bus = tamis.select(frame, k=2).to_dict()["taken"]
    assert (colour["column"], colour["kind"], colour["levels"], colour["rare"]) == (
        "colour",
        "category",
        5,
        2,
    )
    assert (coat["missing_level"], bus["missing_level"]) == (False, True)
    assert tamis.select(frame[list("abc")], k=2).to_dict()["taken"] == []


def test_ranks_bins_and_logarithms_are_named(frame):
    ranks = tamis.select(
        frame[list("abc")], k=2, method="correlation", options={"kind": "spearman"}
    )
    assert ranks["a"].taken_as == "rank"
    assert "bins" in tamis.select(frame, k=2, method="representatives")["a"].taken_as
    counts = np.random.default_rng(1).poisson(0.12, size=(200, 120))
    logarithms = tamis.select(
        pandas.DataFrame(counts, columns=map(str, range(120))), k=3, scale="counts"
    )
    assert logarithms["3"].taken_as == "count as logarithm"


def test_a_response_beside_the_columns_changes_nothing(frame):
    found = tamis.select(frame, k=2, y="a", method="forward-regression")
    assert found["colour"].taken_as == "category of 5 levels (2 rare ones pooled)"
