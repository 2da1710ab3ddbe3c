"""`python -m tests.fuzz.kills`: stop the command at random moments, over every kind of output.

Afterwards each output is what it was before or whole; after SIGTERM and SIGINT nothing else is
left, neither files nor processes. The command runs in forks of a process that has all it needs
loaded, so nearly every moment is one of its work; a command with workers starts afresh.
"""

import argparse
import atexit
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.fuzz.outputs import JOBS, TABLE, Job, make_table

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
_LONGEST = 120.0  # seconds for one command on a busy machine
_GRACE = 20.0  # seconds until workers must have seen that their parent is gone
_MODULES = (
    "tamis.cli.commands", "tamis.api.select", "tamis.api.summarise", "tamis_papers.api",
    "tamis.cli.results", "tamis.presentation.page.selection", "tamis.results.output",
    "tamis.presentation.terminal.selection", "matplotlib.pyplot", "openpyxl", "pyarrow.parquet",
    "pyarrow.csv", "sklearn.tree", "sklearn.ensemble", "sklearn.model_selection", "joblib",
)  # fmt: skip


@dataclass
class Kills:
    """How many commands were stopped or had ended before, and what was wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Place:
    """A folder for the files of a job, one for temporary ones, and what was there before."""

    def __init__(self, root: Path, job: Job) -> None:
        self.job, self.files, self.temporary = job, root / "files", root / "temporary"
        self.files.mkdir()
        self.temporary.mkdir()
        make_table(self.files)
        if job.before:
            _wait(_start(self, job.before), _LONGEST)
        else:
            for name in set(job.outputs) - set(job.keeps):
                (self.files / name).write_bytes(b"what was here before\n")
        self.before = {path.name: path.read_bytes() for path in self.files.iterdir()}

    def restore(self) -> None:
        """Make the folders what they were."""
        for path in (*self.files.iterdir(), *self.temporary.iterdir()):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name, data in (*self.before.items(), *((name, b"") for name in _STREAMS)):
            (self.files / name).write_bytes(data)

    def faults(self, *, killed: bool) -> list[str]:
        """Say what is torn or left behind."""
        found = []
        names = {path.name for path in self.files.iterdir() if path.name not in _STREAMS}
        extra = names - set(self.before) - set(self.job.outputs)
        left = sorted(path.name for path in self.temporary.iterdir())
        if not killed and (extra or left):
            found.append(f"left behind: {sorted(extra)} {left}")
        for name, check in self.job.outputs.items():
            if name in names:
                data = (self.files / name).read_bytes()
                if data != self.before.get(name) and not _passes(check, data):
                    found.append(f"torn: {name}, {len(data)} bytes")
            elif name in self.before:
                found.append(f"gone: {name}")
        printed = (self.files / "out").read_bytes()
        if self.job.printed and printed and not _passes(self.job.printed, printed):
            found.append(f"torn: what was printed, {len(printed)} bytes")
        return found


_STREAMS = ("out", "err")
_COMMAND = "from tamis.cli import main; main()"


def _passes(check: object, data: bytes) -> bool:
    assert callable(check)
    try:
        return bool(check(data))
    except Exception:  # whatever a reader raises, it could not read
        return False


def _start(place: Place, command: tuple[str, ...]) -> int:
    """Run the command in a fork of this process, in a session of its own."""
    sys.stdout.flush()
    # A signal must not reach the child before it is where a command would be: it still is a copy
    # of this process.
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    child = os.fork()
    if child:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        return child
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(place.files)
    os.environ["TMPDIR"] = str(place.temporary)
    tempfile.tempdir = None
    source = os.open(TABLE if place.job.piped else os.devnull, os.O_RDONLY)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, handle in enumerate((source, os.open("out", flags), os.open("err", flags))):
        os.dup2(handle, number)
    if place.job.fresh:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        os.execv(sys.executable, [sys.executable, "-c", _COMMAND, *command])
    os._exit(_run(command))


def _run(command: tuple[str, ...]) -> int:
    """Do what the interpreter does: run, clean up, and give the exit code."""
    from tamis.cli import main

    sys.argv = ["tamis", *command]
    code = 0
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        main()
    except SystemExit as stop:
        code = int(stop.code or 0)
    except KeyboardInterrupt:  # before the command has begun, or after its end
        code = 128 + signal.SIGINT
        os.write(2, b"tamis: Stopped.\n")
    except BaseException:
        traceback.print_exc()
        code = 1
    with suppress(BaseException):
        atexit._run_exitfuncs()
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    return code


def _wait(child: int, seconds: float) -> int:
    """Give the exit code, below 0 for a signal; a command that hangs is killed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 999


