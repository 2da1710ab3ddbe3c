import numpy as np
import pytest

from tamis.algorithms.information.tree import spectral_tree
from tamis.errors import TamisError
from tamis.evaluation.outcome import NamedTree


@pytest.fixture
def tree():
    M = np.array([[1, 0.9, 0, 0], [0.9, 1, 0.1, 0], [0, 0.1, 1, 0.8], [0, 0, 0.8, 1.0]])
    return NamedTree(spectral_tree(M), ("a", "b", "c", "d"))


def test_columns_that_share_most_are_next_to_each_other(tree):
    assert {frozenset(pair) for pair in tree.nested()} == {frozenset("ab"), frozenset("cd")}
    assert sorted(tree.order) == ["a", "b", "c", "d"]
    assert tree.depth == dict.fromkeys("abcd", 2)


def test_distances_count_edges_and_unknown_columns_are_refused(tree):
    assert (tree.distance("a", "b"), tree.distance("a", "c"), tree.distance("a", "a")) == (2, 4, 0)
    with pytest.raises(TamisError, match="no column 'e'"):
        tree.distance("a", "e")
