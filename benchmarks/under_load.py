"""Time the methods of the registry while other programs compute: `python -m benchmarks.under_load`.

Every method of selection and extraction runs on a small made table, in turns with a Gram product:
once with nothing beside it and once with two busy processes. Its processor time and its time on the
clock are divided by those of the product. A method whose processor time grows more than the
product's, to more than twice, has threads that wait for each other.

`--threads` times searches with the threads that they choose against one thread for everything,
`--product` whole selections against the Gram product of their table, both with as many busy
processes as there are cores (`--quiet`: none). Names of methods limit what is timed.
"""

import multiprocessing
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import tamis

ROWS, COLUMNS, KEPT, TURNS = 3_000, 800, 40, 2
PRODUCT_ROWS, PRODUCT_COLUMNS, PRODUCT_KEPT, PRODUCT_TURNS = 8_000, 1_500, 100, 3
SMALL_ROWS, SMALL_COLUMNS, SMALL_KEPT, BUSY = 240, 40, 6, 2
COLLAPSE = 2.0  # of the processor time beside that of the product, under load over without


def keep_busy() -> None:
    """Compute until the end."""
    value = 0
    while True:
        value = (value + 1) % 1_000_003


@contextmanager
def busy_processes(count: int) -> Iterator[list[Any]]:
    """Have so many busy processes."""
    found = [multiprocessing.Process(target=keep_busy, daemon=True) for _ in range(count)]
    for process in found:
        process.start()
    try:
        yield found
    finally:
        for process in found:
            process.kill()


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


def time_threads(names: list[str]) -> None:
    """Print both times and their ratio for every method that works on a summary of numbers."""
    summary = tamis.summarise(make_table(ROWS, COLUMNS))
    for method in names or [m.id for m in tamis.methods("selection") if m.id != "krzanowski"]:
        try:
            own, one = measure(summary, method)
        except tamis.TamisError:
            continue
        print(f"{method:22}{own:8.3f} s{one:8.3f} s{own / one:8.2f}", flush=True)


def time_registry(names: list[str]) -> None:
    """Print for every method its times over those of a product, quiet and beside busy processes."""
    X, large = make_table(SMALL_ROWS, SMALL_COLUMNS), make_table(ROWS, COLUMNS)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    known = [*tamis.methods("selection"), *tamis.methods("extraction")]
    wanted = [one for one in known if not names or one.id in names]
    print(f"Load at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    print(f"{'':24}{'quiet':^18}{'beside ' + str(BUSY) + ' busy':^18}{'CPU, load':>11}")
    print(f"{'over X^T X':24}{'CPU':>9}{'clock':>9}{'CPU':>9}{'clock':>9}{'/ quiet':>11}")
    with busy_processes(BUSY) as busy:
        _signal(busy, signal.SIGSTOP)
        for method in wanted:
            job = _make_job(method, X, y)
            try:
                job()  # imports, and what it refuses
            except tamis.TamisError as error:
                print(f"{method.id:24}{str(error)[:70]}", flush=True)
                continue
            quiet = _compare_times(job, large)
            _signal(busy, signal.SIGCONT)
            loaded = _compare_times(job, large)
            _signal(busy, signal.SIGSTOP)
            growth = loaded[0] / quiet[0]
            cells = "".join(f"{value:9.3f}" for value in (*quiet, *loaded))
            note = "  COLLAPSES" if growth > COLLAPSE else ""
            print(f"{method.id:24}{cells}{growth:11.2f}{note}", flush=True)


def _make_job(method: Any, X: np.ndarray, y: np.ndarray) -> Callable[[], Any]:
    given: dict[str, Any] = {"y": y} if method.supervised else {}
    if method.kind == "extraction":
        return lambda: tamis.extract(X, SMALL_KEPT, method=method.id, **given)
    return lambda: tamis.select(X, SMALL_KEPT, method=method.id, **given)


def _compare_times(job: Callable[[], Any], X: np.ndarray) -> tuple[float, float]:
    """Give the least processor and clock time of a job over that of the product, in turns."""
    taken = []
    for _ in range(TURNS):
        for run in (job, lambda: X.T @ X):
            cpu, clock = time.process_time(), time.perf_counter()
            run()
            taken.append((time.process_time() - cpu, time.perf_counter() - clock))
    (cpu, clock), (least_cpu, least_clock) = np.min(taken[::2], 0), np.min(taken[1::2], 0)
    return cpu / least_cpu, clock / least_clock


def _signal(processes: list[Any], what: signal.Signals) -> None:
    for process in processes:
        os.kill(process.pid, what)


def make_table(rows: int, columns: int) -> np.ndarray:
    """Make columns of 30 factors and noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 30)) @ rng.normal(size=(30, columns))
    return X + rng.normal(size=X.shape)


def main(names: list[str]) -> None:
    """Time what is asked for."""
    warnings.simplefilter("ignore")
    asked = [name for name in names if not name.startswith("--")]
    if not {"--product", "--threads"} & {*names}:
        time_registry(asked)
        return
    with busy_processes(0 if "--quiet" in names else os.cpu_count() or 1):
        (time_product if "--product" in names else time_threads)(asked)


if __name__ == "__main__":
    main(sys.argv[1:])
