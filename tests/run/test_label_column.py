import numpy as np
import pandas as pd
import pytest

from tamis.errors import TamisError
from tamis.run.request import Request
from tamis.run.roles import column_of, columns_of, find_labels
from tamis.sources.open import open_source

SOURCE = open_source(pd.DataFrame({"a": [1.0, 2, 3], "kind": ["x", "y", "x"]}))


def found(method="chi2", **asked):
    return find_labels(SOURCE, Request.of(method, **asked))


def test_a_name_is_a_column_and_an_array_is_the_labels():
    assert found(y="kind") == 1
    assert column_of(found(y="kind")) == 1
    labels = found(y=[0, 1, 0])
    assert labels.tolist() == [0, 1, 0]
    assert column_of(labels) is None


def test_a_method_that_learns_needs_labels_and_another_does_not():
    with pytest.raises(TamisError, match="'chi2' needs labels"):
        found()
    assert found("sfs") is None


def test_too_few_labels_are_refused():
    with pytest.raises(TamisError, match="2"):
        found(y=np.array([0, 1]))


def test_a_list_of_columns_or_a_table_of_labels_are_several_responses():
    table = open_source(pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [2.0, 1, 4, 3], "c": [*"xyxy"]}))
    asked = Request.of("forward-regression", y=["b", "c"])
    among = find_labels(table, asked)
    assert (among.names, among.columns) == (("b", "c"), (1, 2))
    assert columns_of(among) == (1, 2)
    beside = find_labels(table, Request.of("forward-regression", y=np.arange(8).reshape(4, 2)))
    assert (beside.names, beside.columns) == (("y0", "y1"), ())
    named = find_labels(table, Request.of("sfs", y=pd.DataFrame({"u": [1] * 4, "v": [2] * 4})))
    assert named.names == ("u", "v")


def test_as_many_texts_as_rows_are_labels_though_columns_have_these_names():
    table = open_source(pd.DataFrame({"a": [1.0, 2], "b": [2.0, 1]}))
    assert find_labels(table, Request.of("sfs", y=["a", "b"])).tolist() == ["a", "b"]
    assert find_labels(table, Request.of("sfs", y=["a"])) == 0


def test_a_list_with_a_name_that_no_column_has_is_refused():
    with pytest.raises(TamisError, match="no column 'kinds'"):
        find_labels(SOURCE, Request.of("forward-regression", y=["a", "kinds"]))
