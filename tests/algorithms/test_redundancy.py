"""Relevance and redundancy together: known answers and the slow definition."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from tamis.algorithms.ranking import take_scored, take_unexplained
from tamis.statistics.gram import DenseGram
from tamis.statistics.shared_information import Information


def correlated(seed, n=60, d=9):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 5)) @ rng.standard_normal((5, d))
    return X + rng.uniform(0.05, 1, d) * rng.standard_normal((n, d)), rng.uniform(0, 1, d)


def gram_of(X):
    return DenseGram(np.cov(X, rowvar=False, bias=True))


def by_regressions(X, scores, k, floor, include=()):
    """Refit a regression of every column on the kept ones at each step."""
    kept = list(include)
    while len(kept) < k:
        gains = np.full(X.shape[1], -np.inf)
        for j in set(range(X.shape[1])) - set(kept):
            share = 1.0
            if kept:
                share -= LinearRegression().fit(X[:, kept], X[:, j]).score(X[:, kept], X[:, j])
            if share > floor:
                gains[j] = scores[j] * share
        if np.isneginf(gains).all():
            break
        kept.append(int(gains.argmax()))
    return kept


@pytest.mark.parametrize("seed", range(4))
def test_each_step_takes_the_largest_score_times_unexplained_share(seed):
    X, scores = correlated(seed)
    for given, floor in (({}, 0.1), ({"redundant_at": 0.99}, 0.01)):
        path = take_unexplained(gram_of(X), scores, 9, **given)
        assert path.indices.tolist() == by_regressions(X, scores, 9, floor)
        assert "explain at least 9" in path.stopped
    path = take_unexplained(gram_of(X), scores, 4, include=[3, 1])
    assert path.indices.tolist() == by_regressions(X, scores, 4, 0.1, include=[3, 1])


@pytest.mark.parametrize("seed", range(3))
def test_on_mutual_information_the_closest_kept_column_counts(seed):
    rng = np.random.default_rng(seed)
    M = rng.uniform(0, 1, (9, 9))
    M = np.maximum(M, M.T)
    np.fill_diagonal(M, 1)
    scores, kept = rng.uniform(0, 1, 9), []
    while True:
        share = 1 - M[kept].max(axis=0) if kept else np.ones(9)
        gains = np.where(share > 0.3, scores * share, -np.inf)
        if np.isneginf(gains).all():
            break
        kept.append(int(gains.argmax()))
    path = take_unexplained(Information(M), scores, 9, redundant_at=0.7)
    assert path.indices.tolist() == kept
    assert path.retained[-1] == pytest.approx(M[kept].max(axis=0).mean())


def test_without_correlations_the_order_is_that_of_the_scores():
    scores = np.array([0.2, 0.9, 0.5, 0.5])
    assert take_unexplained(DenseGram(np.eye(4)), scores, 4).indices.tolist() == [1, 2, 3, 0]
    assert take_scored(DenseGram(np.eye(4)), scores, 3).indices.tolist() == [1, 2, 3]
    assert take_scored(Information(np.eye(4)), scores, 3).indices.tolist() == [1, 2, 3]
    assert take_scored(Information(np.eye(4)), scores, 2, smallest=True).indices.tolist() == [0, 2]


def test_of_two_copies_the_first_is_kept_and_the_other_redundant():
    G = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
    path = take_unexplained(DenseGram(G), np.array([0.4, 0.9, 0.9]), 3)
    assert path.indices.tolist() == [1, 0]
    assert path.weighing.reason(2, 1.0) == "redundant"


def test_columns_that_the_method_does_not_find_relevant_are_irrelevant():
    among = np.array([True, True, False, False])
    path = take_unexplained(
        DenseGram(np.eye(4) + 0.0), np.array([0.9, 0.5, 0.3, 0.0]), 2, among=among
    )
    assert path.indices.tolist() == [0, 1]
    assert [path.weighing.reason(j, 0.95) for j in (2, 3)] == ["irrelevant"] * 2


def test_a_column_that_may_not_be_chosen_from_is_never_taken():
    among = np.array([False, True, True])
    path = take_unexplained(DenseGram(np.eye(3)), np.array([0.9, 0.1, 0.2]), 3, among=among)
    assert path.indices.tolist() == [2, 1]


def test_shared_importance_is_given_back_to_all_that_explain_the_column():
    X, scores = correlated(3)
    expected = np.corrcoef(X, rowvar=False) ** 2 @ scores
    assert gram_of(X).pooled(scores) == pytest.approx(expected)
    M = np.corrcoef(X, rowvar=False) ** 2
    assert Information(M).pooled(scores) == pytest.approx(M @ scores)
