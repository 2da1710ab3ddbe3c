import numpy as np
import pytest

from tamis.numerics.eigen import bound_leading_values


def make_matrix(values, seed=0):
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(len(values), len(values))))[0]
    return (turn * values) @ turn.T


@pytest.mark.parametrize("slack", [1e-2, 1e-4])
def test_bounds_are_above_the_eigenvalues_by_no_more_than_the_slack(slack):
    values = np.concatenate([[40.0, 22.0, 9.0], np.linspace(2.0, 1.0, 297)])
    matrix = make_matrix(values)
    bounds = bound_leading_values(matrix.__matmul__, 300, 20, slack * values.sum())
    rounding = 300 * np.finfo(float).eps * values[0]
    assert (np.cumsum(bounds) >= np.cumsum(values[:20]) - 20 * rounding).all()
    assert bounds.sum() <= values[:20].sum() + slack * values.sum() + 20 * rounding


@pytest.mark.parametrize("copies", [2, 5])
def test_every_copy_of_a_repeated_eigenvalue_counts(copies):
    values = np.concatenate([np.full(copies, 7.0), np.linspace(3.0, 0.1, 60)])
    bounds = bound_leading_values(make_matrix(values).__matmul__, len(values), 8, 1e-6)
    np.testing.assert_allclose(bounds, values[:8], atol=1e-5)


def test_all_eigenvalues_of_a_matrix_of_low_rank_are_found():
    values = np.array([3.0, 1.0, 0.0, 0.0, 0.0])
    bounds = bound_leading_values(make_matrix(values).__matmul__, 5, 4, 1e-9)
    np.testing.assert_allclose(bounds, values[:4], atol=1e-9)
