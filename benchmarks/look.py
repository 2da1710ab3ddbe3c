"""What it takes to look at a table beside reading it: `python -m benchmarks.look`.

The table is a made CSV, mixed as real ones are: mostly decimals, some integers, codes, categories,
a key, marks for missing values. Three things are done in turn, each in a fresh process, and the
processor's time is compared: `tamis look FILE`; the pass of tamis's own reader over the file, which
hands over batches of typed columns; and `pyarrow.csv.read_csv`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from benchmarks.plan import Target

MOST = 1.5  # times what reading takes
_BLOCK_ROWS = 10_000  # that are made and written at a time
_OWN_READER = """
import sys
from tamis.run.candidates import open_table
source = open_table(sys.argv[1])
columns = range(len(source.names))
rows = sum(table.num_rows for table in source.tables(columns, mark_missing=True))
"""
_PYARROW = "import sys, pyarrow.csv; pyarrow.csv.read_csv(sys.argv[1])"


def write_table(path: Path, rows: int, columns: int, seed: int = 0) -> None:
    """Write the table, some rows at a time."""
    with path.open("wb") as file:
        for start in range(0, rows, _BLOCK_ROWS):
            count = min(_BLOCK_ROWS, rows - start)
            table = _make_rows(np.random.default_rng([seed, start]), start, count, columns)
            options = pa.csv.WriteOptions(include_header=not start, quoting_style="none")
            pa.csv.write_csv(table, file, options)


def _make_rows(rng: np.random.Generator, start: int, rows: int, columns: int) -> pa.Table:
    """Make some rows; of ten columns six are decimals, and one each is of another kind."""
    causes = rng.normal(size=(rows, 5))
    found: dict[str, pa.Array] = {"key": pa.array(np.arange(start, start + rows) + 100_000)}
    for j in range(1, columns):
        mixing = np.random.default_rng(j).normal(size=5)  # the same in every block
        values = causes @ mixing + rng.normal(size=rows)
        name, column = _write_column(j, 50.0 + 10.0 * values, rng)
        found[name] = column
    return pa.table(found)


def _write_column(j: int, values: np.ndarray, rng: np.random.Generator) -> tuple[str, pa.Array]:
    if j % 50 == 49:
        texts = np.char.mod("%.2f", values).astype(object)
        texts[rng.random(len(values)) < 0.02] = "n.d."
        return f"marked{j}", pa.array(texts)
    place = j % 10
    if place == 6:
        return f"count{j}", pa.array(rng.poisson(np.exp(values / 30)))
    if place == 7:
        return f"code{j}", pa.array(np.clip(values / 20, 1, 5).astype(int))
    if place == 8:
        levels = np.array([f"level {i}" for i in range(3 + j % 20)], dtype=object)
        return f"group{j}", pa.array(levels[np.abs(values / 3).astype(int) % len(levels)])
    if place == 9:
        return f"amount{j}", pa.array((values * 100).astype(int))
    decimals = values.round((2, 3, 4, 6, 2, 4)[place])
    gone = rng.random(len(values)) < (0.05 if place == 4 else 0.0)
    return f"measure{j}", pa.array(decimals, mask=gone)


def measure(command: Sequence[str]) -> float:
    """Give the seconds that a process keeps processors busy."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)[:200]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print the times, least of all rounds, and what looking takes beside either way to read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        write_table(path, given.rows, given.columns)
        print(f"{given.rows:,} x {given.columns:,}, {path.stat().st_size / 1e6:,.0f} MB")
        python, tamis = sys.executable, str(Path(sys.executable).with_name("tamis"))
        commands = {
            "tamis look": [tamis, "look", str(path)],
            "tamis's reader": [python, "-c", _OWN_READER, str(path)],
            "pyarrow.csv": [python, "-c", _PYARROW, str(path)],
        }
        times = {name: [measure(command)] for name, command in commands.items()}
        for _ in range(given.rounds - 1):
            for name, command in commands.items():
                times[name].append(measure(command))
    look = min(times["tamis look"])
    print(f"{'':<16}{'CPU':>9}{'look / it':>11}")
    for name, found in times.items():
        ratio = look / min(found)
        verdict = f"  {Target('<=', MOST).judge(ratio)}" if name == "tamis's reader" else ""
        print(f"{name:<16}{min(found):>7.2f} s{ratio:>11.2f}{verdict}")


if __name__ == "__main__":
    main()
