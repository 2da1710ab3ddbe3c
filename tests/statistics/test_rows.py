"""Rows held with their labels: missing values, odd labels, sparse tables."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from tamis.errors import TamisError
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.open import open_source
from tamis.statistics.rows import collect_rows


@pytest.fixture
def frame():
    return pd.DataFrame(
        {"a": [1.0, np.nan, 3.0, 4.0], "b": [1, 2, 3, 4], "kind": ["x", "y", None, "x"]}
    )


def test_rows_and_labels_are_dropped_together(frame):
    found = collect_rows(open_source(frame), [0, 1], missing=MissingPolicy.DROP, labels=2)
    assert found.values.tolist() == [[1, 1], [4, 4]]
    assert found.labels.tolist() == ["x", "x"]


def test_missing_labels_are_refused_by_name(frame):
    with pytest.raises(TamisError, match="'kind' has 1 missing label of 4"):
        collect_rows(open_source(frame), [1], labels=2)
    with pytest.raises(TamisError, match="y has 1 missing label "):
        collect_rows(open_source(frame), [1], labels=[1, 2, np.nan, 4])


def test_missing_values_are_filled_or_refused(frame):
    found = collect_rows(open_source(frame), [0, 1], missing=MissingPolicy.MEAN)
    assert found.values[1, 0] == pytest.approx(8 / 3)
    with pytest.raises(TamisError, match="'a' has 1 missing value in 4"):
        collect_rows(open_source(frame), [0, 1])


def test_one_label_for_each_row_is_needed(frame):
    with pytest.raises(TamisError, match="The table has 4 rows and y 3 labels"):
        collect_rows(open_source(frame), [1], labels=["a", "b", "c"])


def test_sparse_tables_stay_sparse_and_lose_rows_with_gaps():
    X = np.array([[0.0, 1.0], [np.nan, 0.0], [2.0, 0.0]])
    found = collect_rows(open_source(scipy.sparse.csr_array(X)), [0, 1], missing=MissingPolicy.DROP)
    assert scipy.sparse.issparse(found.values)
    assert found.values.toarray().tolist() == [[0, 1], [2, 0]]


def test_a_table_without_a_whole_row_says_so():
    X = np.array([[np.nan, 1.0], [1.0, np.nan]])
    with pytest.raises(TamisError, match="All 2 rows have missing values"):
        collect_rows(open_source(X), [0, 1], missing=MissingPolicy.DROP)
