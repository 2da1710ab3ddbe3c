import numpy as np

from tamis.algorithms.wrappers.evaluator import Evaluator
from tamis.algorithms.wrappers.job import Scope
from tamis.algorithms.wrappers.lots import best_tried, make_result, only_set, random_set


def test_random_sets_have_the_size_and_the_columns_they_must_have():
    rng = np.random.default_rng(0)
    sets = [random_set(Scope(6, 3, (4,), 0), rng) for _ in range(50)]
    assert {len(columns) for columns in sets} == {3}
    assert all(4 in columns for columns in sets)
    sizes = {len(random_set(Scope(4, None, (), 0), rng)) for _ in range(200)}
    assert sizes == {1, 2, 3, 4}


def test_where_there_is_no_choice_the_one_set_is_known():
    assert only_set(Scope(3, 3, (), 0)) == frozenset(range(3))
    assert only_set(Scope(3, 1, (2,), 0)) == frozenset([2])
    assert only_set(Scope(3, 2, (2,), 0)) is None
    assert only_set(Scope(1, None, (), 0)) == frozenset([0])


def test_of_equal_scores_the_smaller_set_is_better():
    sets = [frozenset(columns) for columns in ([0, 1], [2], [3])]
    with Evaluator(lambda _: 0.5) as evaluate:
        evaluate.many(sets)
    assert best_tried(evaluate, Scope(4, None, (), 0)) == sets[1]  # the first of two


def test_a_penalty_is_paid_for_every_column():
    scope = Scope(4, None, (), 0)
    with Evaluator(lambda columns: 0.5 + 0.01 * len(columns)) as evaluate:
        evaluate.many([frozenset([0]), frozenset(range(4))])
    assert best_tried(evaluate, scope) == frozenset(range(4))
    assert best_tried(evaluate, scope, penalty=0.1) == frozenset([0])


def test_columns_of_the_best_set_are_ordered_by_what_they_do():
    worth = np.array([0.0, 2.0, 1.0])
    scope = Scope(3, None, (), 0)
    with Evaluator(lambda columns: float(worth[list(columns)].sum())) as evaluate:
        evaluate.many([frozenset(s) for s in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2])])
    result = make_result(evaluate, scope, frozenset([0, 1, 2]), (), "best")
    assert (result.order, result.size) == ([1, 2, 0], 3)
