"""How the command ends when it is asked to, or when nobody can be written to."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis.cli import Ended, end_by_signals, main

TAMIS = [sys.executable, "-c", "from tamis.cli import main; main()"]


def test_a_signal_to_end_becomes_an_exception_and_is_given_back_afterwards() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Ended) as found, end_by_signals():
        signal.raise_signal(signal.SIGTERM)
    assert found.value.number == signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with end_by_signals():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_another_thread_changes_no_signals() -> None:
    seen: list[Any] = []

    def look() -> None:
        with end_by_signals():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [signal.SIG_DFL]


def test_sigterm_deletes_drafts_and_says_so_in_one_line(
    run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any, **__: Any) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr("tamis.results.output.write_table", stop)
    (folder / "kept.csv").write_text("before")
    seen = run("select", "table.csv", "-k", "2", "-o", "kept.csv")
    assert (seen.code, seen.err) == (143, "tamis: Stopped.\n")
    assert (folder / "kept.csv").read_text() == "before"
    assert {path.name for path in folder.iterdir()} == {"table.csv", "kept.csv"}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    X = np.random.default_rng(0).normal(size=(20, 4))
    path = tmp_path / "t.csv"
    np.savetxt(path, X, delimiter=",", header="a,b,c,d", comments="")
    return path


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("more", [["--json"], ["-o", "-"]])
def test_a_full_standard_output_is_one_sentence(more: list[str], table: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*TAMIS, "select", str(table), "-k", "2", *more],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.endswith(
        "tamis: Cannot write to standard output, or to the temporary folder: no space left on "
        "device.\n"
    )
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="uses a shell")
@pytest.mark.parametrize(
    ("asked", "closed", "code"),
    [
        ("select t.csv -k 2 -o kept.csv", ">&- 2>&-", 0),
        ("select t.csv -k 2 -o -", ">&-", 2),
        ("select nope.csv", "2>&-", 2),
        ("select nope.csv", "2>/dev/full", 2),
    ],
)
def test_closed_streams_leave_the_right_exit_code(
    asked: str, closed: str, code: int, table: Path
) -> None:
    command = f"'{sys.executable}' -c 'from tamis.cli import main; main()' {asked} {closed}"
    done = subprocess.run(command, shell=True, cwd=table.parent, capture_output=True, check=False)
    assert done.returncode == code
    assert b"Traceback" not in done.stdout + done.stderr
    assert (table.parent / "kept.csv").exists() is (code == 0)


def test_after_the_last_block_no_signal_stops_the_cleaning_up():
    code = (
        "import os, signal\n"
        "from tamis.cli import end_by_signals\n"
        "with end_by_signals(last=True):\n"
        "    pass\n"
        "for number in (signal.SIGINT, signal.SIGTERM):\n"
        "    os.kill(os.getpid(), number)\n"
        "print('done')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "done", "")


def test_an_error_that_a_signal_causes_is_the_end_it_asks_for(monkeypatch, capsys):
    def stop_in_a_lock(_):
        try:
            raise Ended(signal.SIGTERM)
        finally:
            raise RuntimeError("release unlocked lock")

    monkeypatch.setattr("tamis.cli._run", stop_in_a_lock)
    with pytest.raises(SystemExit) as ended:
        main([])
    assert (ended.value.code, capsys.readouterr().err) == (143, "tamis: Stopped.\n")


def test_an_error_without_a_signal_stays_what_it_is(monkeypatch):
    def fail(_):
        raise RuntimeError("a bug")

    monkeypatch.setattr("tamis.cli._run", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        main([])
