import numpy as np
import pytest
from sklearn.datasets import load_wine
from tests.algorithms.wrappers.searching import problem, searched, table

from tamis.algorithms.wrappers.steps import backward_search, select_backward

FIGURE_9 = {
    **{"ABCD": 71, "ABC": 70, "ABD": 74, "ACD": 72, "BCD": 68},
    **{"AB": 76, "AD": 73, "BD": 75, "AC": 70, "BC": 69, "CD": 66},
    **{"A": 70, "B": 76, "C": 60, "D": 65, "": 50},
}


def figure_9(columns):
    return FIGURE_9["".join("ABCD"[j] for j in columns)]


def test_the_walk_of_cunninghams_figure_9():
    found, kept, evaluate = searched(backward_search, figure_9, 4, accept_ties=False)
    assert sorted(kept) == [0, 1]
    levels = found.evidence["levels"]
    assert [level.taken for level in levels] == [2, 3, None]
    assert found.evidence["start"] == 71
    assert [max(level.scores) for level in levels] == [74, 76, 76]
    assert evaluate.evaluations == 1 + 4 + 3 + 2  # of 16 sets


def test_at_the_same_score_the_smaller_set_wins_unless_ties_are_refused():
    assert searched(backward_search, figure_9, 4)[1] == [1]


def test_a_number_of_columns_is_reached_whatever_it_costs():
    _, kept, _ = searched(backward_search, figure_9, 4, 1)
    assert kept == [1]
    _, kept, _ = searched(backward_search, figure_9, 4, 3, accept_ties=False)
    assert kept == [1, 0, 3]  # by what the score loses without: 73, 75, 76 of 74


def test_columns_to_include_are_never_removed():
    found, kept, _ = searched(backward_search, figure_9, 4, 2, [3])
    assert kept[0] == 3
    assert kept == [3, 1]
    assert np.isnan(found.scores[3])


def slow_backward(score, width):
    current = list(range(width))
    while len(current) > 1:
        tried = {j: round(score([i for i in current if i != j]), 12) for j in current}
        best = max(tried.values())
        if best < round(score(current), 12):
            break
        current.remove(max(j for j in current if tried[j] == best))
    return current


@pytest.mark.parametrize("seed", range(5))
def test_the_definition_gives_the_same_columns(seed):
    score = problem(seed)
    assert sorted(searched(backward_search, score, 10)[1]) == slow_backward(score, 10)


def test_a_budget_ends_the_search_with_what_it_has():
    _, kept, evaluate = searched(backward_search, problem(0), 10, budget=25)
    assert evaluate.evaluations == 25
    assert evaluate.stopped == "the budget of 25 evaluations was used up"
    assert len(kept) == 8  # 1 + 10 + 9 sets, and of the next level 5, none of them better
    _, kept, _ = searched(backward_search, problem(0), 10, 4, budget=25)
    assert len(kept) == 4


def test_the_method_gives_all_columns_in_order_and_how_many_to_keep():
    X, y = load_wine(return_X_y=True)
    path = select_backward(table(X, y), 5)
    assert sorted(path.indices.tolist()) == list(range(13))
    assert len(path.kept) == path.size == 5
    assert path.evidence.test_rows == 34
    scores = path.scores[path.kept]
    assert (np.diff(scores) <= 0).all()
