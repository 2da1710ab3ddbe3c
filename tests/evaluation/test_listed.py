"""Own lists of columns measured beside methods."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.linear_model import LinearRegression

import tamis
from tamis.cli import main
from tamis.errors import TamisError
from tamis.statistics.row_blocks import fold_choices
from tamis.statistics.row_hash import number_rows


@pytest.fixture(scope="module")
def wine():
    return load_wine(as_frame=True).data


@pytest.fixture(scope="module")
def labels():
    return [f"class {label}" for label in load_wine().target]


def test_own_lists_are_measured_beside_methods(wine, labels):
    lists = {"mine": ["flavanoids", "proline"], "more": ["alcohol", "hue", "malic_acid"]}
    found = tamis.compare(
        wine, ["sfs"], y=labels, lists=lists, criteria=["share", "held-out", "prediction"]
    )
    assert found.contest.sizes == (2, 3)
    assert found.names["mine"][3] == lists["mine"]
    assert found.names["more"][2] == lists["more"][:2]
    rows = {(row["method"], row["k"]): row for row in found.frame.to_dict("records")}
    judged = tamis.score(wine, lists["mine"], method="sfs", y=labels, held_out=True)
    assert rows["mine", 2]["share"] == pytest.approx(judged.retained, abs=1e-9)
    assert rows["mine", 2]["prediction"] == pytest.approx(judged.predictions[0].value, abs=0.02)
    assert rows["mine", 2]["kept"] == rows["mine", 3]["kept"] == 2
    assert next(iter(found.to_dict()["figures"])) == "prediction"


def test_the_held_out_share_of_a_list_is_that_of_refits_on_it(wine):
    listed = ["flavanoids", "proline", "ash"]
    found = tamis.compare(wine, ["sfs"], lists={"mine": listed}, criteria=["held-out"])
    X = wine.to_numpy()
    numbers = number_rows(X, list(wine.columns))
    places = [list(wine.columns).index(name) for name in listed]
    error = total = 0.0
    for marks in fold_choices(np.bincount(numbers, minlength=20)):
        train, test = X[marks[numbers]], X[~marks[numbers]]
        test = (test - train.mean(axis=0)) / train.std(axis=0)
        train = (train - train.mean(axis=0)) / train.std(axis=0)
        left = test - LinearRegression().fit(train[:, places], train).predict(test[:, places])
        error, total = error + np.square(left).sum(), total + np.square(test).sum()
    measured = found.contest.figure("held-out", "mine", 3).value
    assert measured == pytest.approx(1 - error / total, abs=0.01)


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ({"sfs": ["ash"]}, "a method has this name"),
        ({"mine": ["ashes"]}, "did you mean 'ash'"),
        ({"mine": ["same"]}, "it is constant"),
        ({"mine": []}, "groups by name"),
    ],
)
def test_a_list_that_cannot_be_measured_is_refused_in_a_sentence(wine, lists, message):
    with pytest.raises(TamisError, match=message):
        tamis.compare(wine.assign(same=1.0), ["pfs"], lists=lists, criteria=["share"])


def test_the_command_takes_lists_and_files_of_names(wine, tmp_path, capsys):
    wine.to_csv(tmp_path / "wine.csv", index=False)
    (tmp_path / "mine.txt").write_text("ash\nhue\n")
    asked = ["compare", str(tmp_path / "wine.csv"), "-m", "sfs", "--criteria", "share"]
    main([*asked, "--list", f"mine=@{tmp_path / 'mine.txt'}", "--list", "a=ash*", "--json"])
    names = json.loads(capsys.readouterr().out)["names"]
    assert names["mine"]["2"] == ["ash", "hue"]
    assert names["a"]["1"] == ["ash"]
