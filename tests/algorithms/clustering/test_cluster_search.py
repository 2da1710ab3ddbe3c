import numpy as np

from tamis.algorithms.clustering.cluster_search import search_columns
from tamis.numerics.row_chunks import draw_rows


class Judge:
    """A judge whose criterion is a sum, and who wants a column if its worth is positive."""

    def __init__(self, worth):
        self.worth = worth

    def value(self, subset):
        return sum(self.worth[j] for j in subset)

    def clusters(self, subset):
        return len(subset) + 1

    def prefers_larger(self, small, large):
        return self.value(large) > self.value(small)


WORTH = [0.1, 0.5, -0.3, 0.4]


def test_columns_are_added_best_first_while_that_is_better():
    taken, steps, _ = search_columns(Judge(WORTH), 4, None)
    assert taken.tolist() == [1, 3, 0]
    assert [clusters for _, _, clusters in steps] == [2, 3, 4]


def test_columns_are_removed_worst_first_while_that_is_better():
    taken, steps, _ = search_columns(Judge(WORTH), 4, None, backward=True)
    assert taken.tolist() == [0, 1, 3]
    assert [column for column, _, _ in steps] == [2]


def test_with_a_number_of_columns_the_search_goes_on_to_it():
    assert search_columns(Judge(WORTH), 4, 4)[0].tolist() == [1, 3, 0, 2]
    assert search_columns(Judge(WORTH), 4, 1, backward=True)[0].tolist() == [1]
    assert search_columns(Judge(WORTH), 4, 2, include=[2])[0].tolist() == [2, 1]


def test_a_sample_of_rows_is_in_order_repeatable_and_whole_if_small():
    assert draw_rows(5, 9, 0).tolist() == [0, 1, 2, 3, 4]
    rows = draw_rows(100, 10, 0)
    assert (np.diff(rows) > 0).all()
    assert rows.tolist() == draw_rows(100, 10, 0).tolist()
    assert len(rows) == 10
