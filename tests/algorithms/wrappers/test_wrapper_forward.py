import warnings

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.neighbors import KNeighborsClassifier
from tests.algorithms.wrappers.searching import problem, searched, table

from tamis.algorithms.learners import make_folds
from tamis.algorithms.wrappers.steps import forward_search, select_forward
from tamis.statistics.labels import Target


def test_columns_are_added_while_the_score_rises():
    worth = np.array([0.1, 0.3, 0.0, 0.2])
    found, kept, evaluate = searched(forward_search, lambda s: worth[list(s)].sum(), 4)
    assert kept == [1, 3, 0]
    np.testing.assert_allclose(found.scores, [0.1, 0.3, 0.0, 0.2])
    assert evaluate.evaluations == 1 + 4 + 3 + 2 + 1
    assert searched(forward_search, lambda s: worth[list(s)].sum(), 4, tol=0.15)[1] == [1, 3]
    assert searched(forward_search, lambda s: worth[list(s)].sum(), 4, 4)[1] == [1, 3, 0, 2]


def test_of_equal_columns_the_first_is_taken_and_one_is_kept_even_if_none_helps():
    assert searched(forward_search, lambda s: 0.5 - 0.1 * len(s), 3)[1] == [0]
    assert searched(forward_search, lambda s: float(bool({1, 2} & {*s})), 3)[1] == [1]


def test_columns_to_include_come_first():
    worth = np.array([0.1, 0.3, -0.1, 0.2])
    assert searched(forward_search, lambda s: worth[list(s)].sum(), 4, 3, [2])[1] == [2, 1, 3]


def slow_forward(score, width):
    current, best = [], round(score([]), 12)
    while True:
        free = [j for j in range(width) if j not in current]
        tried = {j: round(score(sorted([*current, j])), 12) for j in free}
        if not tried or (max(tried.values()) <= best and current):
            return current
        best = max(tried.values())
        current.append(min(j for j in free if tried[j] == best))


@pytest.mark.parametrize("seed", range(5))
def test_the_definition_gives_the_same_columns(seed):
    score = problem(seed)
    assert searched(forward_search, score, 10)[1] == slow_forward(score, 10)


def test_scikit_learns_selector_takes_the_same_columns():
    X, y = load_wine(return_X_y=True)
    X = X[:, :6] + 1e-6 * np.arange(len(X))[:, None]
    splits = make_folds(Target.of(y, "classification", what="y"), 3, random_state=0)
    knn = KNeighborsClassifier()
    theirs = SequentialFeatureSelector(knn, n_features_to_select=3, cv=splits).fit(X, y)
    ours = select_forward(table(X, y, "classification"), 3, learner=knn, cv=3, test_size=0)
    assert sorted(ours.kept) == theirs.get_support(indices=True).tolist()


def test_a_budget_ends_the_search_with_the_best_so_far():
    worth = np.array([0.1, 0.3, 0.0, 0.2])
    for budget, expected in ((1, [0]), (2, [0]), (3, [1]), (7, [1, 0]), (8, [1, 3])):
        _, kept, evaluate = searched(
            forward_search, lambda s: worth[list(s)].sum(), 4, 3, budget=budget
        )
        assert kept == expected
        assert evaluate.evaluations == budget


@pytest.mark.parametrize("test_size", [0.2, 0.5])
def test_the_rows_of_the_last_score_are_seen_by_no_search(test_size):
    X, y = load_wine(return_X_y=True)
    path = select_forward(table(X, y), 3, test_size=test_size)
    evidence = path.evidence
    assert evidence.test_rows == sum(int(test_size * count) for count in np.bincount(y))
    assert 0.5 < evidence.test_score <= 1
    assert path.evidence.score > path.evidence.score_empty


def test_too_few_rows_for_a_last_score_are_said():
    X, y = load_wine(return_X_y=True)
    rows = np.r_[0:12, 60:72]
    evidence = select_forward(table(X[rows], y[rows]), 2).evidence
    assert (evidence.test_rows, evidence.test_score) == (0, None)
    assert evidence.test_why == "24 rows are too few to set some aside"
    assert select_forward(table(X, y), 2, test_size=0).evidence.test_why == "none were set aside"


def test_on_labels_drawn_by_lot_the_searched_score_flatters():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((100, 40)), rng.integers(2, size=100)
    found = [select_forward(table(X, y), 5, random_state=seed).evidence for seed in range(5)]
    assert min(one.score for one in found) > 0.65
    assert np.mean([one.test_score for one in found]) < 0.6


def test_no_warning_escapes_from_a_column_that_is_constant_in_some_folds():
    X, y = load_wine(return_X_y=True)
    rare = np.zeros(len(X))
    rare[3] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        select_forward(table(np.column_stack([X[:, :3], rare]), y), None)
