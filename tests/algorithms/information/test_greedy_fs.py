"""`greedy-fs`: the order of the card, a literal loop as oracle, unrelated columns."""

import numpy as np
import pytest

from tamis.algorithms.information.importance import important_and_new, score_importance
from tamis.statistics.shared_information import Information


def test_the_order_of_the_card(card):
    assert important_and_new(Information(card), 4).indices.tolist() == [3, 0, 2, 1]


def literal(M, q):
    scores, taken = score_importance(Information(M)), []
    for _ in range(q):
        best, pick = -1.0, None
        for j in range(len(M)):
            if j in taken:
                continue
            mean = sum(M[r, j] for r in taken) / len(taken) if taken else None
            value = scores[j] / max(mean, 1e-12) if taken else scores[j]
            if value > best:
                best, pick = value, j
        taken.append(pick)
    return taken


@pytest.mark.parametrize("seed", range(4))
def test_a_literal_loop_takes_the_same_columns(seed):
    A = np.random.default_rng(seed).random((15, 15)) / 2
    M = (A + A.T) / 2
    np.fill_diagonal(M, 1.0)
    assert important_and_new(Information(M), 15).indices.tolist() == literal(M, 15)


def test_a_column_that_shares_nothing_wins_outright():
    M = np.array([[1, 0.5, 0.5, 0], [0.5, 1, 0.5, 0], [0.5, 0.5, 1, 0], [0, 0, 0, 1.0]])
    first, second = important_and_new(Information(M), 2).indices.tolist()
    assert {first, second} == {first, 3}
