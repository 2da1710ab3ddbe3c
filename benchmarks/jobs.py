"""A figure in a process of its own, for the sections that compare whole families."""

import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

_ROUNDS = 5


def in_child(module: str, job: str, *sizes: int, threads: int | None = None) -> dict[str, Any]:
    """Run a function of a module in a new process and give the figures it returns."""
    command = [sys.executable, "-m", "benchmarks.jobs", module, job, *map(str, sizes)]
    root = Path(__file__).resolve().parents[1]
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
    alone = {} if threads is None else dict.fromkeys(names, str(threads))
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, cwd=root, env={**os.environ, **alone}
    )
    return dict(json.loads(done.stdout))


def in_turn(
    *sides: Callable[[], Any],
    rounds: int = _ROUNDS,
    clock: Callable[[], float] = time.perf_counter,
) -> list[tuple[float, Any]]:
    """Run all sides in turn, several times; give the best time and the answer of each."""
    times: list[list[float]] = [[] for _ in sides]
    answers: list[Any] = [None for _ in sides]
    for _ in range(rounds):
        for place, run in enumerate(sides):
            start = clock()
            answers[place] = run()
            times[place].append(clock() - start)
    return [(min(seconds), answer) for seconds, answer in zip(times, answers, strict=True)]


def write_table(path: Path, rows: int, columns: int) -> None:
    """Write a Parquet file of random numbers, 5,000 rows at a time."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng, names = np.random.default_rng(0), [f"x{j}" for j in range(columns)]
    schema = pa.schema([(name, pa.float32()) for name in names])
    with pq.ParquetWriter(path, schema) as file:
        for _ in range(0, rows, 5000):
            block = rng.standard_normal((5000, columns), dtype=np.float32)
            file.write_table(pa.table(dict(zip(names, block.T, strict=True)), schema=schema))


def peak() -> float:
    """Give the largest memory this process had so far, in megabytes."""
    mark = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return mark / (1e6 if sys.platform == "darwin" else 1e3)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    found = getattr(import_module(sys.argv[1]), sys.argv[2])(*map(int, sys.argv[3:]))
    print(json.dumps(found))
