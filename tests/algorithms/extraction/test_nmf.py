import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_digits

from tamis.algorithms.extraction.nmf import nonnegative_parts
from tamis.errors import TamisError


def test_rank_one_is_recovered():
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0.5, 2, 20), rng.uniform(0.5, 2, 7)
    X = np.outer(a, b)
    for loss in ("frobenius", "kullback-leibler"):
        found = nonnegative_parts(X, 1, loss=loss)
        np.testing.assert_allclose(found.rebuild(found.project(X)), X, atol=1e-6)
        np.testing.assert_allclose(found.parts[0], b / b.sum(), atol=1e-6)
        assert found.project(X)[:, 0] == pytest.approx(a * b.sum(), abs=1e-5)


def test_parts_are_positive_sum_to_one_and_come_largest_first():
    X = load_digits().data[:300]
    found = nonnegative_parts(X, 6, max_iter=200)
    assert (found.parts >= 0).all()
    assert (found.project(X) >= 0).all()
    np.testing.assert_allclose(found.parts.sum(axis=1), 1.0)
    assert (np.diff(found.shares) <= 0).all()
    assert found.shares.sum() == pytest.approx(1)
    assert found.values is None
    amounts = found.project(X).sum(axis=0)
    np.testing.assert_allclose(amounts / amounts.sum(), found.shares, atol=0.02)


def test_size_is_searched_for_the_share():
    rng = np.random.default_rng(0)
    X = rng.gamma(1, 1, (60, 5)) @ rng.gamma(0.3, 1, (5, 30)) + 0.01 * rng.uniform(size=(60, 30))

    def fit(k):
        found = nonnegative_parts(X, k)
        return 1 - np.square(X - found.rebuild(found.project(X))).sum() / np.square(X).sum()

    reached = nonnegative_parts(X, share=0.97).size
    assert fit(reached) >= 0.97 - 1e-6 > fit(reached - 1)
    assert nonnegative_parts(X, share=0.97, rule="floor").size == reached - 1


def test_sparse_and_float32_tables_and_empty_columns():
    rng = np.random.default_rng(0)
    X = np.where(rng.uniform(size=(40, 9)) < 0.6, 0.0, rng.integers(1, 9, (40, 9)))
    X[:, 4] = 0.0
    found = nonnegative_parts(X, 3)
    assert not found.parts[:, 4].any()
    for other in (scipy.sparse.csr_array(X), X.astype(np.float32)):
        same = nonnegative_parts(other, 3)
        np.testing.assert_allclose(same.project(other), found.project(X), atol=1e-4)


def test_unfinished_searches_say_so():
    X = load_digits().data[:100]
    assert "not converged" in nonnegative_parts(X, 5, max_iter=2).note


def test_bad_tables_are_refused():
    with pytest.raises(TamisError, match="the smallest is -1"):
        nonnegative_parts(np.array([[1.0, -1.0], [2.0, 3.0]]), 1)
    with pytest.raises(TamisError, match="All values are 0"):
        nonnegative_parts(np.zeros((3, 3)), 1)
