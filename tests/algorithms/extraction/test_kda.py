import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

from tamis.algorithms.extraction import kernels
from tamis.algorithms.extraction.kernels import kernel_discriminants
from tamis.algorithms.extraction.lda import discriminants
from tamis.errors import TamisError


@pytest.mark.parametrize("scale", [False, True])
def test_linear_kernel_gives_linear_discriminants(scale):
    X, y = load_iris(return_X_y=True)
    found = kernel_discriminants(X, y, 2, kernel="linear", scale=scale)
    plain = discriminants(X, y, 2)
    np.testing.assert_allclose(found.values, plain.values / (1 + plain.values))
    assert found.values == pytest.approx([0.96987, 0.22203], abs=5e-6)
    for i in range(2):
        a, b = found.project(X)[:, i], plain.project(X)[:, i]
        assert abs(np.corrcoef(a, b)[0, 1]) == pytest.approx(1)


@pytest.mark.parametrize("ridge", [None, 0.1])
def test_weights_solve_the_textbook_problem(ridge):
    """The share of inertia between classes, with all matrices written out."""
    X, y = load_wine(return_X_y=True)
    n = len(X)
    found = kernel_discriminants(X, y, 2, kernel="poly", degree=2, ridge=ridge)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    J = np.eye(n) - 1 / n
    K = J @ (Z @ Z.T / 13 + 1) ** 2 @ J
    B = (y[:, None] == y) / np.bincount(y)[y]
    eps = (ridge or 0.0) * np.trace(K) / n
    for value, a in zip(found.values, found.weights.T, strict=True):
        between, total = a @ K @ B @ K @ a, a @ K @ K @ a + eps * a @ K @ a
        assert between / total == pytest.approx(value)
        assert a @ K @ a == pytest.approx(1)
    a, b = found.weights.T
    assert a @ K @ K @ b + eps * a @ K @ b == pytest.approx(0, abs=1e-7)
    rng = np.random.default_rng(0)
    for _ in range(50):
        a = found.weights[:, 0] + 0.01 * rng.standard_normal(n) * found.weights[:, 0].std()
        assert a @ K @ B @ K @ a / (a @ K @ K @ a + eps * a @ K @ a) < found.values[0]


def test_a_kernel_that_tells_all_rows_apart_gets_a_ridge():
    X, y = load_wine(return_X_y=True)
    noise = np.random.default_rng(0).integers(0, 3, len(y))
    found = kernel_discriminants(X, noise, 2, gamma=5.0)
    assert "ridge of 0.001 was added" in found.note
    assert found.values[0] < 1 - 1e-6
    small = kernel_discriminants(X, noise, 2, gamma=5.0, ridge=1e-9)
    assert small.values[-1] > 1 - 1e-6


def test_all_discriminants_are_kept_unless_told_otherwise():
    """Three classes on a line: the second discriminant holds next to nothing, and is kept."""
    y = np.repeat([0, 1, 2], 40)
    X = np.random.default_rng(0).standard_normal((120, 3))
    X[:, 0] += 10 * y
    found = kernel_discriminants(X, y, kernel="linear")
    assert found.size == 2
    assert found.shares[1] < 0.05
    assert kernel_discriminants(X, y, kernel="linear", share=0.95).size == 1


def test_curved_classes_are_told_apart():
    """Two rings: no line separates them, a Gaussian kernel does."""
    rng = np.random.default_rng(0)
    angle, y = rng.uniform(0, 2 * np.pi, 200), np.repeat([0, 1], 100)
    radius = np.where(y == 0, 1.0, 3.0) + 0.1 * rng.standard_normal(200)
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    fresh = np.column_stack([[1.0, 0.0, -3.0, 0.0], [0.0, -1.0, 0.0, 3.0]])
    found = kernel_discriminants(X, y)
    assert found.size == 1
    scores = found.project(X)[:, 0]
    low, high = sorted([scores[y == 0], scores[y == 1]], key=np.mean)
    assert low.max() < high.min()
    near = np.abs(found.project(fresh) - [low.mean(), high.mean()]).argmin(axis=1)
    assert near[0] == near[1] != near[2] == near[3]


def test_too_many_rows_are_refused(monkeypatch):
    monkeypatch.setattr(kernels, "_MAX_KDA_ROWS", 100)
    with pytest.raises(TamisError, match="at most 100 rows, or use 'lda'"):
        kernel_discriminants(*load_iris(return_X_y=True))


def test_there_are_fewer_directions_than_classes():
    found = kernel_discriminants(*load_iris(return_X_y=True), 7)
    assert found.size == 2
    assert "3 classes have no more discriminants" in found.note
