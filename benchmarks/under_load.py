"""Time the loops of the registry while other programs compute: `python -m benchmarks.under_load`.

Each method runs with the threads that it chooses and with one thread for everything, in turns, with
as many busy processes beside it as there are cores (`--quiet`: none). A ratio far above 1 is a loop
whose threads wait for each other. `--product` times whole selections against the Gram product of
their table instead, in turns, so that both have the same moments.
"""

import multiprocessing
import os
import sys
import time

import numpy as np
from threadpoolctl import threadpool_limits

import tamis

ROWS, COLUMNS, KEPT, TURNS = 3_000, 800, 40, 2
PRODUCT_ROWS, PRODUCT_COLUMNS, PRODUCT_KEPT, PRODUCT_TURNS = 8_000, 1_500, 100, 3


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


def time_product(names: list[str]) -> None:
    """Print the time of selections as multiples of the Gram product measured beside them."""
    X = make_table(PRODUCT_ROWS, PRODUCT_COLUMNS)
    for method in names or ["sfs", "pfs"]:
        taken = []
        for _ in range(PRODUCT_TURNS):
            began = time.perf_counter()
            X.T @ X
            between = time.perf_counter()
            tamis.select(X, k=PRODUCT_KEPT, method=method, held_out=False)
            taken.append((between - began, time.perf_counter() - between))
        product, search = np.median(taken, axis=0)
        print(f"{method:22}{search:8.3f} s{product:8.3f} s{search / product:8.2f}", flush=True)


def time_methods(names: list[str]) -> None:
    """Print both times and their ratio for every method that works on a summary of numbers."""
    summary = tamis.summarise(make_table(ROWS, COLUMNS))
    for method in names or [m.id for m in tamis.methods("selection") if m.id != "krzanowski"]:
        try:
            own, one = measure(summary, method)
        except tamis.TamisError:
            continue
        print(f"{method:22}{own:8.3f} s{one:8.3f} s{own / one:8.2f}", flush=True)


def make_table(rows: int, columns: int) -> np.ndarray:
    """Make columns of 30 factors and noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 30)) @ rng.normal(size=(30, columns))
    return X + rng.normal(size=X.shape)


def main(names: list[str]) -> None:
    """Keep the cores busy or not, and time."""
    asked = [name for name in names if not name.startswith("--")]
    count = 0 if "--quiet" in names else os.cpu_count() or 1
    busy = [multiprocessing.Process(target=keep_busy, daemon=True) for _ in range(count)]
    for process in busy:
        process.start()
    (time_product if "--product" in names else time_methods)(asked)
    for process in busy:
        process.terminate()


if __name__ == "__main__":
    main(sys.argv[1:])
