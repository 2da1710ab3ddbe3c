import numpy as np
import pytest
from sklearn.decomposition import PCA, KernelPCA

from tamis.algorithms.extraction import kernels
from tamis.algorithms.extraction.kernels import kernel_components, measure_row_distances
from tamis.errors import TamisError
from tamis.progress import send_progress


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
    K = np.exp(-measure_row_distances(Z, Z) / 4)
    J = np.eye(150) - 1 / 150
    values, vectors = np.linalg.eigh(J @ K @ J)
    found = kernel_components(X, 3)
    want = (vectors * np.sqrt(np.maximum(values, 0)))[:, ::-1][:, :3]
    np.testing.assert_allclose(np.abs(found.project(X)), np.abs(want), atol=1e-9)
    assert found.shares.sum() == pytest.approx(values[::-1][:3].sum() / values.sum())


def test_blocks_give_what_the_held_kernel_gives(real, monkeypatch):
    X = real("wine")
    held = [kernel_components(X, 4), kernel_components(X, share=0.6)]
    monkeypatch.setattr(kernels, "_MAX_HELD_ROWS", 10)
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


def test_directions_that_do_not_exist_are_dropped(real):
    found = kernel_components(real("iris"), 9, kernel="linear")
    assert found.size == 4
    assert "4 of 9" in found.note
    assert found.loadings is None
    assert not found.reversible


def test_coinciding_rows_have_distance_zero(real):
    X = real("iris") - real("iris").mean(axis=0)
    found = measure_row_distances(X, X)
    want = np.square(X[:, None] - X).sum(axis=2)
    np.testing.assert_allclose(found, want, atol=1e-12)
    assert ((found == 0) == (want == 0)).all()


@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear"])
@pytest.mark.parametrize("held", [10, 10_000])
def test_leading_components_of_a_long_table_equal_those_of_the_whole_kernel(
    real, monkeypatch, kernel, held
):
    X = real("digits")[:500]
    whole = kernel_components(X, 6, kernel=kernel)
    share = kernel_components(X, share=0.3, kernel=kernel)
    monkeypatch.setattr(kernels, "_SMALL_ROWS", 100)
    monkeypatch.setattr(kernels, "_MAX_HELD_ROWS", held)
    found = kernel_components(X, 6, kernel=kernel)
    np.testing.assert_allclose(found.values, whole.values, atol=1e-9 * whole.values[0])
    np.testing.assert_allclose(
        np.abs(found.project(X)), np.abs(whole.project(X)), atol=1e-6 * np.sqrt(whole.values[0])
    )
    again = kernel_components(X, share=0.3, kernel=kernel)
    assert again.size == share.size
    np.testing.assert_allclose(again.values, share.values, atol=1e-9 * whole.values[0])


def test_a_share_that_needs_too_many_components_is_refused_before_the_search(real, monkeypatch):
    X = real("digits")[:300]
    needed = kernel_components(X, share=0.95).size
    monkeypatch.setattr(kernels, "_SMALL_ROWS", 100)
    monkeypatch.setattr(kernels, "_MOST_COMPONENTS", 20)
    monkeypatch.setattr(kernels, "find_leading_subspace", None)
    assert needed > 20
    with pytest.raises(TamisError, match=r"More than 20 components are needed to hold 95%.*give k"):
        kernel_components(X, share=0.95)


def test_the_bound_on_the_number_of_components_is_one(real):
    from tamis.algorithms.extraction.class_scatter import CentredRows
    from tamis.algorithms.extraction.kernels import CentredKernel, find_kernel

    table = CentredRows.of(real("digits")[:200], True)
    for name in ("rbf", "poly", "linear"):
        function = find_kernel(name, gamma=None, degree=3, coef0=1.0, width=64)
        centred = CentredKernel(table.rows, function, 1000)
        for share in (0.3, 0.8, 0.99):
            values = np.sort(np.linalg.eigvalsh(centred.held))[::-1]
            needed = int(np.argmax(np.cumsum(values) >= share * values.sum())) + 1
            assert 1 <= centred.least_components(share) <= needed


def test_too_many_rows_are_refused_with_the_way_out(monkeypatch):
    monkeypatch.setattr(kernels, "_MAX_KERNEL_ROWS", 100)
    with pytest.raises(TamisError, match="at most 100 rows, for instance a random sample, or use"):
        kernel_components(np.random.default_rng(0).standard_normal((101, 2)), 1)


def test_progress_is_told_while_the_kernel_is_computed(real, monkeypatch):
    monkeypatch.setattr(kernels, "_MAX_HELD_ROWS", 10)
    seen = []
    with send_progress(lambda *state: seen.append(state)):
        kernel_components(real("wine"), 3)
    assert ("rows of the kernel", 178, 178) in seen
    assert seen[-1] == ("components found", 3, 3)
