"""Files larger than the memory they may take: peak memory and time, beside a plain loop.

`python -m benchmarks.large` writes its tables to a temporary folder (`--folder` for another one)
and deletes them afterwards. Every figure is of a process of its own; a process starts with the
peak of its parent, so the tables are made in other ones, too. `--rows` sets the larger of the two
Parquet files, `--only` one section.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

WIDTH, GROUP = 250, 50_000
_LOOP = """
import sys
import numpy as np, pyarrow.parquet as pq
products = 0
for batch in pq.ParquetFile(sys.argv[1], pre_buffer=False).iter_batches():
    X = np.column_stack([column.to_numpy() for column in batch.columns])
    products = products + X.T @ X
"""


class Figures(NamedTuple):
    """What one process took: megabytes at its peak, seconds on the clock, seconds of CPU."""

    peak: float
    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.peak:>6,.0f} MB {self.wall:>7.1f} s {self.cpu:>7.1f} s CPU"


def measured(*command: str) -> Figures:
    """Run a command and give what it took; its answer is thrown away."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    kilo = 1 if sys.platform != "darwin" else 1024
    seconds = used.ru_utime + used.ru_stime
    return Figures(used.ru_maxrss / 1024 / kilo, time.perf_counter() - start, seconds)


def tamis(*arguments: Any) -> Figures:
    """Run the command of the project."""
    start = "from tamis.cli import main; main()"
    return measured(sys.executable, "-c", start, *map(str, arguments))


def made(path: Path, what: str, rows: int) -> Path:
    """Write a table in a process of its own."""
    job = [sys.executable, "-m", "benchmarks.large", "--make", what, str(path), str(rows)]
    subprocess.run(job, check=True)
    return path


def blocks(rows: int) -> Iterator[Any]:
    """Give correlated columns, a row group at a time, the same in every run."""
    import numpy as np

    rng = np.random.default_rng(0)
    mixing = rng.standard_normal((40, WIDTH))
    for start in range(0, rows, GROUP):
        n = min(GROUP, rows - start)
        yield rng.standard_normal((n, 40)) @ mixing + rng.standard_normal((n, WIDTH))


def tables(rows: int) -> Iterator[Any]:
    """Give the blocks as Arrow tables."""
    import numpy as np
    import pyarrow as pa

    names = [f"x{j}" for j in range(WIDTH)]
    for block in blocks(rows):
        yield pa.table(list(np.ascontiguousarray(block.T)), names=names)


def mixed(rows: int) -> Iterator[Any]:
    """Give 150 columns of numbers and 50 of text, related in groups."""
    import numpy as np
    import pyarrow as pa

    words = pa.array([f"level {i}" for i in range(8)])
    for block in blocks(rows):
        numbers = {f"x{j}": block[:, j] for j in range(150)}
        codes = np.clip(np.rint(block[:, 150:200] / 4 + 4), 0, 7).astype(int)
        texts = {f"t{j}": words.take(pa.array(codes[:, j])) for j in range(50)}
        yield pa.table(numbers | texts)


def write(path: Path, parts: Iterator[Any]) -> Path:
    """Write tables to a file of the kind its suffix says; .gz packs it."""
    import pyarrow as pa
    import pyarrow.csv as pc
    import pyarrow.parquet as pq

    first = next(parts)
    with pa.output_stream(str(path), compression="detect") as stream:
        kinds: dict[str, Callable[[], Any]] = {
            ".parquet": lambda: pq.ParquetWriter(stream, first.schema),
            ".feather": lambda: pa.ipc.new_file(stream, first.schema),
        }
        with kinds.get(path.suffix, lambda: pc.CSVWriter(stream, first.schema))() as writer:
            writer.write_table(first)
            for part in parts:
                writer.write_table(part)
    return path


