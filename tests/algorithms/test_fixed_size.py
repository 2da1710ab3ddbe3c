import numpy as np

from tamis.algorithms.orders import find_smallest, order_by_gain
from tamis.algorithms.path import Path
from tamis.statistics.gram import DenseGram

GRAM = DenseGram(np.diag([1.0, 4.0, 2.0, 8.0]))


def test_a_set_is_put_in_the_order_in_which_each_column_adds_most():
    path = order_by_gain(GRAM, np.array([0, 1, 3]), np.zeros(4))
    assert path.indices.tolist() == [3, 1, 0]
    np.testing.assert_allclose(path.retained, np.array([8, 12, 13]) / 15)


def test_columns_to_include_come_first():
    assert order_by_gain(GRAM, np.array([0, 1, 3]), np.zeros(4), include=[0]).indices.tolist() == [
        0,
        3,
        1,
    ]


def found(size):
    return Path(np.arange(size), np.linspace(0.1, 0.1 * size, size))


def test_the_smallest_number_that_reaches_the_share_is_found():
    assert len(find_smallest(found, 9, 0.55).kept) == 6
    assert len(find_smallest(found, 9, 0.05).kept) == 1
    assert len(find_smallest(found, 9, 0.05, least=3).kept) == 3


def test_a_share_that_cannot_be_reached_gives_all_columns_allowed():
    assert len(find_smallest(found, 4, 0.9).kept) == 4
