"""What passes over the file add to a sketch: exact picks, and the time they take.

`python -m benchmarks.sketch_passes` writes tables of 20,000 x 21,000 as NPY (1.7 GB each, deleted
afterwards), lets them be too large to hold, and selects columns by `sfs` from the sketch alone and
with passes. Both are measured on the table itself: "lost" is what the columns explain less than
those with passes, in percent of the variance. Time is that of the processor, of all of `select`.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import tamis
from tamis.statistics import collect, linear
from tamis.statistics.gram_products import ProductSums

TABLES = ("8 factors", "40 factors", "decay", "heavy rows", "noise")
KEPT = (5, 20, 50)
_ROWS_AT_ONCE = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=21_000)
    parser.add_argument("--sums", type=int, default=2048)
    parser.add_argument("--tables", nargs="*", default=TABLES)
    parser.add_argument("--kept", nargs="*", type=int, default=KEPT)
    asked = parser.parse_args()
    print(f"{asked.rows:,} rows, {asked.columns:,} columns, {asked.sums:,} sums")
    print("table           k  proven passes  read  retained  estimate  lost   time  of sketch")
    for name in asked.tables:
        with tempfile.TemporaryDirectory() as folder, tight(asked.columns, asked.sums):
            path = Path(folder) / "table.npy"
            write_table(name, path, asked.rows, asked.columns)
            for k in asked.kept:
                print(f"{name:<12} {k:>4}  {measure(path, k)}", flush=True)
    print(f"Peak of memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


@contextmanager
def tight(columns: int, sums: int) -> Iterator[None]:
    """Let so many columns be too many for a matrix, and any rows too many to hold."""
    limits = {"MOST_COLUMNS": columns - 1, "MAX_SCATTER_BYTES": 1_000_000}
    with patch.multiple(linear, affordable_sums=lambda _: sums, **limits):
        yield


def write_table(name: str, path: Path, rows: int, columns: int) -> None:
    rng = np.random.default_rng(1)
    count = {"decay": 400, "noise": 1, "heavy rows": 20}.get(name) or int(name.split()[0])
    sizes = np.arange(1, count + 1) ** -0.7 if name == "decay" else np.full(count, 1.0)
    sizes = np.zeros(1) if name == "noise" else sizes
    loadings = rng.normal(size=(count, columns)) * sizes[:, None]
    noise = float(np.sqrt(np.square(sizes).sum() / 4)) or 1.0  # a fifth of the variance
    out = np.lib.format.open_memmap(path, "w+", np.float32, (rows, columns))
    for first in range(0, rows, _ROWS_AT_ONCE):
        part = out[first : first + _ROWS_AT_ONCE]
        X = rng.normal(size=(len(part), count)) @ loadings
        X += noise * rng.standard_normal(X.shape, np.float32)
        part[:] = X * np.abs(rng.standard_t(3, (len(X), 1))) if name == "heavy rows" else X
    out.flush()


def measure(path: Path, k: int) -> str:
    read: list[int] = []

    def count_columns(mean: Any, length: Any, columns: Any, vectors: Any) -> ProductSums:
        read.append(len(columns))
        return start(mean, length, columns, vectors)

    start, began = ProductSums.start, time.process_time()
    with patch.object(collect, "let_read_again", lambda summary, *_, **__: summary):
        rough = tamis.select(str(path), k=k, method="sfs")
        alone = time.process_time() - began
    began = time.process_time()
    with patch.object(ProductSums, "start", count_columns):
        found = tamis.select(str(path), k=k, method="sfs")
    took = time.process_time() - began
    lost = 100 * (found.retained - share_of(path, rough.indices))
    return (
        f"{found.proven:>4} {len(read):>6} {sum(read):>6} {100 * found.retained:>8.2f}% "
        f"{100 * rough.retained:>8.2f}% {lost:>5.2f} {took:>5.0f}s {took / alone:>8.2f}"
    )


def share_of(path: Path, kept: Any) -> float:
    """Regress all columns of the file on some of them: the share of the variance explained."""
    table = np.load(path, mmap_mode="r")
    mean, size = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    parts = [slice(i, i + _ROWS_AT_ONCE) for i in range(0, len(table), _ROWS_AT_ONCE)]
    for part in parts:
        mean += table[part].sum(axis=0, dtype=float) / len(table)
    products = np.zeros((len(kept), table.shape[1]))
    for part in parts:
        Z = table[part] - mean
        size += np.square(Z).sum(axis=0)
        products += Z[:, kept].T @ Z
    products /= np.sqrt(size) * np.sqrt(size[kept])[:, None]
    weights = np.linalg.solve(products[:, kept], products)
    return float(np.einsum("ij,ij->", weights, products) / len(size))


if __name__ == "__main__":
    main()
