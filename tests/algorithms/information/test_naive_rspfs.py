"""`naive-rspfs`: leaves by depth, ties by importance or table order."""

import numpy as np

from tamis.algorithms.information.importance import first_split_off
from tamis.statistics.shared_information import Information


def test_a_caterpillar_gives_the_order_in_which_columns_split_off(caterpillar):
    M = caterpillar(20)
    path = first_split_off(Information(M), 18)
    assert path.indices.tolist() == np.argsort(M.sum(axis=0), kind="stable")[:18].tolist()


def test_equal_depths_are_ordered_by_importance_or_by_place(card):
    assert first_split_off(Information(card), 4).indices.tolist() == [3, 2, 0, 1]
    by_place = first_split_off(Information(card), 4, tie_break="index")
    assert by_place.indices.tolist() == [0, 1, 2, 3]


def test_the_tree_is_part_of_the_result(card):
    path = first_split_off(Information(card), 2)
    assert path.tree.nested(range(4)) == [[2, 3], [0, 1]]


def test_nearer_leaves_always_come_first():
    A = np.random.default_rng(0).random((25, 25))
    M = (A + A.T) / 2
    np.fill_diagonal(M, 1.0)
    path = first_split_off(Information(M), 25)
    assert (np.diff(path.tree.depth[path.indices]) >= 0).all()
