"""Importance by mutual information: the answers of the card, invariants, edge cases."""

import numpy as np
import pytest

from tamis.algorithms.information.importance import score_importance, take_informative
from tamis.statistics.shared_information import Information


def test_scores_of_the_card(card):
    found = score_importance(Information(card))
    np.testing.assert_allclose(found, [0.87970, 0.87970, 0.99033, 1.05028], atol=1e-5)
    assert found.sum() == pytest.approx(3.8)


def test_scores_add_up_to_the_eigenvalues_used():
    rng = np.random.default_rng(0)
    A = rng.random((9, 9))
    M = (A + A.T) / 2
    np.fill_diagonal(M, 1.0)
    values = np.sort(np.linalg.eigvalsh(M))[::-1]
    assert values[-1] < 0  # such a matrix need not be positive definite
    positive = np.maximum(values, 0)
    for threshold in (0.3, 0.6, 0.9):
        count = int(np.argmax(np.cumsum(positive) / positive.sum() > threshold)) + 1
        found = score_importance(Information(M), threshold).sum()
        assert found == pytest.approx(values[:count].sum())


def test_the_share_is_the_mean_of_the_best_link(card):
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    path = take_informative(Information(card), 3, scores, include=[2])
    assert path.indices.tolist() == [2, 0, 1]
    for step in range(1, 4):
        expected = card[path.indices[:step]].max(axis=0).mean()
        assert path.retained[step - 1] == pytest.approx(expected)


def test_a_share_is_reached_with_just_enough_columns(card):
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    path = take_informative(Information(card), 4, scores, retain=0.55)
    assert path.retained[-1] >= 0.55
    assert len(path.indices) == 2
    assert path.retained[-2] < 0.55
