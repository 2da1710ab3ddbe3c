"""`spectral`: the eigenproblem solved densely, blocks, rings, and rows that come later."""

import numpy as np
import pytest
import scipy.linalg

import tamis
from tamis.algorithms.extraction import spectral
from tamis.algorithms.extraction.spectral import find_width, spectral_components
from tamis.errors import TamisError


def rings(seed, radii=(1.0, 2.5, 4.0), counts=(80, 200, 320)):
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(len(counts)), counts)
    angles = rng.uniform(0, 2 * np.pi, len(labels))
    reach = np.array(radii)[labels] + rng.normal(0, 0.08, len(labels))
    return np.column_stack([reach * np.cos(angles), reach * np.sin(angles)]), labels


def dense_answer(X, width, k):
    """Build the affinity and solve, as the definition reads."""
    squares = np.square(X[:, None] - X).sum(axis=2)
    A = np.exp(-squares / (2 * width**2))
    np.fill_diagonal(A, 0.0)
    roots = 1 / np.sqrt(A.sum(axis=1))
    values, vectors = scipy.linalg.eigh(roots[:, None] * A * roots)
    vectors = vectors[:, ::-1][:, :k]
    return values[::-1][:k], vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def assert_same_up_to_signs(found, expected, atol):
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found, expected * signs, atol=atol)


@pytest.fixture(params=["dense", "held", "blocks"])
def solver(request, monkeypatch):
    """Take each of the three ways to the eigenvectors."""
    if request.param != "dense":
        monkeypatch.setattr(spectral, "_MAX_DECOMPOSED_ROWS", 0)
    if request.param == "blocks":
        monkeypatch.setattr(spectral, "_HELD_BYTES", 0)
    return request.param


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.usefixtures("solver")
def test_it_equals_the_dense_eigenproblem(scale):
    X = np.random.default_rng(0).standard_normal((120, 4)) * [1.0, 3.0, 1.0, 0.5] + 7.0
    found = spectral_components(X, 4, scale=scale, sigma=1.5)
    Z = (X - X.mean(axis=0)) / (X.std(axis=0) if scale else 1.0)
    values, rows = dense_answer(Z, 1.5, 4)
    np.testing.assert_allclose(found.values, values, atol=1e-12)
    assert_same_up_to_signs(found.embedding, rows, atol=1e-8)


def test_blocks_without_affinity_have_the_eigenvalue_1_each_and_are_found():
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1, 2, 3], 15)
    X = rng.uniform(-1, 1, (60, 2)) + 1e3 * labels[:, None]
    found = spectral_components(X, scale=False)
    assert found.size == 4
    np.testing.assert_allclose(found.values, 1.0, atol=1e-12)
    assert found.labels.tolist() == labels.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_planted_rings_are_found_with_their_number(seed):
    X, labels = rings(seed)
    found = spectral_components(X)
    assert found.size == 3
    assert found.labels.tolist() == labels.tolist()
    assert "3 clusters of 80, 200, 320 rows" in found.note


def test_fitted_rows_keep_their_scores_and_new_ones_those_of_their_ring():
    X, _ = rings(5)
    more, labels = rings(6, counts=(30, 30, 30))
    X = np.vstack([X, X[:20]])  # copies have affinity 1 with each other
    found = spectral_components(X, 3)
    np.testing.assert_allclose(found.project(X), found.embedding, atol=1e-9)
    centres = np.stack([found.embedding[found.labels == i].mean(axis=0) for i in range(3)])
    nearest = np.square(found.project(more)[:, None] - centres).sum(axis=2).argmin(axis=1)
    assert nearest.tolist() == labels.tolist()


@pytest.mark.parametrize(("shape", "scale"), [((30, 60), True), ((150, 2), False)])
def test_fitted_rows_keep_their_scores_where_means_are_large_and_rows_lie_alone(shape, scale):
    rng = np.random.default_rng(6)
    X = rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4, shape[1]) + 1000
    found = spectral_components(X, 3, scale=scale)
    np.testing.assert_allclose(found.project(X), found.embedding, atol=1e-9)


def test_a_row_far_from_all_others_goes_with_the_nearest():
    X, labels = rings(0)
    X = np.vstack([X, [[400.0, 0.0]]])
    found = spectral_components(X, 3, sigma=0.2, scale=False)
    assert found.labels[:-1].tolist() == labels.tolist()
    assert found.labels[-1] == 2
    assert np.isfinite(found.project([[1e6, 1e6]])).all()


def test_the_width_is_the_median_distance_to_a_neighbour_and_never_0():
    X = np.random.default_rng(2).standard_normal((40, 3))
    distances = np.sqrt(np.square(X[:, None] - X).sum(axis=2))
    assert find_width(X, "median", 5) == pytest.approx(np.median(np.sort(distances)[:, 5]))
    assert find_width(np.repeat([[0.0], [1.0], [3.0]], [9, 9, 1], axis=0), "median", 2) == 2.0


def test_what_cannot_be_done_is_refused(monkeypatch):
    X = rings(0)[0]
    with pytest.raises(TamisError, match="a number above 0"):
        spectral_components(X, sigma=0.0)
    with pytest.raises(TamisError, match="larger sigma"):
        spectral_components(X[:30], sigma=1e-9)
    monkeypatch.setattr(spectral, "_MAX_ROWS", 100)
    with pytest.raises(TamisError, match="600: give at most 100 rows"):
        spectral_components(X)


def test_the_command_and_the_clusterer_find_the_same():
    X, labels = rings(0)
    found = tamis.extract(X, method="spectral")
    assert found.k == 3
    fitted = tamis.clustering.SpectralClusters().fit(X)
    assert fitted.labels_.tolist() == labels.tolist()
    np.testing.assert_allclose(fitted.embedding_, found.transform(X), atol=1e-9)
