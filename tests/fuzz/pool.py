"""Cases run by a process that forks for each of them, and what came of them."""

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FORKS = ("-m", "tests.fuzz.forks")


@dataclass
class Tally:
    """How many cases ended how, in all and by kind, what failed by seed, and what was said."""

    counts: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    peaks: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    failures: dict[int, str] = field(default_factory=dict)
    said: dict[int, str] = field(default_factory=dict)

    def add(self, seed: int, kind: str, outcome: str, said: str, peak: int) -> None:
        """Count one case."""
        good = outcome in ("result", "refused")
        for counts in (self.counts, self.kinds[kind]):
            counts[outcome if good else "failed"] += 1
        self.peaks[kind] = max(self.peaks[kind], peak)
        if not good:
            self.failures[seed] = outcome
        if said:
            self.said[seed] = said


def run_cases(seeds: Iterable[int], workers: int = 2, runner: Sequence[str] = FORKS) -> Tally:
    """Run the cases of these seeds in a fresh process: a fork of this one would copy its locks."""
    tally = Tally()
    with _started(runner, workers) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{seed}\n" for seed in seeds))
        process.stdin.close()
        for line in process.stdout:
            tally.add(**json.loads(line))
    if process.returncode:
        raise RuntimeError(f"the runner of cases ended with {process.returncode}")
    return tally


def _started(runner: Sequence[str], workers: int) -> "subprocess.Popen[str]":
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
        [sys.executable, *runner, str(workers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **own},
        text=True,
    )
