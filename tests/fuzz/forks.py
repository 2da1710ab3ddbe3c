"""A process with all modules loaded that runs the cases in forks of itself, which may crash.

A fork costs milliseconds where a new interpreter costs seconds; it takes a few cases, each in a
folder of its own, and after a crash another one goes on. The process itself only imports: it has
one thread, so that its forks are whole. What starts threads (the cases are made by the libraries
that read them) happens in forks, too.
"""

import atexit
import gc
import importlib
import itertools
import json
import os
import resource
import runpy
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import NoReturn

from tests.fuzz.case import Case, kind_of, make_case, make_good_case, run_case

SECONDS = 20  # of work on one case
MEMORY = 2 << 30
_CLOCK = (
    6 * SECONDS
)  # on the clock: a busy machine is no hang, threads that wait for each other are
_GROUP = 25  # cases of a fork: its first ones copy the pages that all of them touch
_HANG = f"hang: no answer within {SECONDS} s of work"
_LOADED = 30  # good cases that show what to import


@dataclass(frozen=True)
class Answer:
    """How one case ended: "result", "refused" or what was wrong; its sentence; its peak memory."""

    seed: int
    kind: str
    outcome: str
    said: str
    peak: int


@dataclass
class _Fork:
    """A fork, the cases that it has not answered, and when it must answer the first of them."""

    pipe: Connection
    child: int
    cases: list[Case]
    root: Path
    end: float
    ended: bool = False


def run_forks(seeds: Iterable[int], workers: int) -> Iterator[Answer]:
    """Run the cases of these seeds, those of a kind one after the other, in so many forks."""
    ordered = sorted(seeds, key=kind_of)
    _load(ordered)
    waiting: list[list[Case]] = []
    groups, running = _made(ordered), list[_Fork]()
    while True:
        while len(running) < workers and (cases := waiting.pop() if waiting else next(groups, [])):
            running.append(_start(cases))
        if not running:
            return
        ready = wait([fork.pipe for fork in running], timeout=1.0)
        for fork in [one for one in running if one.pipe in ready or time.monotonic() > one.end]:
            answer = _answer(fork)
            if fork.ended:
                running.remove(fork)
                waiting += [fork.cases] if fork.cases else []
            if answer is not None:
                yield answer


def _load(seeds: Sequence[int]) -> None:
    """Import what good cases of the same kinds import, without running one here."""
    some = max(1, _LOADED // len({*map(kind_of, seeds)}))
    alike = {(kind_of(seed), i % some): seed for i, seed in enumerate(seeds)}
    pipe, child = _forked(lambda pipe: pipe.send(_imported(alike.values())))
    for name in pipe.recv():
        with suppress(Exception):  # some are made by others and cannot be imported by name
            importlib.import_module(name)
    os.waitpid(child, 0)
    assert threading.active_count() == 1, threading.enumerate()
    gc.freeze()  # a collection would copy every page of what is shared


def _imported(seeds: Iterable[int]) -> list[str]:
    from tamis.sources import apart

    apart._run = _run_module
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        for seed in seeds:
            run_case(make_good_case(seed), Path(name))
        os.chdir("/")
    own = ("studies", "spreadsheet", "anndata")
    for module in (*(f"tamis.sources.{name}" for name in own), "pyreadstat", "python_calamine"):
        importlib.import_module(module)  # of other processes
    return [name for name in sys.modules if name != "__main__"]


def _made(seeds: Sequence[int]) -> Iterator[list[Case]]:
    """Give groups of cases of one kind, made by a fork that keeps the intact files."""

    def make(pipe: Connection) -> None:
        for seed in seeds:
            pipe.send(make_case(seed))

    pipe, child = _forked(make)
    for _, alike in itertools.groupby(seeds, kind_of):
        left = len(list(alike))
        while left:
            count = min(_GROUP, left)
            left -= count
            yield [pipe.recv() for _ in range(count)]
    os.waitpid(child, 0)


def _forked(job: Callable[[Connection], object]) -> tuple[Connection, int]:
    """Start a fork that does something and sends what it found."""
    receiver, sender = Pipe(duplex=False)
    child = os.fork()
    if child:
        sender.close()
        return receiver, child
    code = 1
    try:
        job(sender)
        code = 0
    except BaseException:  # a fork must never return into the loop of its parent
        traceback.print_exc()
    finally:
        os._exit(code)


def _start(cases: list[Case]) -> _Fork:
    root = Path(tempfile.mkdtemp())
    pipe, child = _forked(lambda pipe: _run_group(cases, root, pipe))
    return _Fork(pipe, child, list(cases), root, time.monotonic() + _CLOCK)


def _run_group(cases: Sequence[Case], root: Path, pipe: Connection) -> None:
    """Run the cases in this process; an answer is sent after each, the last one after exit."""
    from tamis.sources import apart

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    apart._run = _run_module
    temporary = root / "temporary"
    temporary.mkdir()
    os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
    answer = "", ""
    for number, case in enumerate(cases):
        if number:
            pipe.send((*answer, _peak()))
        folder = root / str(number)
        folder.mkdir()
        os.chdir(folder)
        answer = _within_limits(case, folder)
    os.chdir(root)
    atexit._run_exitfuncs()
    if left := sorted(path.name for path in temporary.iterdir()):
        answer = f"temporary files left behind: {left}", ""
    pipe.send((*answer, _peak()))


def _within_limits(case: Case, folder: Path) -> tuple[str, str]:
    before = _cpu_seconds()
    most = int(before) + SECONDS + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
    answer = run_case(case, folder)
    took = _cpu_seconds() - before  # with processes of its own, which have limits of their own
    return answer if took < SECONDS else (f"hang: an answer after {took:.0f} s of work", "")


def _cpu_seconds() -> float:
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, who))


def _peak() -> int:
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(one).ru_maxrss for one in who) << 10


def _run_module(command: list[str], *_: object) -> tuple[int, bytes, bytes]:
    """Do what `python -P -m module argument` does, in a fork."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            _end_as_module(command[3:])
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
    return code, texts[0], texts[1]


def _end_as_module(arguments: list[str]) -> NoReturn:
    code = 1
    try:
        sys.argv, sys.stdout, sys.stderr = arguments, open(1, "w"), open(2, "w")  # noqa: SIM115
        runpy.run_module(arguments[0], run_name="__main__")
        code = 0
    except BaseException:  # as the interpreter ends
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _answer(fork: _Fork) -> Answer | None:
    """Take what a fork says, or see how it ended; none where it ended as it should."""
    outcome, said, peak = "", "", 0
    if fork.pipe.poll():
        with suppress(EOFError):
            outcome, said, peak = fork.pipe.recv()
    else:
        os.kill(fork.child, signal.SIGKILL)
        outcome, fork.ended = _HANG, True
    if fork.ended or not outcome:
        code = _end(fork)
        outcome = outcome or (_HANG if -code == signal.SIGXCPU else f"crash: ended with {code}")
        if not fork.cases:
            return None
    case = fork.cases.pop(0)
    fork.end = time.monotonic() + _CLOCK
    return Answer(case.seed, case.kind, outcome, said, peak)


def _end(fork: _Fork) -> int:
    fork.ended = True
    fork.pipe.close()
    code = os.waitstatus_to_exitcode(os.waitpid(fork.child, 0)[1])
    shutil.rmtree(fork.root)
    return code


def main() -> None:
    """Answer the seeds on standard input, one line each."""
    workers, seeds = int(sys.argv[1]), [int(line) for line in sys.stdin]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    for answer in run_forks(seeds, workers):
        answers.write(json.dumps(asdict(answer)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
