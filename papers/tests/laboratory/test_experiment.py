import pytest
from papers.tests.toys import FAILING, MEANS, NOISE

from tamis.errors import TamisError
from tamis.progress import send_progress
from tamis_papers.laboratory.cells import CellFile
from tamis_papers.laboratory.experiment import count_workers, list_jobs, run_jobs
from tamis_papers.laboratory.outcome import make_outcome
from tamis_papers.laboratory.tables import find_tables

TOYS = (MEANS, NOISE)


def run(protocols, path=None, *, quick=False, n_jobs=1):
    shelf = find_tables(["iris", "stars"], None)
    jobs = list_jobs(protocols, shelf, quick=quick)
    return shelf, jobs, run_jobs(jobs, shelf, CellFile(path), n_jobs)


def answers(work):
    return {key: (one.answer, one.failed) for key, one in work.answers.items()}


def test_every_cell_gets_its_own_copy_of_the_table():
    _, _, work = run([MEANS])
    assert work.answers["toy-means", "iris 0"].answer == {
        "mean": pytest.approx(5.843333),
        "rows": 150,
    }
    assert work.answers["toy-means", "iris 1"].answer["mean"] == pytest.approx(3.057333)


def test_cells_whose_table_is_missing_do_not_run():
    shelf, jobs, work = run([MEANS])
    assert ("toy-means", "stars 0") not in work.answers
    outcome = make_outcome(MEANS, jobs, work.answers, shelf.lacking)
    assert outcome.missing == {"stars": ["stars 0"]}
    assert outcome.computed == 2


@pytest.mark.slow
def test_two_processes_give_the_same_answers():
    assert answers(run(TOYS, n_jobs=2)[2]) == answers(run(TOYS)[2])


def test_finished_cells_are_not_computed_again(tmp_path):
    path = tmp_path / "cells.jsonl"
    first = run(TOYS, path, quick=True)[2]
    assert (first.restored, len(first.answers)) == (0, 2)
    second = run(TOYS, path)[2]
    assert (second.restored, len(second.answers)) == (2, 6)
    assert answers(second) == answers(run(TOYS)[2])


def test_a_cell_that_fails_does_not_lose_the_others(tmp_path):
    shelf, jobs, work = run([FAILING, NOISE], tmp_path / "cells.jsonl")
    outcome = make_outcome(FAILING, jobs, work.answers, shelf.lacking)
    assert outcome.failed == {
        "broken": "ZeroDivisionError: division by zero",
        "refused": "The toy has no wheels: give it four.",
        "strange": "TypeError: an answer must be plain values, not object",
    }
    assert [figure.name for figure in outcome.figures] == ["good"]
    assert make_outcome(NOISE, jobs, work.answers, shelf.lacking).computed == 4
    # What failed is tried again.
    assert run([FAILING, NOISE], tmp_path / "cells.jsonl")[2].restored == 5


def test_an_error_in_what_is_made_of_the_answers_is_said_and_no_more():
    broken = type(NOISE)(**{**vars(NOISE), "claims": lambda results: results["no such cell"]})
    shelf, jobs, work = run([broken])
    outcome = make_outcome(broken, jobs, work.answers, shelf.lacking)
    assert outcome.failed == {"claims": "KeyError: 'no such cell'"}
    assert len(outcome.figures) == 4


def test_progress_names_what_is_running():
    heard = []
    with send_progress(lambda *told: heard.append(told)):
        run([NOISE])
    assert heard[0] == ("cells computed, now toy-noise", 0, 4)
    assert heard[-1] == ("cells computed", 4, 4)


def test_no_processes_are_refused():
    assert count_workers(None) >= 1
    assert count_workers(3) == 3
    with pytest.raises(TamisError, match="n_jobs=0: give at least 1"):
        count_workers(0)
