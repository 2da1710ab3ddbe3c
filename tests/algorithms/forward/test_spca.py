from itertools import combinations

import numpy as np
import pytest

from tamis.algorithms.forward.spca import sparse_component


def largest_variance(C, k):
    return max(
        combinations(range(len(C)), k),
        key=lambda S: np.linalg.eigvalsh(C[np.ix_(S, S)])[-1],
    )


def test_known_answers_on_iris(real, gram_of, matrix_of):
    R, gram = matrix_of(real("iris")), gram_of(real("iris"))
    for k, support, value in [(2, [2, 3], 1.962865), (3, [0, 2, 3], 2.769741)]:
        found = sorted(sparse_component(gram, k).indices.tolist())
        assert found == support
        assert np.linalg.eigvalsh(R[np.ix_(found, found)])[-1] == pytest.approx(value, abs=1e-6)


def test_one_column_is_the_one_of_largest_variance(real, gram_of):
    X = real("iris")
    gram = gram_of(X, scale=False)
    assert sparse_component(gram, 1).indices.tolist() == [int(X.var(axis=0).argmax())]


@pytest.mark.parametrize("k", [2, 3, 5])
def test_support_is_the_best_of_all_supports_on_wine(real, gram_of, matrix_of, k):
    X = real("wine")
    expected = largest_variance(matrix_of(X), k)
    assert sorted(sparse_component(gram_of(X), k).indices.tolist()) == list(expected)


def test_included_columns_are_in_the_support(real, gram_of):
    found = sparse_component(gram_of(real("wine")), 3, include=[10])
    assert 10 in found.indices
    assert len(found.indices) == 3


def test_components_of_one_column_are_the_columns_of_the_largest_loadings(
    correlated, gram_of, matrix_of
):
    X = correlated(80, 12, factors=5)
    vectors = np.abs(np.linalg.eigh(matrix_of(X))[1][:, ::-1])
    expected: list[int] = []
    for r in range(6):
        vectors[expected] = 0.0
        expected.append(int(vectors[:, r].argmax()))
    assert sparse_component(gram_of(X), 6, loadings="single").indices.tolist() == expected


def test_deflated_components_of_one_column_are_the_largest_residual_variances(
    correlated, gram_of, matrix_of
):
    X = correlated(80, 12, factors=5)
    C = matrix_of(X, scale=False)
    expected: list[int] = []
    for _ in range(6):
        # Of all unit vectors with one entry, the one of largest variance has it here.
        expected.append(int(np.diagonal(C).argmax()))
        taken = C[:, expected[-1]]
        C = C - np.outer(taken, taken) / taken[expected[-1]]
    found = sparse_component(gram_of(X, scale=False), 6, loadings="deflated")
    assert found.indices.tolist() == expected
