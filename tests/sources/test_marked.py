import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse

from tamis.errors import TamisError
from tamis.sources.arrays import ArraySource
from tamis.sources.marked import MarkedSource, Reading, read_column
from tamis.sources.open import open_source


def _numbers(values, **reading):
    found = read_column(pa.chunked_array([values]), Reading(**reading))
    return found.to_pylist()


def test_marks_are_missing_and_texts_are_numbers():
    texts = [" 1.5", ".", "+2", None, "", "-3e2"]
    assert _numbers(texts, marks=frozenset("."), decimal=".") == [1.5, None, 2.0, None, None, -300]


def test_amounts_are_read_by_the_decimal_mark():
    assert _numbers(["1.234,50", "7,25", "k.A."], marks=frozenset(["k.A."]), decimal=",") == [
        1234.5,
        7.25,
        None,
    ]


def test_values_are_missing_in_numbers_of_any_type():
    for kind in (pa.int64(), pa.float32(), pa.float64()):
        assert _numbers(pa.array([1, -999, 3], kind), absent=frozenset([-999.0])) == [1, None, 3]


def test_batches_and_tables_agree():
    table = pa.table({"a": ["1", "?", "3"], "b": [1.0, -9.0, 2.0], "c": [5, 6, 7]})
    readings = {0: Reading(marks=frozenset("?"), decimal="."), 1: Reading(frozenset([-9.0]))}
    source = MarkedSource(open_source(table), readings)
    assert source.kinds == ("numeric", "numeric", "numeric")
    expected = np.array([[1, 1, 5], [np.nan, np.nan, 6], [3, 2, 7.0]])
    (batch,) = source.batches([0, 1, 2])
    np.testing.assert_array_equal(batch, expected)
    (numbers,) = source.batches([1, 2])
    np.testing.assert_array_equal(numbers, expected[:, 1:])


def test_what_is_written_out_stays_as_it_was():
    table = pa.table({"a": ["1", "?"], "b": [1.0, -9.0]})
    source = MarkedSource(open_source(table), {1: Reading(frozenset([-9.0]))})
    assert source.pick([0, 1]) is not None
    assert source.pick([1]).column(0).to_pylist() == [1.0, -9.0]


def test_a_sparse_table_has_no_missing_values():
    source = ArraySource(scipy.sparse.csr_array(np.eye(3)))
    with pytest.raises(TamisError, match="sparse"):
        list(MarkedSource(source, {0: Reading(frozenset([1.0]))}).batches([0, 1]))
