import numpy as np
import pytest
import scipy.sparse
from sklearn.decomposition import TruncatedSVD

from tamis.algorithms.extraction import lsa
from tamis.algorithms.extraction.lsa import latent_directions
from tamis.errors import TamisError


@pytest.fixture
def words():
    """Counts of 40 words in 120 texts of four subjects."""
    rng = np.random.default_rng(0)
    return rng.poisson(rng.gamma(0.3, 4, (4, 40))[rng.integers(0, 4, 120)]).astype(float)


def test_folding_training_rows_in_gives_their_coordinates(words):
    left, sizes, _ = np.linalg.svd(words, full_matrices=False)
    found = latent_directions(words, 5)
    turned = np.sign((found.project(words) * left[:, :5]).sum(axis=0))
    np.testing.assert_allclose(found.project(words), left[:, :5] * sizes[:5] * turned, atol=1e-9)
    np.testing.assert_allclose(found.project(words) / found.values, left[:, :5] * turned, atol=1e-9)


def test_lost_squares_are_those_of_the_other_singular_values(words):
    sizes = np.linalg.svd(words, compute_uv=False)
    for k in (1, 3, 10):
        found = latent_directions(words, k)
        lost = np.square(words - found.rebuild(found.project(words))).sum()
        assert lost == pytest.approx((sizes[k:] ** 2).sum())
        assert found.shares.sum() == pytest.approx((sizes[:k] ** 2).sum() / (sizes**2).sum())


def test_scores_equal_those_of_scikit_learn(words):
    oracle = TruncatedSVD(4, algorithm="arpack", random_state=0).fit(words)
    found = latent_directions(scipy.sparse.csr_array(words), 4)
    np.testing.assert_allclose(
        np.abs(found.project(words)), np.abs(oracle.transform(words)), atol=1e-8
    )
    np.testing.assert_allclose(found.values, oracle.singular_values_)


def test_iterations_give_what_the_whole_decomposition_gives(monkeypatch):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((150, 20)) @ rng.standard_normal((20, 400))
    X += 0.3 * rng.standard_normal(X.shape)
    whole = [latent_directions(X, 6), latent_directions(X, share=0.9)]
    monkeypatch.setattr(lsa, "_DENSE_CELLS", 1000)
    for form in (np.asarray, scipy.sparse.csr_array):
        few = [latent_directions(form(X), 6), latent_directions(form(X), share=0.9)]
        for a, b in zip(whole, few, strict=True):
            assert "truncated" in b.note
            assert a.size == b.size
            np.testing.assert_allclose(a.components, b.components, atol=1e-7)


def test_directions_without_values_are_dropped(words):
    doubled = np.hstack([words[:, :3], words[:, :3]])
    found = latent_directions(doubled, 6)
    assert found.size == 3
    assert "3 of 6" in found.note
    assert np.isfinite(found.project(doubled) / found.values).all()


def test_empty_tables_are_refused():
    with pytest.raises(TamisError, match="All values are 0"):
        latent_directions(np.zeros((4, 3)))
