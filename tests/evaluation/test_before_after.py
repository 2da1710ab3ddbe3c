import numpy as np
import pytest

from tamis.errors import TamisError
from tamis.evaluation.neighbour_agreement import before_after, rows_of


def test_tables_become_rows_of_float64():
    full, reduced = before_after([[1, 2], [3, 4]], np.array([[1], [3]], dtype=np.int8))
    assert full.dtype == reduced.dtype == np.float64
    assert reduced.tolist() == [[1.0], [3.0]]


@pytest.mark.parametrize("wrong", [[1, 2], np.empty((0, 3)), [[1, np.nan]], [[np.inf, 1]]])
def test_what_is_no_table_of_numbers_is_refused_by_its_name(wrong):
    with pytest.raises(TamisError, match="full"):
        rows_of(wrong, "full")


def test_other_rows_are_refused_with_both_numbers():
    with pytest.raises(TamisError, match=r"3.*2"):
        before_after(np.ones((3, 2)), np.ones((2, 1)))
