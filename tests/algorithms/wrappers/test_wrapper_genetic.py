import numpy as np
import pytest
from tests.algorithms.wrappers.searching import exhaustive, problem, searched, table

from tamis.algorithms.wrappers.lots import genetic_search, select_genetic
from tamis.errors import TamisError


@pytest.mark.slow
@pytest.mark.parametrize(("k", "problems"), [(None, 20), (4, 5)])
def test_the_best_of_all_sets_is_found_on_twenty_random_problems(k, problems):
    for seed in range(problems):
        score = problem(seed)
        _, kept, evaluate = searched(genetic_search, score, 10, k)
        assert evaluate.scores[frozenset(kept)] == exhaustive(score, 10, k)
        assert k is None or {len(columns) for columns in evaluate.scores} == {k}


def test_the_best_so_far_never_falls_and_the_last_best_is_kept():
    found, kept, evaluate = searched(genetic_search, problem(1, width=30), 30)
    best = [point.best for point in found.evidence["points"]]
    assert (np.diff(best) >= 0).all()
    assert best[-1] == evaluate.scores[frozenset(kept)] == max(evaluate.scores.values())
    assert len(best) <= 50


def test_a_known_answer_of_three_columns():
    _, kept, _ = searched(genetic_search, lambda s: -len({2, 5, 7} ^ {*s}), 9)
    assert sorted(kept) == [2, 5, 7]


def test_columns_to_include_are_in_every_set():
    for k in (None, 3):
        _, kept, evaluate = searched(genetic_search, problem(2), 10, k, [4])
        assert kept[0] == 4
        assert all(4 in columns for columns in evaluate.scores)


def test_a_penalty_makes_the_set_smaller():
    sizes = [len(searched(genetic_search, problem(3), 10, penalty=p)[1]) for p in (0.0, 0.05, 5.0)]
    assert sizes[0] >= sizes[1] >= sizes[2] == 1


def test_the_seed_decides_and_nothing_else():
    one, two = (searched(genetic_search, problem(0, 20), 20, random_state=5) for _ in range(2))
    assert one[1] == two[1]
    assert list(one[2].scores) == list(two[2].scores)
    other = searched(genetic_search, problem(0, 20), 20, random_state=6)
    assert list(other[2].scores) != list(one[2].scores)


def test_a_budget_ends_the_search_with_the_best_so_far():
    _, kept, evaluate = searched(genetic_search, problem(0), 10, budget=70)
    assert evaluate.evaluations == 70
    assert evaluate.scores[frozenset(kept)] == max(evaluate.scores.values())


@pytest.mark.parametrize(("width", "k", "include"), [(1, None, []), (3, 3, []), (3, 2, [0, 2])])
def test_without_a_choice_there_is_no_search(width, k, include):
    _, kept, evaluate = searched(genetic_search, lambda _: 1.0, width, k, include)
    assert len(kept) == (k or 1)
    assert evaluate.evaluations == 1


def test_early_stopping_keeps_the_set_that_is_best_on_rows_it_was_not_bred_on():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((150, 30)), rng.integers(2, size=150)
    X[:, 4] += y
    long = select_genetic(table(X, y), None).evidence
    early = select_genetic(table(X, y), None, early_stopping=True).evidence
    assert early.evaluations < long.evaluations
    assert early.score < max(point.best for point in early.points)
    with pytest.raises(TamisError, match="early_stopping=True: 30 rows are too few"):
        select_genetic(table(X[:30], y[:30]), None, early_stopping=True)
