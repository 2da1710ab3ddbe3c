import numpy as np
import scipy.sparse

from tamis.statistics.column_spread import compute_level, divide_columns, find_varying, fine_units


def test_the_level_is_the_root_of_the_mean_variance_at_any_scale():
    std = np.array([3.0, 4.0, 0.0])
    assert np.isclose(compute_level(std), np.sqrt(12.5))
    assert np.isclose(compute_level(std * 1e-250), np.sqrt(12.5) * 1e-250, rtol=1e-12, atol=0)
    assert compute_level(np.zeros(3)) == 1.0


def test_unscaled_columns_whose_squares_vanish_do_not_count():
    std = np.array([0.0, 1.0, 1e-160])
    assert find_varying(std, scale=True).tolist() == [1, 2]
    assert find_varying(std, scale=False).tolist() == [1]


def test_tiny_columns_get_a_power_of_two_that_takes_no_digits():
    X = np.array([[1.0, 3e-170], [2.0, 5e-170]])
    squares = ((X - X.mean(axis=0)) ** 2).sum(axis=0)
    unit = fine_units(X, squares)
    assert unit[0] == 1.0
    assert np.frexp(unit[1])[0] == 0.5
    assert (divide_columns(X, unit) * unit == X).all()
    assert (
        ((divide_columns(X, unit) - divide_columns(X, unit).mean(axis=0)) ** 2).sum(axis=0) > 1e-4
    ).all()
    assert fine_units(X[:, :1], squares[:1]) is None


def test_a_sparse_table_is_divided_as_a_dense_one():
    X = np.array([[0.0, 4.0], [2.0, 0.0]])
    found = divide_columns(scipy.sparse.csr_array(X), np.array([2.0, 4.0]))
    assert found.toarray().tolist() == [[0.0, 1.0], [1.0, 0.0]]
