import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.errors import TamisError


@pytest.fixture
def matrix():
    a = np.arange(40) % 4
    return tamis.mutual_information(
        pd.DataFrame({"a": a, "b": a[::-1], "c": np.arange(40) // 20, "one": 1})
    )


def test_entries_are_read_by_name(matrix):
    assert matrix["a", "b"] == pytest.approx(1.0)
    assert matrix["a"]["c"] == matrix["c", "a"] == np.asarray(matrix)[0, 2]
    assert len(matrix) == 3


def test_a_column_that_is_not_in_it_is_refused_with_the_reason(matrix):
    with pytest.raises(TamisError, match="constant"):
        matrix["one"]
    with pytest.raises(TamisError, match="no column 'd'"):
        matrix["a", "d"]


def test_the_frame_has_names_on_both_sides(matrix):
    frame = matrix.to_frame()
    assert list(frame.index) == list(frame.columns) == ["a", "b", "c"]
    assert frame.loc["a", "c"] == matrix["a", "c"]
