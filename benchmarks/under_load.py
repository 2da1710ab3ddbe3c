"""Time the loops of the registry while other programs compute: `python -m benchmarks.under_load`.

Each method runs with the threads that it chooses and with one thread for everything, in turns, with
as many busy processes beside it as there are cores (`--quiet`: none). A ratio far above 1 is a loop
whose threads wait for each other.
"""

import multiprocessing
import os
import sys
import time

import numpy as np
from threadpoolctl import threadpool_limits

import tamis

ROWS, COLUMNS, KEPT, TURNS = 3_000, 800, 40, 2


def keep_busy() -> None:
    """Compute until the end."""
    value = 0
    while True:
        value = (value + 1) % 1_000_003


def time_once(summary: tamis.DataSummary, method: str) -> float:
    """Time one search."""
    began = time.perf_counter()
    tamis.select(summary, k=KEPT, method=method, held_out=False)
    return time.perf_counter() - began


def measure(summary: tamis.DataSummary, method: str) -> tuple[float, float]:
    """Give the best time with the threads that the method chooses, and with one."""
    own, one = [], []
    for _ in range(TURNS):
        own.append(time_once(summary, method))
        with threadpool_limits(1):
            one.append(time_once(summary, method))
    return min(own), min(one)


def main(names: list[str]) -> None:
    """Print both times and their ratio for every method that works on a summary of numbers."""
    quiet = "--quiet" in names
    asked = [name for name in names if not name.startswith("--")]
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, 30)) @ rng.normal(size=(30, COLUMNS))
    summary = tamis.summarise(X + rng.normal(size=X.shape))
    busy = [
        multiprocessing.Process(target=keep_busy, daemon=True) for _ in range(os.cpu_count() or 1)
    ]
    for process in () if quiet else busy:
        process.start()
    for method in asked or [m.id for m in tamis.methods("selection") if m.id != "krzanowski"]:
        try:
            own, one = measure(summary, method)
        except tamis.TamisError:
            continue
        print(f"{method:22}{own:8.3f} s{one:8.3f} s{own / one:8.2f}", flush=True)
    for process in () if quiet else busy:
        process.terminate()


if __name__ == "__main__":
    main(sys.argv[1:])
