import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tamis
from tamis.algorithms.orders import best_in_order
from tamis.algorithms.residual import condition
from tamis.rules.tolerances import ROUNDING
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.moments import Moments


def least_squares(X, kept, scale=True):
    """Share of the variance that the kept columns reproduce, by regression on the table itself."""
    Z = X - X.mean(axis=0)
    Z = Z / np.linalg.norm(Z, axis=0) if scale else Z
    scaled = Z[:, kept] / np.linalg.norm(Z[:, kept], axis=0)
    rest = Z - scaled @ np.linalg.lstsq(scaled, Z, rcond=None)[0]
    return 1.0 - (rest**2).sum() / (Z**2).sum()


@st.composite
def nearly_dependent(draw):
    """Give a table whose second column is the first but for a small share of the third."""
    seed, rows = draw(st.integers(0, 10**6)), draw(st.sampled_from([6, 40, 300]))
    X = np.random.default_rng(seed).standard_normal((rows, 8))
    deviation = 10.0 ** -draw(st.floats(0.0, 5.5))
    X[:, 1] = X[:, 0] + deviation * X[:, 2]
    offset, units = draw(st.sampled_from([0.0, 5.0])), draw(st.sampled_from([1e-3, 1.0, 1e4]))
    return (X + offset) * np.where(np.arange(8) % 3, 1.0, units)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(nearly_dependent(), st.sampled_from([True, False]))
def test_retained_equals_least_squares_on_nearly_dependent_tables(X, scale):
    found = tamis.select(X, 3, method="sfs", include=[0, 1], scale=scale)
    # A product of two columns is off by at most ROUNDING of their lengths; the regression on two
    # columns that are `apart` has two coefficients of about one over it.
    first, second = ((X - X.mean(axis=0)) / X.std(axis=0)).T[:2] / np.sqrt(len(X))
    apart = np.linalg.norm(second - (first @ second) * first)
    assume(apart > 1e-6)  # nearer than that, a Gram matrix cannot tell a column from its copy
    bound = ROUNDING * (1 + 2 / apart) ** 2
    assert found.retained == pytest.approx(least_squares(X, found.indices, scale), abs=bound)


@pytest.mark.parametrize("method", ["sfs", "variance", "jolliffe-i", "relpca", "fsfs"])
@pytest.mark.parametrize("rows", [200, 5])
def test_columns_that_differ_by_3e_6_of_their_spread_reproduce_what_least_squares_says(
    method, rows
):
    X = np.random.default_rng(0).standard_normal((rows, 3))
    X = np.column_stack([X[:, 0], X[:, 0] + 3e-6 * X[:, 1], X[:, 1]])
    X = np.tile(X, (1, 3 if rows == 5 else 1))
    found = tamis.select(X, 2, method=method, include=[0, 1], scale=True)
    assert found.retained == pytest.approx(least_squares(X, [0, 1]), abs=1e-3)
    assert found.explain()[0].share == pytest.approx(1.0, abs=1e-3)


def test_a_copy_adds_nothing_whatever_the_rounding():
    a, b = np.random.default_rng(0).standard_normal((2, 100))
    X = np.column_stack([a, b, 3 * a - 2, a + b, a - 1e-9 * b])
    gram = Moments.from_batch(X).gram(scale=True)
    residual = condition(gram, np.arange(5))
    assert residual.W.any(axis=1).tolist() == [True, True, False, False, False]
    path = best_in_order(gram, np.arange(5), np.zeros(5), 5, retain=2.0)
    np.testing.assert_allclose(path.retained, residual.retained, atol=1e-12)


@pytest.mark.parametrize("sizes", [(1e7, 0.5, 0.1), (1e-3, 1.0, 1e9)])
def test_a_decomposition_has_the_eigenpairs_of_small_columns_too(sizes):
    X = np.random.default_rng(0).standard_normal((50, 3))
    X = np.column_stack([X, X[:, 0] + X[:, 1]]) * [*sizes, sizes[1]]
    Z = X - X.mean(axis=0)
    expected = np.linalg.svd(Z)[1][:3] ** 2
    for gram in (DenseGram(Z.T @ Z), RowGram(np.linalg.qr(Z)[1])):
        values, vectors = gram.decomposition()
        np.testing.assert_allclose(values[::-1], expected, rtol=1e-6)
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(3), atol=1e-12)
