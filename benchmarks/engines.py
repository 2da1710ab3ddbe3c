"""The pass over the rows by engine: local stream, Dask with 1 and 2 workers, Spark local[2].

`python -m benchmarks.engines` makes a Parquet table in row groups, then lets every engine summarise
it and select from it, in turn, several times; the best of each is printed, as seconds and as a
ratio. Each worker has one BLAS thread. `--spark` adds Spark, whose start is not counted.

`python -m benchmarks.engines --simulate` runs one partition of each of the two large tables of
docs/scale.md and prints what a cluster would need.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
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
    """Print the best time of every engine, all on the same files, and whether the picks agree."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    import tamis

    def local() -> Any:
        summary = tamis.summarise(paths[0])
        for path in paths[1:]:
            summary += tamis.summarise(path)
        return tamis.select(summary, k=K)

    times, picks = {"local stream": best(local, repeat)}, [local().names]
    for workers in (1, 2):
        settings = {"threads_per_worker": 1, "dashboard_address": None}
        with LocalCluster(n_workers=workers, **settings) as cluster, Client(cluster):
            table = dd.read_parquet(paths)

            def run(table: Any = table) -> Any:
                return tamis.select(table, k=K, method="sfs")

            picks.append(run().names)  # also loads the packages on the workers
            times[f"Dask, {workers} worker{'s' if workers > 1 else ''}"] = best(run, repeat)
    if with_spark:
        times["Spark local[2]"] = spark_time(paths, repeat, picks)
    for name, seconds in times.items():
        print(f"{name:<18} {seconds:8.2f} s   {seconds / times['local stream']:6.2f} x local")
    gain = times["Dask, 1 worker"] / times["Dask, 2 workers"]
    print(f"2 Dask workers are {gain:.2f} times as fast as 1.")
    print(f"Picks agree: {all(one == picks[0] for one in picks)}.")


def spark_time(paths: list[str], repeat: int, picks: list[Any]) -> float:
    """Time Spark on the same files; its session is up before."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    import tamis

    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    builder = SparkSession.builder.master("local[2]").config(map=quiet)
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    table = session.read.parquet(*paths)
    picks.append(tamis.select(table, k=K, method="sfs").names)
    seconds = best(lambda: tamis.select(table, k=K, method="sfs"), repeat)
    session.stop()
    return seconds


def best(run: Callable[[], Any], repeat: int) -> float:
    """Give the shortest time of several runs."""
    found = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def simulate() -> None:
    """Measure one partition of two large tables, and say what all of them would need."""
    _simulate(10**9, 1_000, 20_000, width=1_000)
    _simulate(10**7, 100_000, 20_000, width=2_000)


def _simulate(rows: int, columns: int, part: int, width: int) -> None:
    """Wide tables are measured on some of the columns: a sketch grows with their number."""
    from tamis.registry.missing_policy import MissingPolicy
    from tamis.sources.summary_file import MOST_COLUMNS
    from tamis.statistics.tiles import add_arrays, part_sketch, part_tiles

    make, what = (part_tiles, "moments") if columns <= MOST_COLUMNS else (part_sketch, "sketch")
    X = np.random.default_rng(0).normal(size=(part, width))
    names, factor = [f"x{j}" for j in range(width)], columns / width
    work, add = [], []
    for _ in range(3):
        start = time.process_time()
        found = make(0, [X], names=names, policy=MissingPolicy.ERROR, fill=None)
        work.append((time.process_time() - start) * factor)
        start = time.process_time()
        for arrays in found.values():
            add_arrays([arrays, arrays])
        add.append((time.process_time() - start) * factor)
    size = sum(a.nbytes for arrays in found.values() for a in arrays.values()) * factor
    parts, one, sum_up = rows // part, min(work), min(add)
    print(f"{rows:,} rows x {columns:,} columns, {what}, {parts:,} partitions of {part:,} rows:")
    print(f"  one partition: {one:.2f} s of work, {sum_up:.3f} s to add, {size / 1e6:,.0f} MB sent")
    print(f"  all: {rows * columns * 8e-12:.1f} TB read, {parts * size / 1e12:.1f} TB sent")
    for cores in (64, 512):
        print(f"  {cores} cores: {parts * (one + sum_up) / cores / 60:.1f} minutes of work")


if __name__ == "__main__":
    main()
