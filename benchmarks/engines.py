"""The pass over the rows by engine: local stream, Dask with 1 and 2 workers, Spark local[2].

`python -m benchmarks.engines` makes a Parquet table in several files, then lets every engine
summarise it (one pass) and select from it (a pass before that judges the columns), several times;
the best of each is printed, as seconds by the clock and of the processor, of all processes, and as
ratios. Each worker has one BLAS thread. `--spark` adds Spark, whose start is not counted.

`python -m benchmarks.engines --simulate` runs one partition of each of the two large tables of
docs/scale.md and prints what a cluster would need.
"""

import argparse
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

K = 20


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--columns", type=int, default=500)
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--simulate", action="store_true")
    given = parser.parse_args()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ[name] = "1"
    if given.simulate:
        simulate()
        return
    print(f"Load at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    with tempfile.TemporaryDirectory() as folder:
        paths = written(Path(folder), given.rows, given.columns, given.parts)
        compare(paths, given.repeat, given.spark)


def written(folder: Path, rows: int, columns: int, parts: int) -> list[str]:
    """Write a table of correlated columns in Parquet files of equal size."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    mixing = np.random.default_rng(0).normal(size=(30, columns))
    names, paths = [f"x{j}" for j in range(columns)], []
    for i in range(parts):
        rng = np.random.default_rng(i + 1)
        X = rng.normal(size=(rows // parts, 30)) @ mixing
        X += rng.normal(size=X.shape)
        paths.append(str(folder / f"part-{i:03}.parquet"))
        table = pa.table({name: X[:, j] for j, name in enumerate(names)})
        pq.write_table(table, paths[-1], compression="none", use_dictionary=False)
    return paths


def compare(paths: list[str], repeat: int, with_spark: bool) -> None:
    """Print the best of every engine, all on the same files, and whether the picks agree."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    print("                                 seconds     of local  processor s     of local")
    here = measure(paths, repeat)
    found = [here]
    show("local stream", here, here)
    for workers in (1, 2):
        settings = {"threads_per_worker": 1, "dashboard_address": None}
        with LocalCluster(n_workers=workers, **settings) as cluster, Client(cluster):
            found.append(measure(dd.read_parquet(paths), repeat))
            show(f"Dask, {workers} worker{'s' if workers > 1 else ''}", found[-1], here)
    if with_spark:
        with spark_session() as session:
            found.append(measure(session.read.parquet(*paths), repeat))
            show("Spark local[2]", found[-1], here)
    picks = [one.names for by_job in found for one in by_job.values()]
    print(f"Picks agree: {all(one == picks[0] for one in picks)}.")


def show(name: str, found: dict[str, "EngineTime"], here: dict[str, "EngineTime"]) -> None:
    """Print the times of an engine, and their ratio to those of the local stream."""
    for job, one in found.items():
        ratios = one.seconds / here[job].seconds, one.processor / here[job].processor
        print(
            f"{name:<15} {job:<10} {one.seconds:12.2f} {ratios[0]:12.2f} "
            f"{one.processor:12.2f} {ratios[1]:12.2f}",
            flush=True,
        )


def summarise(table: Any) -> Any:
    """Read the rows once, into a summary, and select from that."""
    import tamis

    return tamis.select(tamis.summarise(table), k=K, method="sfs")


def select(table: Any) -> Any:
    """Judge the columns, which is another pass, and select."""
    import tamis

    return tamis.select(table, k=K, method="sfs")


ENGINE_JOBS: dict[str, Callable[[Any], Any]] = {"summarise": summarise, "select": select}


@dataclass(frozen=True)
class EngineTime:
    """The best of several runs: seconds by the clock, and of all processes together."""

    seconds: float
    processor: float
    names: list[str]


def measure(table: Any, repeat: int) -> dict[str, EngineTime]:
    """Run both jobs; the first run, which loads packages on the workers, does not count."""
    return {job: best(partial(run, table), repeat) for job, run in ENGINE_JOBS.items()}


def best(run: Callable[[], Any], repeat: int) -> EngineTime:
    """Give the shortest times of several runs."""
    names, walls, used = run().names, [], []
    for _ in range(repeat):
        start, before = time.perf_counter(), used_by_all()
        run()
        walls.append(time.perf_counter() - start)
        used.append(used_by_all() - before)
    return EngineTime(min(walls), min(used), names)


def used_by_all() -> float:
    """Add the processor seconds of this process and of all those that it started."""
    import psutil

    me, total = psutil.Process(), 0.0
    for process in (me, *me.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            total += sum(process.cpu_times()[:4])
    return total


@contextmanager
def spark_session() -> Iterator[Any]:
    """Start Spark; that is not measured."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    builder = SparkSession.builder.master("local[2]").config(map=quiet)
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    yield session
    session.stop()


def simulate() -> None:
    """Measure one partition of two large tables, and say what all of them would need."""
    _simulate(10**9, 1_000, 20_000, width=1_000)
    _simulate(10**7, 100_000, 20_000, width=2_000)


def _simulate(rows: int, columns: int, part: int, width: int) -> None:
    """Wide tables are measured on some of the columns: a sketch grows with their number."""
    from tamis.registry.missing_policy import MissingPolicy
    from tamis.sources.stored_summary import MOST_COLUMNS
    from tamis.statistics.linear import GramRows
    from tamis.statistics.missing import CleanRows

    names, factor = [f"x{j}" for j in range(width)], columns / width
    what = "moments" if columns <= MOST_COLUMNS else "sketch"
    X = np.random.default_rng(0).normal(size=(part, width))
    work, add = [], []
    for _ in range(3):
        start = time.process_time()
        sums = CleanRows(GramRows(width, n_rows=-1), names, MissingPolicy.ERROR).begin(0)
        if what == "sketch":
            sums.sums._width = MOST_COLUMNS + 1  # so many columns would not be summed up
        sums.add((X, None))
        found = sums.split()
        work.append((time.process_time() - start) * factor)
        start = time.process_time()
        for value in found.values():
            value.merge(value)
        add.append((time.process_time() - start) * factor)
    size = sum(len(pickle.dumps(value)) for value in found.values()) * factor
    parts, one, sum_up = rows // part, min(work), min(add)
    print(f"{rows:,} rows x {columns:,} columns, {what}, {parts:,} partitions of {part:,} rows:")
    print(f"  one partition: {one:.2f} s of work, {sum_up:.3f} s to add, {size / 1e6:,.0f} MB sent")
    print(f"  all: {rows * columns * 8e-12:.1f} TB read, {parts * size / 1e12:.1f} TB sent")
    for cores in (64, 512):
        print(f"  {cores} cores: {parts * (one + sum_up) / cores / 60:.1f} minutes of work")


if __name__ == "__main__":
    main()
