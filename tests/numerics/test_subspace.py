"""Leading eigenpairs from products with blocks: the definition, clusters, progress."""

from itertools import pairwise

import numpy as np
import pytest

from tamis.errors import TamisError
from tamis.numerics import eigen
from tamis.numerics.eigen import find_leading_subspace
from tamis.progress import send_progress


def matrix_with(values, seed=0):
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((len(values), len(values))))[0]
    return (Q * values) @ Q.T


@pytest.mark.parametrize(
    "values",
    [
        np.exp(-np.arange(300) / 20),
        1 / (1 + np.arange(300.0)),
        np.repeat([5.0, 3.0, 1.0], 100),
        np.r_[np.ones(4), np.zeros(296)],
        np.linspace(1, 2, 300),
    ],
    ids=["fast", "slow", "three values", "rank four", "flat"],
)
@pytest.mark.parametrize("k", [1, 7, 40])
def test_pairs_equal_those_of_the_whole_decomposition(values, k):
    A = matrix_with(values)
    found, vectors = find_leading_subspace(A.__matmul__, 300, k)
    expected = np.sort(values)[::-1][:k]
    np.testing.assert_allclose(found, expected, atol=1e-10 * expected[0])
    residual = A @ vectors - vectors * found
    assert np.linalg.norm(residual, axis=0).max() < 1e-9 * expected[0]
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-10)


@pytest.mark.parametrize("k", [3, 10, 30])
def test_a_request_as_large_as_the_matrix_is_exact(k):
    A = matrix_with(np.arange(1.0, 13))
    found = find_leading_subspace(A.__matmul__, 12, k)[0]
    np.testing.assert_allclose(found, np.arange(12.0, max(12 - k, 0), -1), atol=1e-12 * 12)


def test_progress_ends_with_all_components():
    seen = []
    with send_progress(lambda label, done, total: seen.append((label, done, total))):
        find_leading_subspace(matrix_with(1 / (1 + np.arange(200.0))).__matmul__, 200, 12)
    assert seen[-1] == ("components found", 12, 12)
    assert all(a[1] <= b[1] for a, b in pairwise(seen))


def test_a_search_without_end_is_given_up_with_advice(monkeypatch):
    monkeypatch.setattr(eigen, "_MAX_SUBSPACE_STEPS", 1)
    with pytest.raises(TamisError, match="ask for fewer or for more"):
        find_leading_subspace(matrix_with(np.linspace(1, 2, 300)).__matmul__, 300, 5)
