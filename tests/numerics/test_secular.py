import numpy as np
import pytest

from tamis.numerics.secular import WithoutEachRow, without_row

BASIS = np.linalg.qr(np.random.default_rng(0).standard_normal((12, 12)))[0]
MATRICES = {
    "spread": (BASIS * np.logspace(-8, 2, 12)) @ BASIS.T,
    "equal": (BASIS * np.repeat([1.0, 2.0, 5.0], 4)) @ BASIS.T,
    "close": (BASIS * (1 + 1e-12 * np.arange(12))) @ BASIS.T,
    "blocks": np.kron(np.eye(4), np.full((3, 3), 0.5) + 0.5 * np.eye(3)),
    "diagonal": np.diag(np.arange(1.0, 13.0)),
}


@pytest.mark.parametrize("name", MATRICES)
def test_pairs_without_a_row_equal_a_fresh_decomposition(name):
    matrix = MATRICES[name]
    values, Q = np.linalg.eigh(matrix)
    # The bound of the computation: equal eigenvalues are moved apart by up to n * 1e-14 of the
    # largest, and a solver errs by n * eps of the largest, however small the eigenvalue itself is.
    error = 2e-14 * len(matrix) * values[-1]
    without = WithoutEachRow.of(values, Q, 5)
    roots, C = without.roots, without.project(np.eye(12))
    for j in range(12):
        rest = np.delete(np.delete(matrix, j, 0), j, 1)
        expected = np.linalg.eigvalsh(rest)
        np.testing.assert_allclose(roots[j], expected[::-1][:5], rtol=0, atol=error)
        vectors = np.delete(Q, j, 0) @ C[j].T
        assert np.abs(rest @ vectors - vectors * roots[j]).max() < 1e-10 * values[-1]
        every, basis = without_row(values, Q, j)
        np.testing.assert_allclose(every, expected, rtol=0, atol=error)
        assert np.abs(basis.T @ basis - np.eye(11)).max() < 1e-12
        assert np.abs((basis * every) @ basis.T - rest).max() < 1e-11 * values[-1]


def test_vectors_stay_orthogonal_over_many_rows():
    rng = np.random.default_rng(1)
    matrix = np.corrcoef(rng.standard_normal((5, 100)).T @ rng.standard_normal((5, 300)))
    matrix += 0.1 * np.eye(100)
    values, Q = np.linalg.eigh(matrix)
    left = np.arange(100)
    while len(left) > 2:
        j = int(rng.integers(len(left)))
        values, Q = without_row(values, Q, j)
        left = np.delete(left, j)
    assert np.abs(Q.T @ Q - np.eye(2)).max() < 1e-12
    np.testing.assert_allclose((Q * values) @ Q.T, matrix[np.ix_(left, left)], atol=1e-11)


def test_few_nodes_stand_for_the_eigenvalues_far_below_the_largest():
    rng = np.random.default_rng(2)
    factors = rng.standard_normal((4, 60)) * [[5.0], [4.0], [3.0], [2.0]]
    matrix = factors.T @ factors + np.cov(rng.standard_normal((200, 60)).T)
    values, Q = np.linalg.eigh(matrix)
    without = WithoutEachRow.of(values, Q, 3)
    roots, C = without.roots, without.project(np.eye(60))
    for j in (0, 17, 59):
        rest = np.delete(np.delete(matrix, j, 0), j, 1)
        expected = np.linalg.eigvalsh(rest)[::-1][:3]
        np.testing.assert_allclose(roots[j], expected, rtol=1e-13)
        vectors = np.delete(Q, j, 0) @ C[j].T
        assert np.abs(rest @ vectors - vectors * roots[j]).max() < 1e-12 * values[-1]
        assert np.abs(vectors.T @ vectors - np.eye(3)).max() < 1e-13


@pytest.mark.parametrize("name", MATRICES)
def test_sums_of_products_are_those_of_the_vectors_up_to_what_they_say_they_miss(name):
    values, Q = np.linalg.eigh(MATRICES[name])
    half = np.random.default_rng(3).standard_normal((12, 4))
    without = WithoutEachRow.of(values, Q, 5)
    found, missed = without.sum_products(half @ half.T)
    expected = np.square(without.project(half)).sum(axis=(1, 2))
    assert missed >= 0.0
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=missed)


def test_sums_of_products_lose_few_digits_where_poles_are_apart():
    rng = np.random.default_rng(4)
    matrix = np.cov(rng.standard_normal((90, 60)).T)
    values, Q = np.linalg.eigh(matrix)
    half = rng.standard_normal((60, 4))
    found, missed = WithoutEachRow.of(values, Q, 8).sum_products(half @ half.T)
    assert missed < 1e-7 * found.min()
