import numpy as np
import pytest

from tamis.errors import TamisError
from tamis.numerics import eigen
from tamis.numerics.eigen import (
    decompose,
    find_leading_pairs,
    find_leading_values,
    fix_repeated,
    fix_signs,
    iterate_leading,
)


@pytest.fixture
def matrix():
    X = np.random.default_rng(0).standard_normal((6, 9))
    return X.T @ X


def test_leading_pairs_and_iterations_equal_numpy(matrix):
    values, vectors = np.linalg.eigh(matrix)
    for found, pairs in (find_leading_pairs(matrix, 3), iterate_leading(matrix.__matmul__, 9, 3)):
        np.testing.assert_allclose(found, values[:-4:-1])
        np.testing.assert_allclose(np.abs((pairs * vectors[:, :-4:-1]).sum(axis=0)), 1.0)
    np.testing.assert_allclose(find_leading_values(matrix, 3), values[:-4:-1])


def test_large_matrices_with_few_wanted_are_iterated_to_the_same_values():
    X = np.random.default_rng(1).standard_normal((1200, 1100))
    matrix = X.T @ X
    expected = np.linalg.eigvalsh(matrix)[:-6:-1]
    np.testing.assert_allclose(find_leading_values(matrix, 5), expected, rtol=1e-9)


def test_decomposition_leaves_out_the_null_space(matrix):
    values, vectors = decompose(matrix)
    assert len(values) == 6
    np.testing.assert_allclose(vectors * values @ vectors.T, matrix, atol=1e-12)


def test_largest_entry_is_made_positive():
    assert fix_signs(np.array([[0.1, -2.0], [-3.0, 1.0]])).tolist() == [[-0.1, 2.0], [3.0, -1.0]]


def test_every_copy_of_a_repeated_eigenvalue_is_found():
    # Products with a diagonal matrix are exact: no rounding brings in the second copy.
    matrix = np.diag(np.r_[[5.0, 5.0, 5.0, 4.0, 4.0], np.linspace(3.0, 1.0, 45)])
    for found in (
        iterate_leading(matrix.__matmul__, 50, 4),
        iterate_leading(matrix.__matmul__, 50, 4, matrix),
    ):
        np.testing.assert_allclose(found[0], [5.0, 5.0, 5.0, 4.0], rtol=1e-12)
        np.testing.assert_allclose(found[1].T @ found[1], np.eye(4), atol=1e-9)


def test_all_pairs_exist_where_nearly_all_eigenvalues_are_equal():
    for d, k in ((60, 3), (1100, 5)):  # one column of a balanced factor for each level
        values, vectors = find_leading_pairs(np.eye(d) - np.full((d, d), 1 / d), k)
        np.testing.assert_allclose(values, np.ones(k), rtol=1e-12)
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-9)
        np.testing.assert_allclose(find_leading_values(np.eye(d) - 1 / d, k), values, rtol=1e-12)


def test_a_search_that_does_not_end_is_answered():
    with pytest.raises(TamisError, match="ask for fewer"):
        iterate_leading(lambda v: np.full_like(v, np.nan), 30, 2)
    matrix = np.diag(np.arange(30.0))
    np.testing.assert_allclose(
        iterate_leading(lambda v: np.nan * v, 30, 2, matrix)[0], [29.0, 28.0]
    )


def test_a_pair_that_the_search_missed_is_noticed(matrix, monkeypatch):
    search = eigen._lanczos

    def forgetful(dot, known, k, *rest):
        values, vectors = search(dot, known, k if known.size else k + 1, *rest)
        kept = [0] if known.size else [0, *range(2, k + 1)]
        return values[kept], vectors[:, kept]

    monkeypatch.setattr(eigen, "_lanczos", forgetful)
    values, vectors = np.linalg.eigh(matrix)
    for found in (
        iterate_leading(matrix.__matmul__, 9, 3),
        iterate_leading(matrix.__matmul__, 9, 3, matrix),
    ):
        np.testing.assert_allclose(found[0], values[:-4:-1])
        np.testing.assert_allclose(np.abs((found[1] * vectors[:, :-4:-1]).sum(axis=0)), 1.0)


@pytest.mark.parametrize("seed", range(5))
def test_eigenvectors_of_equal_values_do_not_depend_on_the_solvers_basis(seed):
    d = 9
    basis = np.linalg.qr(np.random.default_rng(0).standard_normal((d, d)))[0]
    values = np.array([1.0, 1.0, 1.0, 2.0, 3.0, 3.0, 4.0, 5.0, 5.0])
    turned = basis.copy()
    for group in ([0, 1, 2], [4, 5], [7, 8]):
        size = len(group)
        turn = np.linalg.qr(np.random.default_rng(seed).standard_normal((size, size)))[0]
        turned[:, group] = basis[:, group] @ turn
    expected, found = (
        fix_signs(fix_repeated(values, basis)),
        fix_signs(fix_repeated(values, turned)),
    )
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_allclose(found.T @ found, np.eye(d), atol=1e-12)
    np.testing.assert_allclose((found * values) @ found.T, (basis * values) @ basis.T, atol=1e-12)


def test_a_cut_through_equal_values_gives_the_head_of_the_whole_group():
    matrix = np.eye(12) - 1 / 12
    whole = find_leading_pairs(matrix, 11)[1]
    np.testing.assert_allclose(find_leading_pairs(matrix, 4)[1], whole[:, :4], atol=1e-12)


def test_signs_follow_the_largest_weight_and_ties_the_first():
    found = fix_signs(np.array([[0.1, -0.9], [-0.5, 0.5 + 1e-13], [0.0, 0.0]]).T)
    np.testing.assert_allclose(found.T, [[-0.1, 0.9], [0.5, -0.5], [0.0, 0.0]], atol=1e-12)
