import numpy as np
import pandas as pd
import pytest

from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.open import open_source
from tamis.statistics.missing import Tally
from tamis.statistics.mixed import read_mixed_rows

FRAME = pd.DataFrame({"n": [1.0, np.nan, np.inf, 4.0], "t": ["x", "y", None, "x"]})


def read(missing, tally=None):
    (batch,) = read_mixed_rows(open_source(FRAME), [0, 1], missing, tally)
    return batch


def test_numbers_and_texts_keep_their_positions():
    found = read(MissingPolicy("category"))
    assert (found.numeric, found.categorical) == ((0,), (1,))
    assert found.texts[0].to_pylist() == ["x", "y", None, "x"]
    assert found.count_missing().tolist() == [1, 1]
    assert found.good.tolist() == [True, False, False, True]


def test_dropping_leaves_complete_rows_and_counts_the_others():
    tally = Tally(2)
    found = read(MissingPolicy("drop"), tally)
    assert found.numbers[:, 0].tolist() == [1.0, 4.0]
    assert (tally.rows, tally.used) == (4, 2)


def test_with_auto_infinite_values_are_missing():
    assert read(MissingPolicy("auto")).count_missing().tolist() == [2, 1]


@pytest.mark.parametrize("columns", [[0], [1], [1, 0]])
def test_any_choice_and_order_of_columns_is_read(columns):
    (batch,) = read_mixed_rows(open_source(FRAME), columns, MissingPolicy("category"))
    assert len(batch) == 4
    assert batch.count_missing().tolist() == [1] * len(columns)
