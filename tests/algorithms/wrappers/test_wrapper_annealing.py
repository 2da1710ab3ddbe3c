import numpy as np
import pytest
from tests.algorithms.wrappers.searching import exhaustive, problem, searched, table

from tamis.algorithms.wrappers.lots import annealing_search, select_annealing
from tamis.errors import TamisError


@pytest.mark.slow
@pytest.mark.parametrize(("k", "problems"), [(None, 20), (4, 5)])
@pytest.mark.nightly
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


def test_early_stopping_keeps_the_set_that_is_best_on_rows_it_was_not_found_on():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((150, 12)), rng.integers(2, size=150)
    X[:, 4] += y
    long = select_annealing(table(X, y), None).evidence
    early = select_annealing(table(X, y), None, early_stopping=True).evidence
    assert early.evaluations < long.evaluations
    assert len(early.points) < len(long.points) / 2
    assert 4 in early.kept
    with pytest.raises(TamisError, match="early_stopping=True: 30 rows are too few"):
        select_annealing(table(X[:30], y[:30]), None, early_stopping=True)


def test_early_stopping_gives_the_last_best_set_that_improved_on_the_rows_set_aside():
    # On the rows of the search every column helps; on the others only the first two do.
    tried = []

    def validate(columns):
        tried.append(frozenset(columns))
        return len({0, 1} & {*columns}) - 0.1 * len(columns)

    _, kept, _ = searched(annealing_search, len, 8, validate=validate, early_stopping=True)
    merits = [len({0, 1} & one) - 0.1 * len(one) for one in tried]
    assert frozenset(kept) == tried[int(np.argmax(merits))]
    assert len(tried) == int(np.argmax(merits)) + 1 + 20
