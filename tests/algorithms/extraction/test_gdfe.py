import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from tamis.algorithms.extraction import gdfe
from tamis.algorithms.extraction.gdfe import find_sigma, generalised_directions, smallest_distance
from tamis.algorithms.extraction.pca import principal_components, weighted_components
from tamis.errors import TamisError
from tamis.statistics.linear import summary_of_moments
from tamis.statistics.moments import Moments


def centred(X):
    return X - X.mean(axis=0)


def plain(X, k):
    return principal_components(summary_of_moments(Moments.from_batch(X), False), k)


def test_known_answer_of_iris(real):
    X = real("iris")
    found = generalised_directions(X, 4)
    assert find_sigma(centred(X)) == pytest.approx(0.591608, abs=5e-7)
    assert "sigma = 0.591608" in found.note
    assert np.cumsum(found.shares)[:3] == pytest.approx([0.97457, 0.99510, 0.99937], abs=5e-6)
    assert generalised_directions(X).size == generalised_directions(X, rule="floor").size == 1


def test_published_sizes_need_the_nearest_neighbours(real):
    """Table of the paper: p = 1 on iris, 4 on the Wisconsin breast data."""
    assert generalised_directions(real("iris"), rule="floor", sigma="nn_quantile").size == 1
    found = generalised_directions(real("breast_w"), rule="floor", sigma="nn_quantile")
    assert found.size == 4
    assert "identical rows only" in found.note
    assert generalised_directions(real("breast_w"), rule="floor").size == 1


def test_identity_gives_principal_components(real):
    for name in ("iris", "wine"):
        X = real(name)
        found, want = generalised_directions(X, 3, omega="identity"), plain(X, 3)
        np.testing.assert_allclose(found.components, want.components, atol=1e-8)
        np.testing.assert_allclose(found.values / (len(X) - 1), want.values)
        np.testing.assert_allclose(
            generalised_directions(X, 3, omega=np.eye(len(X))).components,
            want.components,
            atol=1e-8,
        )


def test_linear_squares_the_eigenvalues(real):
    X = real("iris")
    values = np.linalg.eigvalsh(centred(X).T @ centred(X))[::-1]
    Xc = centred(X)
    for omega in ("linear", Xc @ Xc.T, lambda a, b: a @ b.T):
        found = generalised_directions(X, 4, omega=omega)
        np.testing.assert_allclose(found.values, values**2, rtol=1e-9)
        np.testing.assert_allclose(found.components, plain(X, 4).components, atol=1e-9)


@pytest.mark.parametrize("block", [1 << 23, 4000])
def test_directions_follow_the_definition_in_any_blocks(real, monkeypatch, block):
    monkeypatch.setattr("tamis.numerics.row_chunks.BLOCK_BYTES", block)
    X = real("wine")
    for scale in (False, True):
        Z = centred(X) / (X.std(axis=0) if scale else 1.0)
        omega = np.exp(-0.5 * squareform(pdist(Z, "sqeuclidean")) / 2.0**2)
        values, vectors = np.linalg.eigh(Z.T @ omega @ Z)
        found = generalised_directions(X, 3, sigma=2.0, scale=scale)
        np.testing.assert_allclose(found.values, values[::-1][:3])
        np.testing.assert_allclose(
            np.abs(found.project(X)), np.abs(Z @ vectors[:, ::-1][:, :3]), atol=1e-7
        )


def test_no_other_directions_lose_less(real):
    X = real("iris")
    Xc = centred(X)
    found = generalised_directions(X, 2)
    omega = np.exp(-0.5 * squareform(pdist(X, "sqeuclidean")) / find_sigma(Xc) ** 2)

    def lost(V):
        E = Xc - Xc @ V @ V.T
        return np.vdot(E, omega @ E)

    whole = np.vdot(Xc, omega @ Xc)
    least = lost(found.components.T)
    assert least == pytest.approx(whole - found.values.sum())
    rng = np.random.default_rng(0)
    for _ in range(500):
        assert lost(np.linalg.qr(rng.standard_normal((4, 2)))[0]) > least


