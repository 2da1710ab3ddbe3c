"""Squared column norms of the Gram matrix of sparse rows."""

import numpy as np
import pytest
import scipy.sparse

from tamis.statistics.gram import sparse
from tamis.statistics.gram.sparse import square_sparse_norms


def compute_slowly(X):
    """Form the matrix and square it."""
    Z = X - X.mean(axis=0)
    return np.square(Z.T @ Z).sum(axis=0)


def make_rows(seed, n=300, d=90):
    rng = np.random.default_rng(seed)
    return rng.random((n, d)) * (rng.random((n, d)) < rng.random(d) ** 4)


def test_two_columns_by_hand():
    X = scipy.sparse.csr_array([[1.0, 0.0], [0.0, 2.0]])
    # The matrix has 0.5 and 2 on its diagonal, and -1 beside it.
    assert square_sparse_norms(X, np.array([0.5, 1.0])).tolist() == [1.25, 5.0]


@pytest.mark.parametrize("share", [0.0, 0.04, 0.3, 1.0])
def test_full_and_thin_columns_give_what_the_matrix_gives(share, monkeypatch):
    monkeypatch.setattr(sparse, "MIN_FULL_SHARE", share)
    for seed in range(5):
        X = make_rows(seed)
        found = square_sparse_norms(scipy.sparse.csr_array(X), X.mean(axis=0))
        np.testing.assert_allclose(found, compute_slowly(X), rtol=1e-11)


def test_no_size_of_blocks_and_no_thread_changes_the_norms(monkeypatch):
    X = make_rows(7)
    rows, mean = scipy.sparse.csr_array(X), X.mean(axis=0)
    whole = square_sparse_norms(rows, mean)
    for name in ("_FULL_STRIP_BYTES", "_CHUNK_BYTES", "_PRODUCT_BYTES"):
        monkeypatch.setattr(sparse, name, 8 * 90 * 7)
    np.testing.assert_allclose(square_sparse_norms(rows, mean), whole, rtol=1e-12)
    few = square_sparse_norms(rows, mean)
    monkeypatch.setattr(sparse, "is_machine_busy", lambda: False)
    assert np.array_equal(square_sparse_norms(rows, mean), few)
