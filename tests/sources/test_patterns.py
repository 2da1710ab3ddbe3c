"""Patterns in lists of columns mean the same from Python and on the command line."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.selection import SequentialForwardSelection
from tamis.sources.open import open_source
from tamis.sources.positions import match_columns, match_prices

NAMES = ["lab_a", "lab_b", "lab_*", "age", "a[1]", "x6"]


@pytest.fixture
def frame() -> pd.DataFrame:
    values = np.random.default_rng(0).standard_normal((60, 6)) @ np.triu(np.ones((6, 6)))
    return pd.DataFrame(values, columns=NAMES)


def test_patterns_stand_for_the_columns_that_match_wherever_columns_are_named(frame):
    def skipped(**asked):
        return set(tamis.select(frame, 2, method="sfs", **asked).skipped)

    assert skipped(exclude=["lab_[ab]", 3]) == {"lab_a", "lab_b", "age"}
    assert skipped(columns=["lab_?", "x*"]) == {"age", "a[1]"}
    assert tamis.select(frame, 3, include=["lab_[ab]"]).names[:2] == ["lab_a", "lab_b"]
    assert not {"lab_a", "lab_b"} & set(tamis.select(frame, 4, forbid=["lab_[ab]"]).names)
    assert tamis.score(frame, ["lab_[ab]"]).names == ["lab_a", "lab_b"]
    assert tamis.score(frame, ["lab_[ab]"], method="sfs").k == 2
    assert set(tamis.summarise(frame, exclude=["lab_[ab]"]).names) == set(NAMES[2:])
    assert tamis.mutual_information(frame, columns=["lab_[ab]", "x6"]).names[:2] == (
        "lab_a",
        "lab_b",
    )
    assert set(tamis.extract(frame, 1, exclude=["lab_[ab]"]).skipped) == {"lab_a", "lab_b"}
    found = tamis.compare(frame, ["sfs"], k=1, criteria=["share"], exclude=["lab_[ab]"])
    assert {"lab_a", "lab_b"} <= set(found.skipped)
    fitted = SequentialForwardSelection(3, include=["lab_[ab]"], forbid=["x?"]).fit(frame)
    assert fitted.ranking_[:2].tolist() == [0, 1]
    assert 5 not in fitted.ranking_


def test_kinds_of_columns_are_given_by_patterns_too(frame):
    codes = (frame * 2).round().astype(int)
    found = tamis.select(codes, 2, categories=["lab_[ab]"])
    named = tamis.select(codes, 2, categories=["lab_a", "lab_b"])
    assert found.names == named.names
    assert found.request.method.id == named.request.method.id == "forward"


def test_a_column_of_that_very_name_wins(frame):
    assert set(tamis.select(frame, 2, exclude=["lab_*", "a[1]"]).skipped) == {"lab_*", "a[1]"}


def test_a_pattern_that_matches_nothing_is_a_warning(frame):
    with pytest.warns(UserWarning, match=r'^forbid=\["MT-\*"\]: no column of the table matches'):
        found = tamis.select(frame, 2, forbid=["MT-*"])
    assert found.names == tamis.select(frame, 2).names
    with pytest.raises(tamis.TamisError, match="no column of the table matches"):
        tamis.select(frame, 2, columns=["MT-*"])
    with pytest.raises(tamis.TamisError, match="no column 'MT'"):
        tamis.select(frame, 2, forbid=["MT"])


def test_nothing_but_patterns_is_touched(frame):
    source = open_source(frame)
    assert match_columns(source, "exclude", [3, "nope", "age"]) == [3, "nope", "age"]
    assert match_prices(source, "costs", {0: 2.0, "age": 3.0}) == {0: 2.0, "age": 3.0}


def test_a_price_of_its_own_comes_before_that_of_a_pattern(frame):
    found = match_prices(open_source(frame), "costs", {"lab_?": 5.0, "lab_a": 2.0, 3: 1.0})
    assert found == {"lab_a": 2.0, "age": 1.0, "lab_b": 5.0, "lab_*": 5.0}


@pytest.mark.parametrize(
    ("costs", "both"),
    [
        ({0: 2, "lab_a": 100}, ["0: 2", "'lab_a': 100"]),
        ({"lab_?": 2, "?ab_a": 100}, ["'lab_?': 2", "'?ab_a': 100"]),
    ],
)
def test_two_prices_of_one_column_are_refused_and_both_are_named(frame, costs, both):
    with pytest.raises(tamis.TamisError, match="both are column 'lab_a'") as found:
        tamis.select(frame, 2, costs=costs)
    assert all(one in str(found.value) for one in both)
    assert tamis.select(frame, 2, costs=dict.fromkeys(costs, 1)).k == 2
