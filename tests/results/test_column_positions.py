import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.errors import TamisError
from tamis.results.column_positions import positions_in
from tamis.sources.open import open_source

FRAME = pd.DataFrame(np.random.default_rng(0).normal(size=(9, 3)), columns=["a", "b", "c"])


@pytest.fixture
def record():
    return tamis.select(FRAME, k=2, method="sfs").request


def test_columns_are_found_by_name_whatever_their_order(record):
    assert positions_in(open_source(FRAME[["c", "a", "b"]]), record, np.array([0, 2])) == [1, 0]


def test_where_one_table_has_no_names_positions_count(record):
    assert positions_in(open_source(FRAME.to_numpy()), record, np.array([0, 2])) == [0, 2]
    with pytest.raises(TamisError, match=r"2 columns.*3"):
        positions_in(open_source(FRAME.to_numpy()[:, :2]), record, np.array([0]))


def test_a_lost_column_is_named(record):
    with pytest.raises(TamisError, match="'a'"):
        positions_in(open_source(FRAME[["b", "c"]]), record, np.array([0, 1]))
