"""Cases over several worker processes, each replaced when it crashes, hangs or ends."""

import ast
import os
import queue
import select
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECONDS = 20
ROOT = Path(__file__).parents[2]


@dataclass
class Tally:
    """How many cases ended how, and what failed by seed."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: dict[int, str] = field(default_factory=dict)

    def add(self, seed: int, outcome: str) -> None:
        """Count one case."""
        good = outcome in ("result", "refused")
        self.counts[outcome if good else "failed"] += 1
        if not good:
            self.failures[seed] = outcome


def run_cases(seeds: Iterable[int], workers: int = 2) -> Tally:
    """Run the cases of these seeds."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for seed in seeds:
        waiting.put(seed)
    tally, lock = Tally(), threading.Lock()
    threads = [threading.Thread(target=_serve, args=(waiting, tally, lock)) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return tally


def _serve(waiting: "queue.SimpleQueue[int]", tally: Tally, lock: threading.Lock) -> None:
    worker = _Worker()
    while True:
        try:
            seed = waiting.get_nowait()
        except queue.Empty:
            break
        outcome = worker.ask(seed)
        with lock:
            tally.add(seed, outcome)
    worker.close()


class _Worker:
    """One process, started when first asked."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, seed: int) -> str:
        """Run one case; a crash or a hang is an answer, too."""
        process = self._process = self._process or _start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{seed}\n".encode())
        process.stdin.flush()
        # The first case waits for the imports of a new process. A busy machine is no hang: what
        # counts is the time that the process has worked, up to fifteen times as long on the clock.
        used = _cpu_seconds(process.pid)
        for _ in range(15):
            ready, _, _ = select.select([process.stdout], [], [], SECONDS)
            if ready or _cpu_seconds(process.pid) - used >= SECONDS - 1:
                break
        answer = process.stdout.readline() if ready else b""
        if answer:
            return str(ast.literal_eval(answer.decode()))
        if ready:
            code = process.wait()
            self.close()
            return f"crash: the process ended with {code}"
        self.close()
        return f"hang: no answer within {SECONDS} s of work"

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _cpu_seconds(pid: int) -> float:
    """Give what a process has computed so far; without /proc, as if it always did."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _start() -> "subprocess.Popen[bytes]":
    paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    own: dict[str, Any] = {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        # Arrow's own allocator reserves a gigabyte ahead, which the limit would count.
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "MALLOC_ARENA_MAX": "2",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tests.fuzz.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **own},
    )
