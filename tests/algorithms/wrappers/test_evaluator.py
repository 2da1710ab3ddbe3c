import numpy as np
import pytest
from sklearn.datasets import load_wine
from tests.algorithms.wrappers.searching import table

from tamis.algorithms.wrappers.evaluator import Evaluator, ExhaustedError
from tamis.algorithms.wrappers.lots import select_annealing, select_genetic
from tamis.algorithms.wrappers.steps import select_backward, select_forward
from tamis.errors import TamisError
from tamis.progress import send_progress

SETS = [frozenset([j]) for j in range(6)]
SMALL = {
    select_forward: {},
    select_backward: {},
    select_genetic: {"population": 8, "generations": 3},
    select_annealing: {"max_evaluations": 30},
}


def first(columns):
    return columns[0] / 10


def test_every_set_is_scored_once():
    asked = []

    def score(columns):
        asked.append(columns)
        return 0.0

    with Evaluator(score) as evaluate:
        evaluate.many([*SETS, *SETS])
        evaluate(SETS[2])
    assert asked == [[j] for j in range(6)]
    assert (evaluate.evaluations, evaluate.requests) == (6, 13)


def test_scores_that_differ_by_rounding_are_equal():
    with Evaluator(lambda columns: 0.1 + 0.2 if columns == [0] else 0.3) as evaluate:
        assert len(set(evaluate.many(SETS))) == 1


def test_a_budget_of_evaluations_stops_after_exactly_so_many():
    with Evaluator(first, max_evaluations=4) as evaluate, pytest.raises(ExhaustedError):
        evaluate.many(SETS)
    assert list(evaluate.scores) == SETS[:4]
    assert evaluate.many(SETS[:4]) == [0.0, 0.1, 0.2, 0.3]


def test_a_budget_of_seconds_stops_between_evaluations(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("tamis.algorithms.wrappers.evaluator.time.monotonic", lambda: clock[0])

    def slow(columns):
        clock[0] += 2.0
        return first(columns)

    with Evaluator(slow, max_seconds=3) as evaluate, pytest.raises(ExhaustedError):
        evaluate.many(SETS)
    assert evaluate.evaluations == 2
    assert evaluate.stopped == "the 3 seconds were used up"


def test_progress_gives_the_best_so_far():
    heard = []
    with send_progress(lambda *state: heard.append(state)), Evaluator(first) as evaluate:
        evaluate.many([SETS[3], SETS[1]])
    label = "sets of columns tried, best score 0.3000"
    assert heard == [(label, 1, None), (label, 2, None)]


def test_no_processes_at_all_are_refused():
    with pytest.raises(TamisError, match="n_jobs=0: give at least 1, or -1"):
        Evaluator(first, n_jobs=0)


@pytest.mark.slow
@pytest.mark.parametrize("method", SMALL, ids=lambda method: method.__name__)
def test_the_number_of_processes_does_not_change_the_answer(method):
    X, y = load_wine(return_X_y=True)
    rows = table(X[::2, :7], y[::2])
    one, two = (
        method(rows, 3, learner="tree", cv=3, n_jobs=n_jobs, **SMALL[method]) for n_jobs in (1, 2)
    )
    assert one.indices.tolist() == two.indices.tolist()
    assert one.evidence == two.evidence
    np.testing.assert_array_equal(one.scores, two.scores)