def parquet(folder: Path, rows: int) -> Iterator[list[str]]:
    """Two sizes of Parquet, tamis and the loop in turn, the best of two."""
    for n in (rows // 4, rows):
        path = made(folder / f"{n}.parquet", "tables", n)
        loop = [sys.executable, "-c", _LOOP, str(path)]
        pairs = [(tamis("select", path, "-k", 50), measured(*loop)) for _ in range(2)]
        ours, plain = (min(found, key=lambda f: f.wall) for found in zip(*pairs, strict=True))
        yield [f"{_size(path)} Parquet, select -k 50", str(ours)]
        ratios = f"{ours.wall / plain.wall:.2f} of it, CPU {ours.cpu / plain.cpu:.2f}"
        yield [f"{_size(path)} Parquet, plain loop", f"{plain}; select takes {ratios}"]
        path.unlink()


def kinds(folder: Path, rows: int) -> Iterator[list[str]]:
    """Read the other kinds of files at two sizes."""
    for name in ("csv", "csv.gz", "feather", "npz", "parts"):
        for n in (rows // 100, rows // 25) if name == "npz" else (rows // 20, rows // 5):
            path = _other(folder, name, n)
            found = tamis("select", path, "-k", 50)
            yield [f"{_size(path)} {name}, select -k 50", str(found)]
            _remove(path)


def output(folder: Path, rows: int) -> Iterator[list[str]]:
    """Write kept columns, and the scores of components with a column carried along."""
    for n in (rows // 20, rows // 5):
        path = made(folder / f"{n}.parquet", "tables", n)
        for suffix in (".parquet", ".csv", ".npz"):
            out = folder / f"out{suffix}"
            yield [
                f"{_size(path)} select -k 50 -o {suffix}",
                str(tamis("select", path, "-k", 50, "-o", out)),
            ]
            out.unlink()
        carried = tamis("extract", path, "-k", 20, "--carry", "x0", "-o", folder / "scores.csv")
        yield [f"{_size(path)} extract -k 20 --carry -o .csv", str(carried)]
        path.unlink()


def information(folder: Path, rows: int) -> Iterator[list[str]]:
    """Relate 200 columns of numbers and text."""
    for n in (rows // 20, rows // 5):
        path = made(folder / f"{n}.parquet", "mixed", n)
        found = tamis("select", path, "-k", 20, "-m", "greedy-fs")
        yield [f"{n:,} x 200 mixed, greedy-fs -k 20", str(found)]
        path.unlink()


SECTIONS = {"parquet": parquet, "kinds": kinds, "output": output, "information": information}


def _other(folder: Path, name: str, n: int) -> Path:
    whats = {"npz": "archive", "parts": "parts"}
    return made(folder / f"{n}.{name}", whats.get(name, "tables"), n)


def make(what: str, path: Path, rows: int) -> None:
    """Write one table of the benchmark."""
    if what == "archive":
        import numpy as np

        np.savez_compressed(path, X=np.concatenate(list(blocks(rows))))
    elif what == "parts":
        path.mkdir()
        for i, part in enumerate(tables(rows)):
            write(path / f"part-{i:04}.csv", iter([part]))
    else:
        write(path, mixed(rows) if what == "mixed" else tables(rows))


def _remove(path: Path) -> None:
    for part in path.iterdir() if path.is_dir() else ():
        part.unlink()
    path.rmdir() if path.is_dir() else path.unlink()


def _size(path: Path) -> str:
    files = list(path.iterdir()) if path.is_dir() else [path]
    return f"{sum(file.stat().st_size for file in files) / 1e9:.2f} GB"


def main() -> None:
    """Measure the sections asked for, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000, help="of the larger Parquet file")
    parser.add_argument("--only", choices=SECTIONS, action="append")
    parser.add_argument("--folder", help="where to write the tables")
    parser.add_argument("--make", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        make(given.make[0], Path(given.make[1]), int(given.make[2]))
        return
    print(f"Load at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    with tempfile.TemporaryDirectory(prefix="tamis-large-", dir=given.folder) as folder:
        for name in given.only or SECTIONS:
            for label, figures in SECTIONS[name](Path(folder), given.rows):
                print(f"{label:<42} {figures}", flush=True)


if __name__ == "__main__":
    main()
