"""Options that name columns: by name or position, on the whole table and on parts of its rows."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

import tamis
from tamis.selection import SequentialForwardSelection


@pytest.fixture
def frame():
    return load_wine(as_frame=True).data


def test_names_and_positions_mean_the_same_columns(frame):
    names = list(frame.columns)
    by_name = tamis.select(frame, k=4, forbid=["flavanoids"], costs={"alcohol": 9, "hue": 0.3})
    places = {names.index("alcohol"): 9, names.index("hue"): 0.3}
    by_position = tamis.select(frame, k=4, forbid=[names.index("flavanoids")], costs=places)
    assert by_name.names == by_position.names
    assert "flavanoids" not in by_name.names
    assert by_name.names != tamis.select(frame, k=4).names


def test_positions_count_in_the_table_whatever_is_skipped(frame):
    frame.insert(0, "same", 1.0)
    frame.insert(1, "unwanted", np.arange(len(frame)) ** 2.0)
    found = tamis.select(frame, k=4, exclude=["unwanted"], forbid=["flavanoids"])
    assert "flavanoids" not in found.names
    assert "flavanoids" in [row.column for row in found.explain()]


def test_a_price_of_a_column_that_is_skipped_is_of_no_use(frame):
    plain = tamis.select(frame, k=4, exclude=["hue"])
    assert tamis.select(frame, k=4, exclude=["hue"], costs={"hue": 3}).names == plain.names


def test_folds_and_halves_obey_the_same_options(frame):
    found = tamis.select(
        frame, k=3, forbid=["flavanoids"], costs={"hue": 50}, held_out=True, stability=True
    )
    assert found.stability.frequency["flavanoids"] == 0
    assert found.stability.frequency["hue"] == 0
    assert all(other != "flavanoids" for other, _ in found.substitutes(found.names[0], n=None))


def test_the_estimator_takes_both(frame):
    found = tamis.select(frame, k=4, forbid=[6], costs={0: 4.0})
    fitted = SequentialForwardSelection(4, forbid=[6], costs={0: 4.0}).fit(frame.to_numpy())
    assert fitted.ranking_.tolist() == found.indices.tolist()


def test_the_answer_repeats_what_was_asked(frame):
    facts = tamis.select(frame, k=2, forbid=["hue"], costs={"ash": 2.5}).to_dict()
    assert "forbid=['hue'], costs={'ash': 2.5}" in facts["repeat"]["python"]
    assert ["forbid", "hue"] in facts["options"]
    assert ["costs", "ash: 2.5"] in facts["options"]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"costs": {"ash": 0.0, "hue": 1}}, r"^costs=\{'ash': 0.0\}: give columns .* above 0"),
        ({"costs": {"ash": float("inf")}}, "price above 0"),
        ({"costs": {"ash": "dear"}}, "price above 0"),
        ({"costs": ["ash"]}, "price above 0"),
        ({"costs": {"ashes": 2}}, "no column 'ashes': did you mean 'ash'"),
        ({"forbid": ["hues"]}, "no column 'hues': did you mean 'hue'"),
        ({"forbid": "hue"}, "give a list of column names"),
        ({"forbid": ["hue"], "include": ["hue"]}, "is also to be kept in any case"),
        ({"forbid": range(13)}, "all 13 columns that are analysed are forbidden"),
        ({"costs": {"hue": 2}, "refine": "exact"}, "not by costs: omit one"),
        ({"forbid": ["hue"], "method": "pfa"}, "'pfa' cannot keep to limits"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(frame, asked, sentence):
    with pytest.raises(tamis.TamisError, match=sentence):
        tamis.select(frame, k=2, **asked)


def test_text_is_analysed_beside_numbers_and_can_be_forbidden(frame):
    frame["place"] = ["north", "south"] * (len(frame) // 2)
    found = tamis.select(frame, k=12, forbid=["flavanoids", "place"])
    assert found.request.method.id == "forward"
    assert not {"flavanoids", "place"} & set(found.names)
    assert found.explain("place").reason == "forbidden"


def test_a_share_that_the_allowed_columns_cannot_reach_is_said(frame):
    found = tamis.select(frame, retain=0.95, forbid=list(frame.columns[:6]))
    assert found.retained < 0.95
    assert found.shortfall.startswith("No number of columns within the limits explains 95% on new")
    plain = tamis.select(frame, method="sfs", retain=0.95, forbid=list(frame.columns[:6]))
    assert plain.shortfall.startswith("The 95% requested cannot be reached: all others are forb")
    assert found.shortfall in found.to_dict()["sentence"]
    assert tamis.select(frame, retain=0.9, forbid=["ash"]).shortfall is None
    assert tamis.select(frame, retain=1.0).shortfall is None


def test_a_forbidden_column_is_called_so(frame):
    found = tamis.select(frame, k=3, forbid=["flavanoids"])
    assert [row.column for row in found.explain() if row.reason] == ["flavanoids"]
    assert found["flavanoids"].reason == "forbidden"
    text = str(found)
    assert "forbidden: " in text.partition("flavanoids")[2].splitlines()[0]
    assert "irrelevant" not in text


@pytest.mark.parametrize("asked", [{"held_out": True}, {"stability": True}, {"k": "auto"}])
def test_rows_in_which_no_allowed_column_varies_explain_nothing(asked):
    X = np.random.default_rng(0).standard_normal((60, 5))
    X[:, 4] = np.arange(60) == 0  # constant in most parts of the rows
    found = tamis.select(X, forbid=[0, 1, 2, 3], **{"k": 1, **asked})
    assert found.names == ["x4"]
    assert found.held_out[0] < 0.1