def _alive(session: int) -> list[int]:
    """List the processes of a session that have not ended."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, IndexError):
                state = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(state[3]) == session and state[0] != "Z":
                    found.append(int(entry.name))
    return found


def _stop_once(place: Place, number: int, moment: float, kills: Kills) -> None:
    place.restore()
    child = _start(place, place.job.command)
    time.sleep(moment)
    with suppress(ProcessLookupError):
        os.kill(child, number)
    code = _wait(child, _LONGEST)
    faults = place.faults(killed=number == signal.SIGKILL)
    expected = {0, -number} if number == signal.SIGKILL else {0, -number, 128 + number}
    said = (place.files / "err").read_text() if (place.files / "err").exists() else ""
    starting = place.job.fresh and "KeyboardInterrupt" in said  # the interpreter's own answer
    if code not in expected and not starting:
        faults.append(f"exit code {code}: {said[-300:]}")
    elif code == 128 + number and said != "tamis: Stopped.\n":
        faults.append(f"said {said[-300:]!r}")
    end = time.monotonic() + _GRACE
    while (left := _alive(child)) and time.monotonic() < end:
        time.sleep(0.05)
    if left:
        faults.append(f"processes alive after {_GRACE:.0f} s: {left}")
        for one in left:
            os.kill(one, signal.SIGKILL)
    kills.counts["ended before" if code == 0 else "stopped"] += 1
    name = signal.Signals(number).name
    kills.wrong += [f"{place.job.name}, {name} after {moment:.3f} s: {fault}" for fault in faults]


def stop_at_random(job: Job, moments: int, seed: int) -> Kills:
    """Stop one job by each signal at so many moments."""
    root = Path(tempfile.mkdtemp())  # a `TemporaryDirectory` would be deleted by the first fork
    try:
        return _stopped(Place(root, job), moments, seed)
    finally:
        shutil.rmtree(root)


def _stopped(place: Place, moments: int, seed: int) -> Kills:
    job, rng, kills = place.job, np.random.default_rng(seed), Kills()
    start = time.monotonic()
    code = _wait(_start(place, job.command), _LONGEST)
    took = time.monotonic() - start
    faults = place.faults(killed=False)
    if code or faults:
        said = (place.files / "err").read_text()
        kills.wrong.append(f"{job.name}, not stopped: code {code} {faults} {said[-300:]}")
    for number in SIGNALS:
        for moment in rng.uniform(0, took, moments):
            _stop_once(place, number, float(moment), kills)
    return kills


def load() -> None:
    """Import what the commands need, so that forks need not."""
    os.environ.setdefault("MPLBACKEND", "agg")
    for name in _MODULES:
        __import__(name)


def main() -> None:
    """Run all jobs and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.kills", description=__doc__)
    parser.add_argument("moments", type=int, nargs="?", default=30, help="for each signal")
    parser.add_argument("--jobs", default="", help="only jobs whose names contain this")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    load()
    total, wrong = Counter[str](), list[str]()
    for place, job in enumerate(JOBS):
        if given.jobs not in job.name:
            continue
        kills = stop_at_random(job, given.moments, given.seed + place)
        sys.stdout.write(f"{job.name}: {dict(kills.counts)}, {len(kills.wrong)} wrong\n")
        sys.stdout.writelines(f"  {fault}\n" for fault in kills.wrong)
        sys.stdout.flush()
        total.update(kills.counts)
        wrong += kills.wrong
    sys.stdout.write(f"{dict(total)}, {len(wrong)} wrong\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
