import numpy as np
import pytest
import scipy.linalg
from sklearn.datasets import load_iris, load_wine

from tamis.algorithms.extraction.lda import discriminants, local_discriminants


def by_the_definition(X, y, affinity, neighbours=7):
    """Write both N x N weight matrices out and solve."""
    n, counts = len(X), np.bincount(y)[y]
    same = y[:, None] == y
    squares = np.square(X[:, None] - X).sum(axis=2)
    if affinity == "local":
        reach = np.empty(n)
        for i in range(n):
            inside = np.sort(np.sqrt(squares[i, same[i]]))
            reach[i] = inside[min(neighbours, len(inside) - 1)]
        A = np.exp(-squares / np.outer(reach, reach))
    else:
        A = np.ones((n, n))
    within = np.where(same, A / counts, 0.0)
    between = np.where(same, A * (1 / n - 1 / counts), 1 / n)
    S = [X.T @ (np.diag(W.sum(axis=1)) - W) @ X for W in (within, between)]
    values, vectors = scipy.linalg.eigh(S[1], S[0])
    return values[::-1], vectors[:, ::-1]


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_constant_affinity_gives_linear_discriminants(load):
    X, y = load(return_X_y=True)
    found = local_discriminants(X, y, 2, affinity="constant")
    plain = discriminants(X, y, 2)
    np.testing.assert_allclose(found.values, plain.values, rtol=1e-8)
    np.testing.assert_allclose(np.abs(found.project(X)), np.abs(plain.project(X)), atol=1e-8)
    assert local_discriminants(X, y, 4, affinity="constant").size == 2


@pytest.mark.parametrize("block", [1 << 23, 5000])
@pytest.mark.parametrize("affinity", ["local", "constant"])
def test_directions_follow_the_definition_in_any_blocks(monkeypatch, affinity, block):
    monkeypatch.setattr("tamis.numerics.row_chunks.BLOCK_BYTES", block)
    X, y = load_wine(return_X_y=True)
    values, vectors = by_the_definition(X, y, affinity)
    found = local_discriminants(X, y, 2, affinity=affinity)
    np.testing.assert_allclose(found.values, values[:2], rtol=1e-7)
    want = (X - X.mean(axis=0)) @ vectors[:, :2]
    np.testing.assert_allclose(np.abs(found.project(X)), np.abs(want), atol=1e-6)


def test_there_may_be_more_directions_than_classes():
    X, y = load_iris(return_X_y=True)
    found = local_discriminants(X, y, 4)
    assert found.size == 4
    np.testing.assert_allclose(found.values, by_the_definition(X, y, "local")[0], rtol=1e-7)


def test_weighted_directions_are_longer_by_the_root_of_the_eigenvalue():
    X, y = load_iris(return_X_y=True)
    plain = local_discriminants(X, y, 2)
    weighted = local_discriminants(X, y, 2, metric="weighted")
    np.testing.assert_allclose(
        weighted.components, plain.components * np.sqrt(plain.values)[:, None]
    )


def test_clumps_of_a_class_stay_apart():
    """One class left and right, one in the middle: lda sees equal means along that line."""
    rng = np.random.default_rng(0)
    centres = np.repeat([[-5.0, 0.0], [5.0, 0.0], [0.0, 0.5]], 40, axis=0)
    X, y = centres + rng.standard_normal((120, 2)) * [0.5, 1.0], np.repeat([0, 0, 1], 40)
    local = local_discriminants(X, y, 1).components[0]
    plain = discriminants(X, y, 1).components[0]
    assert abs(local[0]) > 5 * abs(local[1])
    assert abs(plain[1]) > 5 * abs(plain[0])


def test_copies_small_classes_and_wide_tables_are_no_trouble():
    X, y = load_iris(return_X_y=True)
    copies = np.vstack([X, np.repeat(X[:1], 20, axis=0)])
    assert np.isfinite(local_discriminants(copies, np.r_[y, np.zeros(20, int)], 2).components).all()
    y = y.copy()
    y[:3], y[3] = 3, 4
    assert local_discriminants(X, y, 3).size == 3
    rng = np.random.default_rng(0)
    found = local_discriminants(rng.standard_normal((12, 30)), np.repeat([0, 1, 2], 4), 2)
    assert found.components.shape == (2, 30)
    assert "local within-class covariance regularised" in found.note


def test_a_function_is_an_affinity():
    X, y = load_iris(return_X_y=True)
    found = local_discriminants(X, y, 2, affinity=lambda a, b: np.ones((len(a), len(b))))
    np.testing.assert_allclose(found.values, discriminants(X, y, 2).values, rtol=1e-8)
