"""Labels of pandas that are no text: results have them, what is written has their text."""

import json
from typing import Any

import numpy as np
import pytest

import tamis

pd = pytest.importorskip("pandas")
LABELS = {
    "integers": [3, 1, 4, 15, 9, 2, 6],
    "tuples": [(a, b) for a in "uvw" for b in (1, 2)] + [("x", 0)],
    "dates": list(pd.date_range("2020-01-01", periods=7)),
    "mixed": [1.5, "a", ("q", 1), 7, None, 2.5, "b"],
}


@pytest.fixture(params=LABELS, ids=list(LABELS))
def frame(request: pytest.FixtureRequest, numbers: np.ndarray) -> Any:
    labels = LABELS[request.param]
    index = pd.MultiIndex.from_tuples(labels) if request.param == "tuples" else labels
    return pd.DataFrame(numbers, columns=index)


def test_the_names_of_a_selection_select_from_the_frame(frame) -> None:
    found = tamis.select(frame, 3)
    pd.testing.assert_frame_equal(frame[found.names], found.transform(frame))
    assert found.ranking[:3] == found.names
    assert found.to_frame()["column"].tolist() == list(frame.columns)
    assert found[found.names[0]] is found[str(found.names[0])]
    assert found.dropped[0].name in list(frame.columns)
    assert set(found.substitutes()) == set(found.names)


def test_what_is_written_has_the_names_as_text(frame, tmp_path) -> None:
    found = tamis.select(frame, 3)
    facts = json.loads(json.dumps(found.to_dict()))
    assert facts["names"] == [str(name) for name in found.names]
    assert str(found.names[0]) in str(found)
    page = found.report(tmp_path / "a.html").read_text(encoding="utf-8")
    assert "Keep 3 of 7 columns" in page


def test_columns_can_be_asked_for_by_label(frame) -> None:
    first, second, *_, last = list(frame.columns)
    found = tamis.select(frame, 2, include=[second], exclude=[first], y=last, method="sfs")
    assert found.names[0] == second
    assert found.skipped == {first: "excluded", last: "the labels"}
    assert tamis.score(frame, [first]).names == [first]
    assert tamis.extract(frame, 2, columns=[first, last]).columns == [first, last]


def test_extractions_comparisons_and_matrices_have_labels_too(frame) -> None:
    columns = list(frame.columns)
    extraction = tamis.extract(frame, 2)
    assert set(extraction.loadings(0, 7)) == set(columns)
    assert extraction.to_frame()["column"].tolist() == columns
    comparison = tamis.compare(frame, ["sfs"], k=2, criteria=["share"])
    assert set(comparison.names["sfs"][2]) <= set(columns)
    assert all(isinstance(name, str) for name in comparison.to_dict()["names"]["sfs"]["2"])
    pairs = tamis.mutual_information(frame)
    assert pairs.to_frame().columns.tolist() == columns
    assert pairs[columns[0], columns[1]] == pairs[columns[0]][columns[1]]


def test_an_integer_is_a_label_where_labels_are_integers(numbers) -> None:
    frame = pd.DataFrame(numbers, columns=LABELS["integers"])
    assert tamis.select(frame, 1, include=[15]).names == [15]
    with pytest.raises(tamis.TamisError, match="no column 0: there is 3, 1, 4"):
        tamis.select(frame, 1, include=[0])
    named = frame.set_axis([*"abcdefg"], axis=1)
    assert tamis.select(named, 1, include=[3]).names == ["d"]


def test_a_constant_and_a_skipped_column_keep_their_labels(numbers) -> None:
    frame = pd.DataFrame(numbers, columns=LABELS["integers"]).assign(**{"t": "text"})
    frame[77] = 1.0
    found = tamis.select(frame, 2, method="sfs")
    assert found.constant == (77,)
    assert list(found.skipped) == ["t"]
    assert found.to_dict()["constant"] == ["77"]
