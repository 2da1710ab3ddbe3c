"""`rspfs`: the answers of the card in both modes, and a literal loop as oracle."""

import numpy as np
import pytest

from tamis.algorithms.information.importance import important_and_distant, score_importance
from tamis.algorithms.information.tree import spectral_tree
from tamis.statistics.shared_information import Information


def test_the_orders_of_the_card(card):
    assert important_and_distant(Information(card), 4).indices.tolist() == [3, 0, 2, 1]
    divided = important_and_distant(Information(card), 4, distance="divide")
    assert divided.indices.tolist() == [3, 2, 0, 1]


@pytest.mark.parametrize("mode", ["multiply", "divide"])
def test_a_literal_loop_takes_the_same_columns(mode):
    A = np.random.default_rng(2).random((18, 18))
    M = (A + A.T) / 2
    np.fill_diagonal(M, 1.0)
    scores, tree = score_importance(Information(M)), spectral_tree(M)
    taken = [int(scores.argmax())]
    while len(taken) < 18:
        value = {}
        for j in set(range(18)) - set(taken):
            mean = np.mean([tree.distances(r)[j] for r in taken])
            value[j] = scores[j] * mean if mode == "multiply" else scores[j] / mean
        taken.append(max(sorted(value), key=value.get))
    path = important_and_distant(Information(M), 18, distance=mode)
    assert path.indices.tolist() == taken


def test_neighbours_in_sonar_lie_near_in_the_tree(real):
    from tamis.sources.arrays import ArraySource
    from tamis.statistics.mutual_information import collect_information

    found = collect_information(ArraySource(real("sonar")), range(60), binning="width")
    distance = spectral_tree(found.statistic.matrix).distances(4)
    assert distance[5] < distance[7]  # the paper's figure 6: v5 is near v6, far from v8
