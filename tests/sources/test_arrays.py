from typing import Any

import numpy as np
import pytest
import scipy.sparse

import tamis
from tamis.errors import TamisError
from tamis.sources.arrays import ArraySource

SPARSE = ["csr_array", "csc_array", "coo_array", "dok_array", "lil_array", "bsr_array", "dia_array"]


@pytest.mark.parametrize("dtype", [">f8", "f4", "i8", "u1", "longdouble", object])
def test_any_real_dtype_gives_the_same_picks(numbers: np.ndarray, dtype: Any) -> None:
    whole = np.round(numbers - numbers.min())
    assert tamis.select(whole.astype(dtype), k=3).names == tamis.select(whole, k=3).names


def test_half_precision_is_read(numbers: np.ndarray) -> None:
    assert tamis.select(numbers.astype(np.float16), k=3).names == tamis.select(numbers, k=3).names


@pytest.mark.parametrize("view", [lambda X: X[::-1], lambda X: X[:, ::-1][:, ::-1]])
def test_views_give_the_same_picks(numbers: np.ndarray, view: Any) -> None:
    assert tamis.select(view(numbers), k=3).names == tamis.select(numbers, k=3).names


def test_booleans_are_a_kind_of_their_own_and_take_part(numbers: np.ndarray) -> None:
    assert set(ArraySource(numbers > 0).kinds) == {"boolean"}
    as_number = tamis.select((numbers > 0).astype(float), k=3).names
    assert tamis.select(numbers > 0, k=3).names == as_number


def test_masked_cells_count_as_missing(numbers: np.ndarray) -> None:
    masked = np.ma.masked_greater(numbers, 10)
    with pytest.raises(TamisError, match="missing values"):
        tamis.select(masked, k=2, missing="error")
    gaps = np.where(numbers > 10, np.nan, numbers)
    expected = tamis.select(gaps, k=2, missing="mean").names
    assert tamis.select(masked, k=2, missing="mean").names == expected


@pytest.mark.parametrize("form", SPARSE)
def test_every_sparse_format_is_read(numbers: np.ndarray, form: str) -> None:
    data = getattr(scipy.sparse, form)(numbers)
    assert tamis.select(data, k=3).names == tamis.select(numbers, k=3).names


def test_sparse_columns_can_be_picked_and_written(numbers: np.ndarray) -> None:
    source = ArraySource(scipy.sparse.coo_array(numbers))
    assert scipy.sparse.issparse(source.pick([2, 0]))
    (table,) = source.tables([2, 0])
    np.testing.assert_array_equal(table["x2"].to_numpy(), numbers[:, 2])


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([["a", "b"], ["c", "d"]], "holds <U1 values where numbers are needed"),
        (np.ones((3, 2)) * 1j, "holds complex128 values"),
        (scipy.sparse.csr_array(np.eye(3) * 1j), "holds complex128 values"),
        (np.array([["2020-01-01"] * 2] * 3, dtype="datetime64[D]"), "holds datetime64"),
        (np.array([[1, "a"], [2, None]], dtype=object), "holds text or rows of different length"),
        ([[1, 2], [3]], "holds text or rows of different length"),
        (np.arange(5.0), r"has the shape \(5,\): give rows and columns"),
        (
            np.zeros((5, 4, 3)),
            r"shape\[-1\]\)` makes 20 rows of 3 columns .*`array.reshape\(len\(array\), -1\)` "
            "5 rows of 12",
        ),
        ([], r"has the shape \(0,\)"),
        (np.zeros((5, 0)), "has no columns"),
        (np.zeros((0, 5)), "has no rows to work with: at least 2"),
        (scipy.sparse.csr_array((0, 5)), "has no rows to work with: at least 2"),
        (np.ones((1, 3)), "has 1 row to work with: at least 2"),
        (np.ones((5, 3)), "All 3 columns of the table are constant"),
        (
            np.arange(5.0)[:, None],
            r"too few columns of numbers or categories to choose from \(only 'x0'\)",
        ),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(data: Any, sentence: str) -> None:
    with pytest.raises(TamisError, match=sentence):
        tamis.select(data)


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "csr_matrix", "bsr_array"])
@pytest.mark.parametrize("bad", [-1, 7, 2**30])
def test_a_sparse_matrix_with_positions_out_of_range_is_refused(
    numbers: np.ndarray, form: str, bad: int
) -> None:
    data = getattr(scipy.sparse, form)(numbers[:7, :7])
    data.indices[3] = bad
    with pytest.raises(TamisError, match=r"sparse matrix with positions outside of it .* build it"):
        tamis.select(data, k=3)


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "bsr_array"])
def test_pointers_that_fall_are_refused_even_if_they_end_at_zero(
    numbers: np.ndarray, form: str
) -> None:
    data = getattr(scipy.sparse, form)(numbers[:7, :7])
    data.indptr[1:] = 0
    data.indptr[1:-1] = 2**20
    with pytest.raises(TamisError, match="indptr must never fall"):
        tamis.select(data, k=3)


@pytest.mark.parametrize("dtype", [">f8", "f2", "longdouble", ">i4", "u8"])
def test_any_real_dtype_is_written(numbers: np.ndarray, dtype: Any) -> None:
    whole = np.round(numbers - numbers.min())
    (table,) = ArraySource(whole.astype(dtype)).tables([3])
    np.testing.assert_array_equal(table["x3"].to_numpy(), whole[:, 3])
