"""`naive-fs`: the order of the card, ties, include."""

import numpy as np

from tamis.algorithms.information.importance import most_important, score_importance
from tamis.statistics.shared_information import Information


def test_the_order_of_the_card(card):
    assert most_important(Information(card), 4).indices.tolist() == [3, 2, 0, 1]


def test_the_order_is_that_of_the_scores():
    A = np.random.default_rng(1).random((12, 12))
    M = (A + A.T) / 2 + np.eye(12)
    M /= M.max()
    path = most_important(Information(M), 12)
    assert (
        path.indices.tolist()
        == np.argsort(-score_importance(Information(M)), kind="stable").tolist()
    )
    assert path.retained[-1] == 1.0 or path.retained[-1] <= 1.0


def test_included_columns_come_first(card):
    assert most_important(Information(card), 3, include=[1]).indices.tolist() == [1, 3, 2]
