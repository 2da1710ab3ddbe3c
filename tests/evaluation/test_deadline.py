import pytest

from tamis.evaluation.contest import Deadline, OutOfTime
from tamis.progress import track


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("tamis.evaluation.contest.time.monotonic", lambda: now[0])
    return now


def test_time_runs_out_and_a_part_has_its_share(clock):
    deadline = Deadline(10.0)
    assert (deadline.left, deadline.part(0.25).left) == (10.0, 2.5)
    clock[0] += 10.0
    assert deadline.over


@pytest.mark.usefixtures("clock")
def test_one_method_may_take_half_of_what_is_left_or_half_a_minute():
    assert Deadline(10.0).affords(5.0)
    assert not Deadline(10.0).affords(5.1)
    assert Deadline(None).affords(30.0)
    assert not Deadline(None).affords(31.0)


def test_work_that_reports_progress_ends_when_its_share_is_used_up(clock):
    done = []

    def work():
        for step in track("steps", range(10)):
            clock[0] += 2.0
            done.append(step)

    with pytest.raises(OutOfTime), Deadline(10.0).limit_share(0.5):
        work()
    assert done == [0, 1, 2]


def test_without_a_budget_nothing_ends(clock):
    with Deadline(None).limit_share(0.1):
        for _ in track("steps", range(3)):
            clock[0] += 1e9
    assert not Deadline(None).over
