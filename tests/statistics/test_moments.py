from functools import reduce

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tamis.statistics.linear import summary_of_rows
from tamis.statistics.moments import Moments

tables = arrays(
    np.float64,
    st.tuples(st.integers(0, 12), st.just(3)),
    elements=st.floats(-1e3, 1e3, allow_subnormal=False),
)


def assert_equal(a: Moments, b: Moments) -> None:
    unit = np.maximum(a.unit, b.unit)  # one batch may have had a finer one
    one, other = (m.scatter * (m.unit / unit) * (m.unit / unit)[:, None] for m in (a, b))
    size = max(np.abs(one).max(), np.square(a.mean).max() * a.count, 1e-300)
    assert a.count == b.count
    np.testing.assert_allclose(a.mean, b.mean, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-10 * size)


@settings(derandomize=True, deadline=None)
@given(tables, tables)
def test_merging_equals_one_pass(a, b):
    both = Moments.from_batch(np.concatenate([a, b]))
    assert_equal(Moments.from_batch(a).merge(Moments.from_batch(b)), both)


@settings(derandomize=True, deadline=None)
@given(tables, tables, tables)
def test_merging_commutes_and_associates(a, b, c):
    x, y, z = map(Moments.from_batch, (a, b, c))
    assert_equal(x.merge(y), y.merge(x))
    assert_equal(x.merge(y).merge(z), x.merge(y.merge(z)))


def test_an_empty_batch_changes_nothing():
    full = Moments.from_batch(np.arange(12.0).reshape(4, 3))
    empty = Moments.from_batch(np.zeros((0, 3)))
    assert_equal(full.merge(empty), full)
    assert_equal(empty.merge(full), full)
    assert_equal(empty.merge(empty), empty)


def test_scatter_is_the_sum_of_products_about_the_means():
    X = np.random.default_rng(0).standard_normal((3000, 700))
    expected = np.cov(X, rowvar=False, ddof=0) * len(X)
    np.testing.assert_allclose(Moments.from_batch(X).scatter, expected, atol=1e-9)


def test_a_large_common_offset_costs_no_digits():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((5000, 4))
    shifted = Moments.from_batch(X + 1e7)
    np.testing.assert_allclose(shifted.scatter, Moments.from_batch(X).scatter, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.bool_, np.uint8])
def test_any_number_type_is_summed_in_float64(dtype):
    X = np.random.default_rng(0).integers(0, 2, (1000, 5)).astype(dtype)
    assert_equal(Moments.from_batch(X), Moments.from_batch(X.astype(float)))


def test_sparse_rows_give_the_same_moments():
    X = np.random.default_rng(0).poisson(0.2, (200, 6)).astype(float)
    assert_equal(Moments.from_batch(scipy.sparse.csr_array(X)), Moments.from_batch(X))


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e7])
@pytest.mark.parametrize("rows", [23, 300])
def test_sparse_columns_far_from_zero_lose_no_digits(offset, rows):
    rng = np.random.default_rng(0)
    X = rng.poisson(0.3, (300, 6)) * rng.standard_normal((300, 6))
    shifted = X.copy()
    shifted[:, [1, 4]] += offset
    parts = [scipy.sparse.csr_array(shifted[i : i + rows]) for i in range(0, 300, rows)]
    found = reduce(Moments.merge, map(Moments.from_batch, parts))
    expected = np.cov(X, rowvar=False, ddof=0) * 300
    tolerance = 1e-12 if offset < 1 else 30 * offset * 1e-15
    np.testing.assert_allclose(found.scatter, expected, atol=tolerance * expected.max())
    np.testing.assert_allclose(found.mean, shifted.mean(axis=0), rtol=1e-12, atol=1e-14)


def test_a_cell_stored_twice_counts_as_its_sum():
    twice = scipy.sparse.csr_array(
        (np.array([1.0, 2.0, 5.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2)
    )
    assert not twice.has_canonical_format
    assert_equal(Moments.from_batch(twice), Moments.from_batch(np.array([[3.0, 0.0], [0.0, 5.0]])))
    assert twice.nnz == 3  # the table itself is left as it is


@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, 1e-30])
def test_a_constant_column_stored_in_sparse_rows_has_no_spread(value):
    X = np.zeros((100_000, 3))
    X[::3, 0] = 1.0
    X[:, 1] = value
    moments = Moments.from_batch(scipy.sparse.csr_array(X))
    assert (moments.std > 0).tolist() == [True, False, False]


def test_constant_columns_have_no_spread_whatever_their_size():
    X = np.column_stack([np.full(1000, 1e9 + 0.1), np.full(1000, 1e-30), np.arange(1000) * 1e-20])
    moments = reduce(Moments.merge, [Moments.from_batch(X[i : i + 7]) for i in range(0, 1000, 7)])
    assert (moments.std > 0).tolist() == [False, False, True]


@pytest.mark.parametrize("form", ["blocks", "batches", "float32", "sparse", "rows"])
def test_columns_far_from_zero_keep_their_correlations(form, monkeypatch):
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((3000, 4)) @ rng.standard_normal((4, 6))
    Z += np.sin(np.arange(3000) / 300)[:, None]  # the means of the blocks differ
    offset = 2.0**17 if form == "float32" else 2.0**27
    X = (Z + offset).astype(np.float32 if form == "float32" else np.float64)
    expected = np.corrcoef(X.astype(float) - offset, rowvar=False)  # exact: powers of two
    monkeypatch.setattr("tamis.numerics.row_chunks.BLOCK_BYTES", 8 * 6 * 100)
    if form == "rows":
        found = summary_of_rows(X, scale=True).gram
        matrix = np.array([found.column(j) for j in range(6)])
    else:
        parts = [X] if form == "blocks" else np.array_split(X, 30)
        parts = map(scipy.sparse.csr_array, parts) if form == "sparse" else parts
        matrix = reduce(Moments.merge, map(Moments.from_batch, parts)).gram(scale=True).matrix
    # A value is exact after its offset is off: only the sums of 3,000 of them are rounded.
    np.testing.assert_allclose(matrix, expected, rtol=0, atol=3000 * np.finfo(float).eps)


def test_tiny_values_merge_with_zeros_and_with_larger_ones():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3)) * [1e-180, 1.0, 1e-200]
    X[:20, 0], X[20:, 2] = 0.0, X[20:, 2] * 1e30
    found = Moments.from_batch(X[:20]).merge(Moments.from_batch(X[20:]))
    unit = np.array([1e180, 1.0, 1e170])
    whole = np.corrcoef(X * unit, rowvar=False)
    np.testing.assert_allclose(found.gram(scale=True).matrix, whole, atol=1e-13)
    np.testing.assert_allclose(found.std * unit, (X * unit).std(axis=0), rtol=1e-13)
