import numpy as np
import pandas as pd
import pytest

from tamis.errors import TamisError
from tamis.run.label_column import column_of, find_labels
from tamis.run.request import Request
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
