"""Responses counted and read where the parts of a table are, as they are in memory."""

import numpy as np
import pyarrow as pa
import pytest
from tests.engines import FrameInParts, GivesParts, keep_rows_in_parts, make_picks_frame

import tamis
from tamis.statistics import response
from tamis.statistics.response import LabelTally

CUTS = (0, 130, 131)
ASKED = {
    "classes": {"y": "class"},
    "a number": {"y": "a"},
    "a number with gaps": {"y": "b", "missing": "drop"},
    "a text with gaps": {"y": "size", "missing": "drop"},
    "two": {"y": ["a", "class"]},
    "two with gaps": {"y": ["b", "size"], "missing": "drop"},
    "few numbers": {"y": "level"},
    "without blocks": {"y": "class", "held_out": False},
    "mRMR": {"y": "a", "method": "mrmr"},
    "no number of columns": {"y": "class", "k": None},
}


def make_frame():
    frame = make_picks_frame()
    return frame.assign(level=np.round(frame["c"]).clip(-2, 2).astype(int))


def ask(data, asked):
    return tamis.select(data, **{"method": "forward-regression", "k": 3, **asked})


@pytest.mark.parametrize("case", ASKED)
def test_the_answer_is_that_of_the_table_in_memory(case, monkeypatch):
    keep_rows_in_parts(monkeypatch)
    frame, asked = make_frame(), ASKED[case]
    here, apart = (ask(one, asked) for one in (frame, GivesParts(FrameInParts(frame, CUTS))))
    assert apart.names == here.names
    assert apart.retained == pytest.approx(here.retained, rel=1e-9)
    if asked.get("held_out", True):
        assert apart.held_out == pytest.approx(here.held_out, rel=1e-9)
    mine, its = (one.to_dict() for one in (here, apart))
    assert mine["labels"] == its["labels"]
    assert mine["missing"] == its["missing"]


def test_a_weight_of_the_response_needs_no_rows(monkeypatch):
    keep_rows_in_parts(monkeypatch)
    asked = {"method": "forward", "y": "class", "options": {"y_weight": 0.5}}
    frame = make_frame()
    here, apart = (ask(one, asked) for one in (frame, GivesParts(FrameInParts(frame, CUTS))))
    assert apart.names == here.names
    assert apart.labels.counts == here.labels.counts


REFUSED = {
    "missing labels": ("size", {}),
    "one class": ("one", {}),
    "one number": ("same", {"task": "regression"}),
    "words": ("class", {"task": "regression"}),
    "an infinite number": ("far", {"task": "regression"}),
    "a class for each row": ("key", {"task": "classification"}),
}


@pytest.mark.filterwarnings("ignore:invalid value")  # of leaks searched for in memory
@pytest.mark.parametrize("case", REFUSED)
def test_labels_are_refused_in_the_same_words(case, monkeypatch):
    keep_rows_in_parts(monkeypatch)
    column, more = REFUSED[case]
    numbers = np.arange(300.0)
    extra = {"one": "x", "same": 4.5, "far": np.where(numbers == 7, np.inf, numbers)}
    frame = make_frame().assign(**extra, key=numbers + 0.5)
    said = []
    for data in (frame, GivesParts(FrameInParts(frame, CUTS))):
        with pytest.raises(tamis.TamisError) as refusal:
            ask(data, {"y": column, "columns": list("abcdef"), **more})
        said.append(str(refusal.value))
    assert said[0] == said[1]


def test_numbers_and_other_labels_are_counted_in_parts_that_merge():
    parts = [pa.array([1, 2, 2]), pa.array(["1", "b", None]), pa.array([2.0, float("nan")])]
    tally = LabelTally()
    for part in parts:
        fresh = LabelTally()
        fresh.add(part)
        tally.merge(fresh)
    assert tally.counts == {"1": 2, "2": 3, "b": 1}
    assert (tally.rows, tally.known, tally.distinct) == (8, 6, 3)
    assert tally.decide("auto") == "classification"


def test_integers_that_are_one_as_floats_are_classes_of_their_own():
    tally = LabelTally()
    tally.add(pa.array([2**60, 2**60 + 1, 2**60]))
    assert list(tally.counts.values()) == [2, 1]


def test_more_labels_than_are_counted_are_no_classes(monkeypatch):
    monkeypatch.setattr(response, "MAX_LABELS", 3)
    for labels in (["a", "b", "c", "d"], [1.0, 2.0, 3.0, 4.0, 5.5]):
        tally = LabelTally()
        tally.add(pa.array(labels))
        tally.add(pa.array(labels))
        assert tally.counts == {}
        with pytest.raises(tamis.TamisError, match="y has more than 3 distinct labels, too many"):
            tally.settle("classification", "y")
    assert tally.settle("regression", "y").ends == (1.0, 5.5)


def test_a_response_of_many_numbers_is_named_without_their_number(monkeypatch):
    keep_rows_in_parts(monkeypatch)
    monkeypatch.setattr(response, "MAX_LABELS", 3)
    found = ask(GivesParts(FrameInParts(make_frame(), CUTS)), {"y": "a"})
    assert "Response: a." in str(found)


def test_rows_come_home_for_a_model_only_if_they_are_asked_for(monkeypatch):
    keep_rows_in_parts(monkeypatch)
    frame = make_frame()
    found = ask(GivesParts(FrameInParts(frame, CUTS)), {"y": "class"})
    assert found.predictions == ()
    assert any("held_out=True brings them here" in one for one in found.to_dict()["doubts"])
    asked = {"y": "class", "held_out": True}
    home = GivesParts(FrameInParts(frame, CUTS, gives_rows=True))
    here, apart = (ask(data, asked) for data in (frame, home))
    assert apart.predictions[0].value == pytest.approx(here.predictions[0].value, rel=1e-9)
