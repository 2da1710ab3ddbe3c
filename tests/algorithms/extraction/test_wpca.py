import numpy as np
import pytest
import scipy.sparse

from tamis import registry
from tamis.algorithms.extraction.pca import principal_components, weighted_components
from tamis.errors import TamisError
from tamis.sources.arrays import ArraySource
from tamis.statistics.linear import collect_gram, summary_of_rows


def summary_of(X, scale=False):
    return collect_gram(ArraySource(X), range(X.shape[1]), scale=scale)


def test_ones_give_principal_components_over_the_root_of_d(real):
    X = real("wine")
    found = weighted_components(summary_of(X), 3, weights=np.ones(13))
    plain = principal_components(summary_of(X), 3)
    np.testing.assert_allclose(found.project(X), plain.project(X) / np.sqrt(13), atol=1e-8)
    np.testing.assert_allclose(found.shares, plain.shares)


def test_known_first_shares_of_iris(real):
    """Weights are the variances (all components), or the Perron vector of the squared Gram."""
    X = real("iris")
    G = np.cov(X, rowvar=False) * 149
    found = weighted_components(summary_of(X), 1, weights=np.diagonal(G))
    assert found.shares[0] == pytest.approx(0.99686, abs=5e-6)
    alpha = np.linalg.eigh(G**2)[1][:, -1]
    found = weighted_components(summary_of(X), 1, weights=alpha)
    assert found.shares[0] == pytest.approx(0.99809, abs=5e-6)


@pytest.mark.parametrize("scale", [False, True])
def test_scores_follow_the_definition(real, scale):
    X = real("wine")
    w = np.random.default_rng(0).uniform(-1, 1, 13)
    Z = (X - X.mean(axis=0)) / (X.std(axis=0) if scale else 1.0)
    Xt = Z * (w / np.linalg.norm(w))
    values, vectors = np.linalg.eigh(Xt.T @ Xt)
    found = weighted_components(summary_of(X, scale), 4, scale=scale, weights=w)
    np.testing.assert_allclose(
        np.abs(found.project(X)), np.abs(Xt @ vectors[:, ::-1][:, :4]), atol=1e-7
    )
    np.testing.assert_allclose(found.shares, values[::-1][:4] / values.sum(), atol=1e-12)


@pytest.mark.parametrize("weights", ["relpca", "relpca-first", "q-alpha", "q-alpha-approx"])
def test_weights_come_from_relevance_methods(real, weights):
    X = real("iris")
    summary = summary_of(X)
    scores = registry.get(weights).load_kernel()(summary.gram, 4).scores
    named = weighted_components(summary, 2, weights=weights)
    given = weighted_components(summary, 2, weights=scores)
    np.testing.assert_allclose(named.project(X), given.project(X))
    assert weights in named.note


def test_columns_without_weight_take_no_part(real):
    X = np.column_stack([real("iris"), np.ones(150)])
    found = weighted_components(summary_of(X), 4, weights=[1, 0, 2, 0, 5])
    assert found.size == 2
    assert not found.components[:, [1, 3, 4]].any()
    assert "2 columns of weight 0" in found.note
    back = found.rebuild(found.project(X))
    np.testing.assert_allclose(back[:, [0, 2, 4]], X[:, [0, 2, 4]], atol=1e-10)
    np.testing.assert_allclose(back[:, 1], X[:, 1].mean())


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_wide_tables_agree_with_long_ones(correlated, form):
    X = correlated(12, 30)
    w = np.random.default_rng(1).uniform(0, 1, 30)
    found = weighted_components(summary_of_rows(form(X), False), 3, weights=w)
    Xt = (X - X.mean(axis=0)) * (w / np.linalg.norm(w))
    left, sizes, _ = np.linalg.svd(Xt, full_matrices=False)
    np.testing.assert_allclose(np.abs(found.project(X)), np.abs(left * sizes)[:, :3], atol=1e-7)


def test_wrong_weights_are_refused(real):
    summary = summary_of(real("iris"))
    with pytest.raises(TamisError, match="one number for each"):
        weighted_components(summary, weights=[1.0, 2.0])
    with pytest.raises(TamisError, match="all 0"):
        weighted_components(summary, weights=np.zeros(4))
