import numpy as np
import pytest

from tamis.algorithms.relevance import (
    component_relevance,
    first_component_relevance,
    rank_by_first_component,
)


def test_iris_of_the_card(real, gram_of):
    path = rank_by_first_component(gram_of(real("iris"), scale=False), 4)
    shares = path.scores / path.scores.sum()
    assert shares == pytest.approx([0.1306, 0.0071, 0.7339, 0.1284], abs=5e-5)
    assert path.indices.tolist() == [2, 0, 3, 1]


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_it_is_relpca_with_one_component(correlated, gram_of, form):
    gram = gram_of(correlated(20, 30), form)
    assert first_component_relevance(gram) == pytest.approx(component_relevance(gram, components=1))


def test_large_tables_give_the_same_by_iteration(correlated, gram_of):
    gram = gram_of(correlated(1300, 1100))
    values, V = np.linalg.eigh(gram.matrix)
    found = first_component_relevance(gram)
    assert found == pytest.approx(values[-1] * V[:, -1] ** 2, abs=1e-10)


def test_two_equal_components_bring_a_warning(dense):
    with pytest.warns(UserWarning, match="equally strong"):
        first_component_relevance(dense(np.eye(3)))


def test_two_rows_have_one_component_only(gram_of):
    X = np.array([[0.0, 1.0, 2.0], [1.0, 3.0, 0.0]])
    assert first_component_relevance(gram_of(X, "rows")) == pytest.approx([1.0, 1.0, 1.0])
