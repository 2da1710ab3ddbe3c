"""`tree-importance`: known answers and the definition."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import tamis


def entropy(labels):
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return -(shares * np.log2(shares)).sum()


def by_definition(tree, X, y):
    """Add up the drop of the entropy over all nodes, walking the tree row by row."""
    nodes, found = tree.tree_, np.zeros(X.shape[1])
    reached = tree.decision_path(X).toarray().astype(bool)
    for node in np.flatnonzero(nodes.feature >= 0):
        parts = [
            reached[:, child] for child in (nodes.children_left[node], nodes.children_right[node])
        ]
        here = y[reached[:, node]]
        after = sum(part.sum() * entropy(y[part]) for part in parts) / len(here)
        found[nodes.feature[node]] += len(here) / len(y) * (entropy(here) - after)
    return found / found.sum()


def test_a_column_equal_to_the_labels_has_importance_one():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 80)
    X = np.column_stack([rng.standard_normal((80, 2)), y])
    found = tamis.select(X, method="tree-importance", y=y)
    assert found.names == ["x2"]
    assert found.scores.tolist() == [0, 0, 1]


def test_scores_follow_the_definition():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((120, 5))
    y = (X[:, 0] + 0.5 * X[:, 3] + 0.3 * rng.standard_normal(120) > 0).astype(int)
    tree = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X, y)
    found = tamis.select(X, 5, method="tree-importance", y=y)
    assert found.scores == pytest.approx(by_definition(tree, X, y))


def test_numbers_are_predicted_by_a_regression_tree():
    X = np.random.default_rng(2).standard_normal((90, 4))
    found = tamis.select(X, 1, method="tree-importance", y=np.exp(X[:, 1]), task="regression")
    assert found.names == ["x1"]
