import numpy as np

from tamis.algorithms.greedy import UnsharedInformation, search
from tamis.statistics.shared_information import Information

M = np.array([[1.0, 0.8, 0.1, 0.0], [0.8, 1.0, 0.2, 0.0], [0.1, 0.2, 1.0, 0.3], [0, 0, 0.3, 1.0]])


def taken(k, score=None, **options):
    left = UnsharedInformation(Information(M), k)
    return search(left, k, score or (lambda left, _: left.left), **options)


def test_each_column_is_the_one_of_which_most_is_unexplained():
    # After 0: left is 0, 0.2, 0.9, 1; after 3: 0, 0.2, 0.7, 0.
    assert taken(3).indices.tolist() == [0, 3, 2]


def test_the_share_is_the_mean_of_what_is_shared_with_the_best_taken_column():
    np.testing.assert_allclose(
        taken(2).retained, [(1 + 0.8 + 0.1 + 0) / 4, (1 + 0.8 + 0.3 + 1) / 4]
    )


def test_it_ends_once_the_share_is_reached_but_takes_what_is_included():
    assert taken(4, retain=0.7).indices.tolist() == [0, 3]
    assert taken(4, retain=0.1, include=[2, 1]).indices.tolist() == [2, 1]


def test_equal_scores_are_decided_by_the_tie_rule():
    def equal(left, _):
        return np.ones(len(left.left))

    assert taken(1, equal).indices.tolist() == [0]
    assert taken(1, equal, tie=lambda left: left.start * [0, 2, 3, 1]).indices.tolist() == [2]


def test_no_column_that_is_not_usable_is_taken():
    path = taken(4, usable=lambda left: left.free & np.array([False, True, True, False]))
    assert sorted(path.indices.tolist()) == [1, 2]
