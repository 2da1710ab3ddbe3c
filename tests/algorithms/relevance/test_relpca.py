import numpy as np
import pytest

from tamis.algorithms.relevance import component_relevance, rank_by_components
from tamis.errors import TamisError

FORMS = ("dense", "rows", "sparse")


def rebuilt_lengths(X, p, scale=True):
    Z = X - X.mean(axis=0)
    squares = (Z**2).sum(axis=0)
    Z = Z / np.sqrt(squares if scale else squares.mean())
    V = np.linalg.svd(Z, full_matrices=False)[2][:p].T
    return (np.square(Z @ V @ V.T)).sum(axis=0)


@pytest.mark.parametrize(
    ("p", "shares"),
    [
        (1, [0.1306, 0.0071, 0.7339, 0.1284]),
        (2, [0.1469, 0.0357, 0.6957, 0.1217]),
        (4, [0.1500, 0.0415, 0.6815, 0.1270]),
    ],
)
def test_iris_of_the_card(real, gram_of, p, shares):
    path = rank_by_components(gram_of(real("iris"), scale=False), 4, components=p)
    assert path.scores / path.scores.sum() == pytest.approx(shares, abs=1e-4)
    assert path.indices.tolist() == [2, 0, 3, 1]


@pytest.mark.parametrize(("name", "kept"), [("iris", 2), ("breast_w", 7), ("twonorm", 18)])
def test_the_floor_rule_keeps_as_many_as_the_paper(real, gram_of, name, kept):
    gram = gram_of(real(name), scale=False)
    assert len(rank_by_components(gram, 20, threshold=0.95, rule="floor").kept) == kept


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scale", [True, False])
def test_relevance_is_the_length_of_the_rebuilt_columns(correlated, gram_of, form, scale):
    X = correlated(20, 30)
    for p in (1, 3, 10):
        found = component_relevance(gram_of(X, form, scale), components=p)
        assert found == pytest.approx(rebuilt_lengths(X, p, scale))


def test_all_components_give_the_variances_and_their_sum_the_eigenvalues(real, gram_of):
    X = real("wine")
    gram = gram_of(X, scale=False)
    assert component_relevance(gram, components=13) == pytest.approx(gram.diagonal())
    assert component_relevance(gram, components=99) == pytest.approx(gram.diagonal())
    assert component_relevance(gram, components=3).sum() == pytest.approx(gram.eigenvalues(3).sum())


@pytest.mark.parametrize("form", FORMS)
def test_as_many_components_as_the_rank_are_refused_on_scaled_columns(correlated, gram_of, form):
    gram = gram_of(correlated(8, 10), form)
    with pytest.raises(TamisError, match=r"components=7: .* give fewer"):
        component_relevance(gram, components=7)
    assert np.ptp(component_relevance(gram, components=6)) > 1e-6


def test_the_rule_leaves_a_component_out_even_when_all_are_needed(gram_of):
    X = np.random.default_rng(0).standard_normal((400, 3))
    found = component_relevance(gram_of(X))
    assert found == pytest.approx(rebuilt_lengths(X, 2))
    assert component_relevance(gram_of(X[:, :1])) == pytest.approx([1.0])


def test_the_rule_stays_below_the_rank_of_tables_with_copies(gram_of):
    X = np.random.default_rng(0).standard_normal((50, 3))
    X[:, 2] = 4 - X[:, 0]
    found = component_relevance(gram_of(X))
    assert found[0] == pytest.approx(found[2])
    assert found[1] < found[0] / 2
