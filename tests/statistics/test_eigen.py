import numpy as np
import pytest

from tamis.statistics.eigen import decomposed, iterated, leading_pairs, leading_values, signed


@pytest.fixture
def matrix():
    X = np.random.default_rng(0).standard_normal((6, 9))
    return X.T @ X


def test_leading_pairs_and_iterations_equal_numpy(matrix):
    values, vectors = np.linalg.eigh(matrix)
    for found, pairs in (leading_pairs(matrix, 3), iterated(matrix.__matmul__, 9, 3)):
        np.testing.assert_allclose(found, values[:-4:-1])
        np.testing.assert_allclose(np.abs((pairs * vectors[:, :-4:-1]).sum(axis=0)), 1.0)
    np.testing.assert_allclose(leading_values(matrix, 3), values[:-4:-1])


def test_large_matrices_with_few_wanted_are_iterated_to_the_same_values():
    X = np.random.default_rng(1).standard_normal((1200, 1100))
    matrix = X.T @ X
    expected = np.linalg.eigvalsh(matrix)[:-6:-1]
    np.testing.assert_allclose(leading_values(matrix, 5), expected, rtol=1e-9)


def test_decomposition_leaves_out_the_null_space(matrix):
    values, vectors = decomposed(matrix)
    assert len(values) == 6
    np.testing.assert_allclose(vectors * values @ vectors.T, matrix, atol=1e-12)


def test_largest_entry_is_made_positive():
    assert signed(np.array([[0.1, -2.0], [-3.0, 1.0]])).tolist() == [[-0.1, 2.0], [3.0, -1.0]]
