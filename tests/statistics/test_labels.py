"""Labels: equal numbers name one class, and every kind of missing label is known."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.algorithms.extraction.lda import discriminants
from tamis.errors import TamisError
from tamis.extraction import LinearDiscriminants
from tamis.statistics.labels import class_codes

METHODS = ("lda", "kda", "lfda")


@pytest.fixture
def table():
    rows = np.random.default_rng(0).standard_normal((40, 3))
    rows[20:] += 3
    return rows


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("zero", [-0.0, 0])
def test_equal_numbers_are_one_class_however_they_are_written(table, method, zero):
    y = np.array([0.0, zero] * 10 + [1.0] * 20, dtype=object)
    found = tamis.extract(table, method=method, y=y)
    expected = tamis.extract(table, method=method, y=np.repeat([0, 1], 20))
    np.testing.assert_array_equal(found.transform(table), expected.transform(table))
    assert set(found.sample.labels) == {"0", "1"}


def test_a_column_of_labels_with_both_zeros_has_one_class_for_them(table):
    frame = pd.DataFrame(table).assign(y=[0.0, -0.0] * 10 + [1.5] * 20).rename(columns=str)
    found = tamis.extract(frame, method="lda", y="y")
    assert found.k == 1
    assert set(found.sample.labels) == {"0", "1.5"}


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA, pd.NaT], ids=["None", "NaN", "NA", "NaT"])
@pytest.mark.parametrize("method", METHODS)
def test_a_missing_label_of_any_kind_is_refused_or_its_row_dropped(table, method, gap):
    y = np.array([gap] + ["a"] * 19 + ["b"] * 20, dtype=object)
    for labels in (y, pd.Series(y), y.tolist()):
        with pytest.raises(TamisError, match=r"y has 1 missing label of 40: pass missing="):
            tamis.extract(table, method=method, y=labels)
        found = tamis.extract(table, method=method, y=labels, missing="drop")
        assert found.n_rows == 39
        assert found.sample.labels[0] == "no label"


def test_missing_labels_only_leave_a_mark_uncoloured(table):
    found = tamis.extract(table, 2, y=pd.Series([pd.NA, 1] * 20, dtype="Int64"))
    assert found.sample.labels[:2] == ("no label", "1")


@pytest.mark.parametrize("gap", [pd.NA, pd.NaT, None], ids=["NA", "NaT", "None"])
def test_the_pure_function_and_the_estimator_refuse_missing_labels(table, gap):
    y = np.array([gap] + ["a"] * 19 + ["b"] * 20, dtype=object)
    with pytest.raises(TamisError, match="1 label is missing: drop the rows without a label"):
        discriminants(table, y)
    with pytest.raises(ValueError, match="missing"):
        LinearDiscriminants().fit(table, y)


def test_codes_follow_the_order_of_the_texts():
    assert class_codes(["b", "a", "b"], "y").tolist() == [1, 0, 1]
