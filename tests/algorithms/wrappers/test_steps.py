import numpy as np

from tamis.algorithms.wrappers.evaluator import Evaluator
from tamis.algorithms.wrappers.job import Scope
from tamis.algorithms.wrappers.steps import walk

WORTH = np.array([0.3, -0.2, 0.5, 0.0])


def walked(adding, k=None, include=()):
    with Evaluator(lambda columns: float(WORTH[list(columns)].sum())) as evaluate:
        return walk(evaluate, Scope(4, k, include, 0), lambda new, old: new > old, adding=adding)


def test_columns_are_added_while_the_score_rises():
    result = walked(adding=True)
    assert (result.order, result.size) == ([2, 0], 2)


def test_columns_are_removed_while_the_score_rises_and_the_removed_come_last():
    result = walked(adding=False)
    assert sorted(result.order[: result.size]) == [0, 2, 3]
    assert result.order[-1] == 1


def test_with_a_number_of_columns_the_walk_goes_on_to_it():
    assert walked(adding=True, k=3).order == [2, 0, 3]
    assert sorted(walked(adding=False, k=1).order[:1]) == [2]
    assert walked(adding=True, k=2, include=(1,)).order == [1, 2]


def test_the_gain_of_a_column_is_by_how_much_it_raised_the_score():
    np.testing.assert_allclose(walked(adding=True).scores, WORTH, atol=1e-12)