@pytest.mark.parametrize("seed", range(3))
def test_widths_are_exact_for_any_number_of_pairs(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    X = centred(np.round(rng.standard_normal((150, 3)), 1))
    X[-1] *= 1e3  # one row far away spoils the first bins
    squares = np.sort(pdist(X, "sqeuclidean"))
    for held in (1 << 22, 500):
        monkeypatch.setattr(gdfe, "_HELD_PAIRS", held)
        monkeypatch.setattr("tamis.numerics.row_chunks.BLOCK_BYTES", 20000)
        for rank in (1, 700, 1117, len(squares) // 2, len(squares)):
            assert smallest_distance(X, rank) == pytest.approx(squares[rank - 1], rel=1e-9)
        assert find_sigma(X) ** 2 == pytest.approx(squares[int(0.1 * len(squares)) - 1], rel=1e-9)


def test_copies_do_not_make_the_width_zero(monkeypatch):
    X = np.repeat([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]], 20, axis=0) - [3.0, 4.0]
    for held in (1 << 22, 100):
        monkeypatch.setattr(gdfe, "_HELD_PAIRS", held)
        assert find_sigma(X) == pytest.approx(5.0)
        assert find_sigma(X, "nn_quantile") == 0.0
    found = generalised_directions(X, 1, sigma=0.0)
    assert found.values[0] == pytest.approx(20 * 2 * 20 * 25)


def test_more_columns_than_rows(correlated):
    X = correlated(15, 60)
    Xc = centred(X)
    found = generalised_directions(X, 3)
    omega = np.exp(-0.5 * squareform(pdist(X, "sqeuclidean")) / find_sigma(Xc) ** 2)
    values, vectors = np.linalg.eigh(Xc.T @ omega @ Xc)
    np.testing.assert_allclose(found.values, values[::-1][:3], rtol=1e-8)
    np.testing.assert_allclose(
        np.abs(found.components), np.abs(vectors[:, ::-1][:, :3].T), atol=1e-6
    )
    assert generalised_directions(X, 60).size == 14


def test_wrong_omegas_are_refused(real):
    X = real("iris")
    with pytest.raises(TamisError, match="give 150 x 150"):
        generalised_directions(X, omega=np.eye(3))
    with pytest.raises(TamisError, match="one value for each pair"):
        generalised_directions(X, omega=lambda a, b: a)  # noqa: ARG005
    with pytest.raises(TamisError, match="at least 0"):
        generalised_directions(X, sigma=-1.0)


def test_widths_are_right_for_clumps_far_from_each_other(monkeypatch):
    near = [np.random.default_rng(seed).standard_normal((50, 3)) * 1e-3 for seed in (0, 1)]
    X = centred(np.vstack([near[0], near[1] + 1e4]))
    squares = np.sort(pdist(X, "sqeuclidean"))
    want = np.sqrt(squares[int(0.1 * len(squares)) - 1])
    assert want == pytest.approx(0.001273, abs=5e-7)
    nearest = np.sort(squareform(pdist(X)) + 1e9 * np.eye(100), axis=1)[:, 0]
    for held in (1 << 22, 500):
        monkeypatch.setattr(gdfe, "_HELD_PAIRS", held)
        assert find_sigma(X) == pytest.approx(want, rel=1e-10)
        assert find_sigma(X, "nn_quantile") == pytest.approx(np.sort(nearest)[9], rel=1e-10)


WEIGHTS = np.array([3.0, 1.0, 0.0, 2.0])


def weighted_definition(X, k, omega, w):
    """Give the eigenvectors of W X' Omega X W and the two projections of the paper."""
    W = np.diag(np.abs(w) / np.linalg.norm(w))
    Xc = centred(X)
    values, V = np.linalg.eigh(W @ Xc.T @ omega @ Xc @ W)
    V = V[:, ::-1][:, :k]
    return values[::-1][:k], Xc @ W @ V, Xc @ W @ (W @ V)


@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("omega", ["kernel", "identity", "linear"])
def test_weights_once_or_twice_equal_the_definition(real, omega, twice):
    X = real("iris")
    Xc = centred(X)
    sigma = find_sigma(Xc)
    matrices = {
        "kernel": np.exp(-squareform(pdist(Xc, "sqeuclidean")) / (2 * sigma**2)),
        "identity": np.eye(len(X)),
        "linear": Xc @ Xc.T,
    }
    values, *scores = weighted_definition(X, 3, matrices[omega], WEIGHTS)
    found = generalised_directions(X, 3, omega=omega, weights=WEIGHTS, twice=twice)
    np.testing.assert_allclose(found.values, values, rtol=1e-10)
    expected = scores[twice]
    got = found.project(X)
    signs = np.sign((got * expected).sum(axis=0))
    np.testing.assert_allclose(got, expected * signs, atol=1e-10 * np.abs(expected).max())
    assert found.reversible != twice
    assert ("applied twice" in found.note) == twice


def test_weights_with_the_identity_are_those_of_wpca(real):
    X = real("wine")
    summary = summary_of_moments(Moments.from_batch(X), True)
    for weights in ("relpca", "q-alpha"):
        expected = weighted_components(summary, 2, scale=True, weights=weights)
        found = generalised_directions(X, 2, scale=True, omega="identity", weights=weights)
        np.testing.assert_allclose(found.components, expected.components, atol=1e-8)
        np.testing.assert_allclose(
            found.rebuild(found.project(X)), expected.rebuild(expected.project(X)), rtol=1e-6
        )


def test_weights_work_with_more_columns_than_rows():
    X = np.random.default_rng(0).standard_normal((9, 30))
    w = np.arange(30.0)
    _, _, expected = weighted_definition(X, 2, np.eye(9), w)
    found = generalised_directions(X, 2, omega="identity", weights=w, twice=True).project(X)
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-10)


def test_twice_without_weights_and_wrong_weights_are_refused(real):
    with pytest.raises(TamisError, match="give weights"):
        generalised_directions(real("iris"), twice=True)
    with pytest.raises(TamisError, match="4 columns: give one number for each"):
        generalised_directions(real("iris"), weights=[1.0, 2.0])
