import numpy as np
import pytest
import scipy.sparse

from tamis.algorithms.path import head_size
from tamis.algorithms.projection import LinearProjection, find_leading_until
from tamis.errors import TamisError


def test_known_sizes_of_iris():
    """Principal components hold .92462, .97769, .99479, 1: the paper keeps 1, most people 2."""
    shares = np.diff([0, 0.92462, 0.97769, 0.99479, 1.0])
    assert head_size(shares, 0.95, "ceil") == 2
    assert head_size(shares, 0.95, "floor") == 1
    assert head_size(shares, 0.98, "ceil") == 3
    assert head_size(shares, 0.98, "floor") == 2


def test_goals_that_are_met_exactly_or_never():
    shares = np.full(10, 0.1)
    assert head_size(shares, 0.3, "ceil") == head_size(shares, 0.3, "floor") == 3
    assert head_size(shares, 1.0, "ceil") == 10
    assert head_size(np.array([0.4, 0.2]), 0.95, "ceil") == 2
    assert head_size(np.array([0.99]), 0.95, "floor") == 1


def test_more_pairs_are_asked_for_until_the_share_is_reached():
    values, asked = np.linspace(1, 0.01, 100), []

    def find(size):
        asked.append(size)
        return values[:size], np.eye(100)[:, :size]

    found, vectors = find_leading_until(
        find, None, most=100, total=values.sum(), share=0.9, rule="ceil", first=8
    )
    assert asked == [8, 16, 32, 64, 100]
    assert len(found) == vectors.shape[1] == head_size(values / values.sum(), 0.9, "ceil")


def test_projecting_and_rebuilding():
    rng = np.random.default_rng(0)
    components = np.linalg.qr(rng.standard_normal((5, 5)))[0][:3]
    mean, scale = rng.standard_normal(5), rng.uniform(1, 2, 5)
    found = LinearProjection(None, np.ones(3), "", mean, scale, components, components)
    X = rng.standard_normal((7, 5))
    scores = found.project(X)
    np.testing.assert_allclose(scores, ((X - mean) / scale) @ components.T)
    np.testing.assert_allclose(found.project(scipy.sparse.csr_array(X)), scores)
    np.testing.assert_allclose(found.project(found.rebuild(scores)), scores)
    one_way = LinearProjection(None, np.ones(3), "", mean, scale, components)
    assert not one_way.reversible
    with pytest.raises(TamisError, match="cannot be turned back into rows"):
        one_way.rebuild(scores)


def test_columns_far_from_zero_keep_their_digits():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 3))
    far = LinearProjection(None, np.ones(2), "", np.full(3, 1e9), np.ones(3), np.eye(3)[:2])
    np.testing.assert_allclose(far.project(X + 1e9), X[:, :2], atol=1e-6)
