import numpy as np
import pytest
from sklearn.decomposition import PCA, KernelPCA

from tamis.errors import TamisError
from tamis.methods import kernel_pca
from tamis.methods.kernel_pca import kernel_components
from tamis.methods.kernels import squared_distances


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def test_linear_kernel_gives_principal_components(real):
    X = real("iris")
    found = kernel_components(X, 4, kernel="linear", scale=False)
    oracle = PCA(4).fit(X)
    np.testing.assert_allclose(np.abs(found.project(X)), np.abs(oracle.transform(X)), atol=1e-8)
    np.testing.assert_allclose(found.values / 149, oracle.explained_variance_)
    np.testing.assert_allclose(found.shares, oracle.explained_variance_ratio_)


@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_scores_of_old_and_new_rows_equal_those_of_scikit_learn(real, kernel):
    X = real("wine")
    Z = standardised(X[:120])
    fresh = (X[120:] - X[:120].mean(axis=0)) / X[:120].std(axis=0)
    oracle = KernelPCA(5, kernel=kernel, gamma=1 / 13, degree=3, coef0=1).fit(Z)
    found = kernel_components(X[:120], 5, kernel=kernel)
    for rows, scaled in ((X[:120], Z), (X[120:], fresh)):
        want = oracle.transform(scaled)
        np.testing.assert_allclose(
            np.abs(found.project(rows)), np.abs(want), atol=1e-8 * np.abs(want).max()
        )


def test_training_scores_are_scaled_eigenvectors(real):
    X = real("iris")
    Z = standardised(X)
    K = np.exp(-squared_distances(Z, Z) / 4)
    J = np.eye(150) - 1 / 150
    values, vectors = np.linalg.eigh(J @ K @ J)
    found = kernel_components(X, 3)
    want = (vectors * np.sqrt(np.maximum(values, 0)))[:, ::-1][:, :3]
    np.testing.assert_allclose(np.abs(found.project(X)), np.abs(want), atol=1e-9)
    assert found.shares.sum() == pytest.approx(values[::-1][:3].sum() / values.sum())


def test_blocks_give_what_the_held_kernel_gives(real, monkeypatch):
    X = real("wine")
    held = [kernel_components(X, 4), kernel_components(X, share=0.6)]
    monkeypatch.setattr(kernel_pca, "_HELD_ROWS", 10)
    blocks = [kernel_components(X, 4), kernel_components(X, share=0.6)]
    for a, b in zip(held, blocks, strict=True):
        assert "block by block" in b.note
        assert a.size == b.size
        np.testing.assert_allclose(a.project(X), b.project(X), atol=1e-7)


def test_any_function_is_a_kernel(real):
    X = real("iris")
    found = kernel_components(X, 2, kernel=lambda a, b: a @ b.T, scale=False)
    plain = kernel_components(X, 2, kernel="linear", scale=False)
    np.testing.assert_allclose(found.project(X), plain.project(X))
    with pytest.raises(TamisError, match="one value for each pair"):
        kernel_components(X, 2, kernel=lambda a, _: a)
    with pytest.raises(TamisError, match="'rbf', 'linear' or 'poly'"):
        kernel_components(X, 2, kernel="cosine")


def test_directions_that_do_not_exist_are_dropped(real):
    found = kernel_components(real("iris"), 9, kernel="linear")
    assert found.size == 4
    assert "4 of 9" in found.note
    assert found.loadings is None
    assert not found.reversible


def test_coinciding_rows_have_distance_zero(real):
    X = real("iris") - real("iris").mean(axis=0)
    found = squared_distances(X, X)
    want = np.square(X[:, None] - X).sum(axis=2)
    np.testing.assert_allclose(found, want, atol=1e-12)
    assert ((found == 0) == (want == 0)).all()
