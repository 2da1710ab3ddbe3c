"""One process at a time changes a file."""

import os
import threading
import time

import pytest

from tamis.errors import TamisError
from tamis.sources import draft
from tamis.sources.draft import lock_file, replace_file


@pytest.fixture(params=["of the system", "beside the file", "not on this disk"])
def number(request, tmp_path, monkeypatch):
    """Make a file with a number, and take the locks of the system away."""
    if request.param == "beside the file":
        monkeypatch.setattr(draft, "fcntl", None)
    elif request.param == "not on this disk":
        monkeypatch.setattr(draft.fcntl, "flock", _refuse)
    (tmp_path / "number").write_text("0")
    return tmp_path / "number"


def _refuse(*_):
    raise OSError("no locks available")


def _add_one(path):
    with lock_file(path):
        value = int(path.read_text())
        time.sleep(0.001)
        with replace_file(path) as draft:
            draft.write_text(str(value + 1))


def test_every_change_counts_where_several_come_at_once(number):
    threads = [threading.Thread(target=_add_one, args=[number]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert number.read_text() == "8"
    assert [path.name for path in number.parent.iterdir()] == ["number"]


def test_the_lock_of_a_killed_process_is_taken_away_after_a_while(tmp_path, monkeypatch):
    monkeypatch.setattr(draft, "fcntl", None)
    left = tmp_path / ".number.lock"
    left.touch()
    os.utime(left, (0, 0))
    with lock_file(tmp_path / "number"):
        assert left.stat().st_mtime > 0
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_locked_is_one_sentence(tmp_path):
    with pytest.raises(TamisError, match="Cannot write"), lock_file(tmp_path / "none" / "a.tamis"):
        pass
