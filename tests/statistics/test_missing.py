from typing import Any

import numpy as np
import pytest
import scipy.sparse

import tamis
from tamis.errors import TamisError
from tamis.registry.missing_policy import MissingPolicy
from tamis.statistics.missing import without_missing

NAMES = ["a", "b", "c"]
X = np.array([[1.0, 2.0, 3.0], [np.nan, 4.0, 5.0], [2.0, 6.0, np.nan], [6.0, 7.0, 8.0]])


def _all(batches: list[Any], policy: str, names: list[str] = NAMES) -> Any:
    found = list(without_missing(lambda: iter(batches), names, MissingPolicy(policy)))
    if scipy.sparse.issparse(found[0]):
        return scipy.sparse.vstack(found).toarray()
    return np.concatenate(found)


@pytest.mark.parametrize("policy", ["error", "mean", "drop"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i4", "u1", "?"])
def test_a_full_table_passes_as_it_is(policy: str, dtype: str) -> None:
    full = np.arange(12).reshape(4, 3).astype(dtype)
    found = _all([full[:1], full[1:]], policy)
    assert found.dtype == full.dtype
    np.testing.assert_array_equal(found, full)


@pytest.mark.parametrize("cuts", [[], [1], [2], [1, 2, 3]])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_gaps_are_filled_with_means_over_all_batches(cuts: list[int], dtype: str) -> None:
    expected = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    found = _all(np.split(X.astype(dtype), cuts), "mean")
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("cuts", [[], [1], [2], [1, 2, 3]])
def test_rows_with_gaps_are_dropped(cuts: list[int]) -> None:
    np.testing.assert_array_equal(_all(np.split(X, cuts), "drop"), X[[0, 3]])
    parts = [scipy.sparse.csr_array(part) for part in np.split(X, cuts)]
    np.testing.assert_array_equal(_all(parts, "drop"), X[[0, 3]])


def test_means_of_large_values_are_exact() -> None:
    far = 1e9 + X
    found = _all(np.split(far, 2), "mean")
    np.testing.assert_allclose(found[1, 0] - 1e9, 3.0, atol=1e-6)


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_gaps_are_refused_with_counts_and_ways_out(form: Any) -> None:
    with pytest.raises(TamisError) as refused:
        _all([form(X[:2]), form(X[2:])], "error")
    fill = "" if form is scipy.sparse.csr_array else 'missing="mean" to fill them or '
    assert str(refused.value) == (
        "2 columns have missing values ('a' 1, 'c' 1; the table has 4 rows): pass "
        f'{fill}missing="drop" to drop rows with missing values.'
    )


@pytest.mark.parametrize(("gaps", "said"), [(1, "1 missing value in 4"), (3, "3 missing values")])
def test_one_column_with_gaps_is_named(gaps: int, said: str) -> None:
    table = np.ones((4, 3))
    table[:gaps, 1] = np.nan
    with pytest.raises(TamisError, match=f"Column 'b' has {said}"):
        _all([table], "error")


def test_many_columns_with_gaps_are_cut_short() -> None:
    table = np.ones((2, 9))
    table[0] = np.nan
    with pytest.raises(
        TamisError, match=r"9 columns have .* 'e' 1 and 4 more; the table has 2 rows\): pass"
    ):
        _all([table], "error", [*"abcdefghi"])


@pytest.mark.parametrize("policy", ["error", "mean", "drop"])
def test_a_column_without_any_value_is_named(policy: str) -> None:
    table = X.copy()
    table[:, 1] = np.nan
    with pytest.raises(TamisError, match=r"Column 'b' has no value at all: .*exclude=\[\"b\"\]"):
        _all([table[:2], table[2:]], policy)
    table[:, 2] = np.nan
    with pytest.raises(TamisError, match="2 columns have no value at all: skip them"):
        _all([table[:2], table[2:]], policy)


def test_dropping_every_row_is_refused() -> None:
    with pytest.raises(TamisError, match=r'All 2 rows have missing values.*or pass missing="mean"'):
        _all([X[1:3]], "drop")


@pytest.mark.parametrize("policy", ["error", "mean", "drop"])
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
@pytest.mark.parametrize("values", [[np.inf, -np.inf], [np.inf, np.nan], [-np.inf, 1.0]])
def test_infinities_are_refused(policy: str, form: Any, values: list[float]) -> None:
    table = np.ones((4, 3))
    table[:2, 1] = values
    with pytest.raises(TamisError, match="Column 'b' has infinite values: replace them by numbers"):
        _all([form(table)], policy)


def test_infinities_in_single_precision_are_refused_and_large_values_are_not() -> None:
    table = np.full((4, 3), 3e38, dtype=np.float32)
    np.testing.assert_array_equal(_all([table], "error"), table)
    table[2, 2] = np.inf
    with pytest.raises(TamisError, match="Column 'c' has infinite values"):
        _all([table], "error")


def test_values_too_large_to_square_are_refused() -> None:
    table = np.ones((4, 3))
    table[1, 2] = -1e200
    with pytest.raises(TamisError, match=r"Column 'c' has values beyond 1e\+140"):
        _all([table], "error")


def test_a_sparse_table_is_not_filled() -> None:
    with pytest.raises(
        TamisError, match='would become dense: fill it before, or pass missing="drop"'
    ):
        _all([scipy.sparse.csr_array(X)], "mean")
    full = scipy.sparse.csr_array(np.eye(3))
    np.testing.assert_array_equal(_all([full], "mean"), np.eye(3))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("dtype", "bits"), [(np.float64, 0x7FF0_0000_0000_0001), (np.float32, 0x7F80_0001)]
)
@pytest.mark.parametrize("missing", ["mean", "drop", "auto"])
def test_a_nan_that_signals_is_a_missing_value_like_any_other(dtype, bits, missing, tmp_path):
    X = np.random.default_rng(0).standard_normal((60, 5)).astype(dtype)
    plain = X.copy()
    plain[[3, 4], [1, 2]] = np.nan
    X.view(f"u{X.itemsize}")[[3, 4], [1, 2]] = bits
    found, expected = (tamis.select(T, 2, missing=missing, held_out=True) for T in (X, plain))
    assert found.names == expected.names
    found.report(tmp_path / "page.html")
    if missing != "mean":
        pairs = [np.asarray(tamis.mutual_information(T, missing=missing)) for T in (X, plain)]
        np.testing.assert_array_equal(*pairs)
