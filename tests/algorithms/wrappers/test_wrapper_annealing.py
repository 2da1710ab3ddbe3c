import numpy as np
import pytest
from tests.algorithms.wrappers.searching import exhaustive, problem, searched

from tamis.algorithms.wrappers.wrapper_annealing import annealing_search


@pytest.mark.slow
@pytest.mark.parametrize(("k", "problems"), [(None, 20), (4, 5)])
def test_the_best_of_all_sets_is_found_on_twenty_random_problems(k, problems):
    for seed in range(problems):
        score = problem(seed)
        _, kept, evaluate = searched(annealing_search, score, 10, k)
        assert evaluate.scores[frozenset(kept)] == exhaustive(score, 10, k)
        assert k is None or {len(columns) for columns in evaluate.scores} == {k}


def test_the_best_so_far_never_falls_and_worse_sets_are_taken_at_first():
    found, kept, evaluate = searched(annealing_search, problem(1), 10)
    points = found.evidence["points"]
    assert (np.diff([point.best for point in points]) >= 0).all()
    assert points[-1].best == evaluate.scores[frozenset(kept)]
    falls = np.flatnonzero(np.diff([point.current for point in points]) < 0)
    assert np.count_nonzero(falls < len(points) // 3) > np.count_nonzero(falls > len(points) // 2)


@pytest.mark.parametrize("temperature", [0.0, 1e-12])
def test_when_it_is_cold_no_worse_set_is_ever_taken(temperature):
    for seed in range(5):
        score = problem(seed)
        found, _, _ = searched(annealing_search, score, 10, temperature=temperature)
        current = [point.current for point in found.evidence["points"]]
        assert (np.diff(current) >= 0).all()


def test_a_known_answer_of_three_columns():
    _, kept, _ = searched(annealing_search, lambda s: -len({2, 5, 7} ^ {*s}), 9)
    assert sorted(kept) == [2, 5, 7]


def test_columns_to_include_are_in_every_set():
    for k in (None, 3):
        _, kept, evaluate = searched(annealing_search, problem(2), 10, k, [4])
        assert kept[0] == 4
        assert all(4 in columns for columns in evaluate.scores)


def test_a_budget_ends_the_search_with_the_best_so_far():
    _, kept, evaluate = searched(annealing_search, problem(0), 10, budget=70)
    assert evaluate.evaluations == 70
    assert evaluate.scores[frozenset(kept)] == max(evaluate.scores.values())


@pytest.mark.parametrize(("width", "k", "include"), [(1, None, []), (3, 3, []), (3, 2, [0, 2])])
def test_without_a_choice_there_is_no_search(width, k, include):
    _, kept, evaluate = searched(annealing_search, lambda _: 1.0, width, k, include)
    assert len(kept) == (k or 1)
    assert evaluate.evaluations == 1
