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


@pytest.mark.parametrize("far", [lambda y: 1e8 + y, lambda y: 1e100 * y, lambda y: 1e-30 * y])
def test_the_labels_themselves_are_found_in_any_unit_and_far_from_zero(far):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 80)
    X = np.column_stack([rng.standard_normal((80, 2)), far(y)])
    assert tamis.select(X, method="tree-importance", y=y).scores.tolist() == [0, 0, 1]


def test_one_immense_value_does_not_hide_the_others():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 80)
    X = np.column_stack([rng.standard_normal((80, 2)), y])
    X[np.argmax(y), 2] = 1e20
    assert tamis.select(X, 1, method="tree-importance", y=y).names == ["x2"]


@pytest.mark.parametrize("far", [lambda y: 1e8 + y, lambda y: 1e200 * y])
@pytest.mark.parametrize("method", ["tree-importance", "permutation-importance"])
def test_numbers_to_predict_may_be_far_from_zero_or_large(method, far):
    X = np.random.default_rng(5).standard_normal((90, 4))
    options = {"trees": 10} if method == "permutation-importance" else {}
    given = {"method": method, "task": "regression", "options": options}
    found = tamis.select(X, 4, y=far(X[:, 0]), **given)
    assert found.names[0] == "x0"
    # Leaves of two rows are split by any column: rounding decides which.
    assert found.scores == pytest.approx(tamis.select(X, 4, y=X[:, 0], **given).scores, abs=0.05)


@pytest.mark.parametrize("method", ["tree-importance", "permutation-importance"])
def test_infinite_and_constant_labels_are_refused_in_words_of_numbers(method):
    X = np.random.default_rng(6).standard_normal((30, 3))
    given = {"method": method, "task": "regression"}
    with pytest.raises(tamis.TamisError, match="y has an infinite label"):
        tamis.select(X, 2, y=[np.inf, *X[1:, 0]], **given)
    with pytest.raises(tamis.TamisError, match="same number in all 30 rows"):
        tamis.select(X, 2, y=np.full(30, 2.5), **given)
