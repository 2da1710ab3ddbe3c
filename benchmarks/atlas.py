"""A made table of counts as large as a cell atlas: `python -m benchmarks.atlas FILE.h5ad`.

It has what a real table of raw counts has (2,700 cells x 2,000 genes were measured): genes whose
means spread over orders of magnitude (the standard deviation of their logarithms is 2.05), cells
of very different size (0.5), kinds of cells with their own genes, and a few graded programmes
across all of them, so that the first component of the log-counts carries about a tenth of their
variance and the first 50 less than a half. 7% of all cells of the table are not 0.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

ROWS, COLUMNS, DENSITY = 38_237, 32_285, 0.07
KINDS, PROGRAMMES = 16, 24
_GENE_SPREAD, _CELL_SPREAD = 2.05, 0.5
_MARKED, _MARKER = 0.1, 2.0  # share of the genes that mark a kind of cell, and by how much
_STEP = 512


class Atlas:
    """What the counts are drawn from: genes, kinds of cells and programmes."""

    def __init__(self, n_columns: int, density: float, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.base = rng.normal(0.0, _GENE_SPREAD, n_columns)
        marks = rng.random((KINDS, n_columns)) < _MARKED
        self.kinds = np.where(marks, rng.normal(0.0, _MARKER, marks.shape), 0.0)
        strength = 1.5 / np.arange(1, PROGRAMMES + 1)
        uses = rng.random((PROGRAMMES, n_columns)) < 0.3
        self.programmes = strength[:, None] * rng.normal(size=uses.shape) * uses
        self.seed = seed
        self.base += self._find_level(density)

    def draw(self, n_rows: int) -> Iterator[tuple[Any, NDArray[np.intp]]]:
        """Yield sparse counts and the kinds of their cells, some rows at a time."""
        for start in range(0, n_rows, _STEP):
            rng = np.random.default_rng((self.seed, start))
            count = min(_STEP, n_rows - start)
            rates, kinds = self._rates(rng, count)
            counts = rng.poisson(rates).astype(np.float32)
            yield scipy.sparse.csr_array(counts), kinds

    def _rates(self, rng: np.random.Generator, count: int) -> tuple[Any, NDArray[np.intp]]:
        kinds = rng.choice(KINDS, count, p=np.arange(KINDS, 0, -1) / (KINDS * (KINDS + 1) / 2))
        size = rng.normal(0.0, _CELL_SPREAD, (count, 1))
        graded = rng.normal(size=(count, PROGRAMMES)) @ self.programmes
        return np.exp(self.base + size + self.kinds[kinds] + graded), kinds

    def _find_level(self, density: float) -> float:
        """Halve the interval of what is added to all logarithms until the density is right."""
        low, high = -15.0, 5.0
        rates, _ = self._rates(np.random.default_rng(self.seed), 64)
        for _ in range(40):
            middle = (low + high) / 2
            share = float((1.0 - np.exp(-rates * np.exp(middle))).mean())
            low, high = (middle, high) if share < density else (low, middle)
        return (low + high) / 2


def write_atlas(path: Path, n_rows: int, n_columns: int, density: float = DENSITY) -> int:
    """Write a table of counts as AnnData (.h5ad), rows as they are drawn; give its entries."""
    import h5py

    atlas, indptr, kinds = Atlas(n_columns, density), [np.zeros(1, dtype=np.int64)], []
    with h5py.File(path, "w") as file:
        _mark(file, "anndata", "0.1.0")
        X = file.create_group("X")
        _mark(X, "csr_matrix", "0.1.0")
        X.attrs["shape"] = (n_rows, n_columns)
        stored = {
            name: X.create_dataset(name, (0,), kind, maxshape=(None,), chunks=(1 << 18,))
            for name, kind in (("data", "f4"), ("indices", "i4"))
        }
        for part, own in atlas.draw(n_rows):
            done = len(stored["data"])
            for name, dataset in stored.items():
                dataset.resize((done + part.nnz,))
                dataset[done:] = getattr(part, name)
            indptr.append(part.indptr[1:].astype(np.int64) + indptr[-1][-1])
            kinds.append(own)
        X["indptr"] = np.concatenate(indptr)
        _write_frame(file, "obs", "cell", n_rows, kind=np.concatenate(kinds))
        _write_frame(file, "var", "gene", n_columns)
    return int(indptr[-1][-1])


def _mark(group: Any, kind: str, version: str) -> None:
    group.attrs["encoding-type"], group.attrs["encoding-version"] = kind, version


def _write_frame(file: Any, name: str, prefix: str, count: int, **columns: Any) -> None:
    frame = file.create_group(name)
    _mark(frame, "dataframe", "0.2.0")
    frame.attrs["_index"], frame.attrs["column-order"] = "_index", list(columns)
    names = np.array([f"{prefix}{i}" for i in range(count)], dtype=object)
    for key, values in {"_index": names, **columns}.items():
        frame[key] = values
        _mark(frame[key], "string-array" if key == "_index" else "array", "0.2.0")


def main() -> None:
    """Write the table that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.atlas", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--columns", type=int, default=COLUMNS)
    parser.add_argument("--density", type=float, default=DENSITY)
    given = parser.parse_args()
    entries = write_atlas(given.file, given.rows, given.columns, given.density)
    share = entries / given.rows / given.columns
    print(f"{given.file}: {given.rows:,} x {given.columns:,}, {entries:,} not 0 ({share:.1%})")


if __name__ == "__main__":
    main()
