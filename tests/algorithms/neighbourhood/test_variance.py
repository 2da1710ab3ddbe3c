import numpy as np
import pytest

from tamis.algorithms.neighbourhood.variance import largest_variances


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_columns_come_by_variance(correlated, gram_of, form):
    X = correlated(60, 25)
    variances = X.var(axis=0)
    path = largest_variances(gram_of(X, form, scale=False), 25)
    assert path.indices.tolist() == np.argsort(-variances).tolist()
    assert path.scores == pytest.approx(variances / variances.sum())


def test_iris_by_hand(real, gram_of):
    path = largest_variances(gram_of(real("iris"), scale=False), 4)
    assert path.indices.tolist() == [2, 0, 3, 1]
    assert path.retained[-1] == pytest.approx(1.0)


def test_standardised_columns_tie_and_keep_their_order(real, gram_of):
    assert largest_variances(gram_of(real("wine")), 5).indices.tolist() == [0, 1, 2, 3, 4]


def test_retain_and_include(real, gram_of):
    gram = gram_of(real("wine"), scale=False)
    whole = largest_variances(gram, 13)
    path = largest_variances(gram, 13, retain=0.999)
    assert path.retained[-1] >= 0.999
    assert len(path.indices) == 1 or path.retained[-2] < 0.999
    assert path.indices.tolist() == whole.indices[: len(path.indices)].tolist()
    forced = largest_variances(gram, 3, include=[7])
    assert forced.indices.tolist() == [7, *whole.indices[:2]]


def test_long_rankings_are_followed_only_as_far_as_needed(gram_of):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 300)) * np.linspace(3, 1, 300)
    path = largest_variances(gram_of(X, scale=False), 300, retain=0.8)
    assert 64 < len(path.indices) < 300
    assert path.retained[-1] >= 0.8 > path.retained[-2]
