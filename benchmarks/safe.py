"""Are columns called safe to drop safe? `python -m benchmarks.safe FOLDER [REAL] [--splits N]`.

Tables of ../shared/data (FOLDER) and ../shared/real are split in halves of at most 600 rows, and at
most 300 of their columns, drawn by the split, are taken. Columns are chosen on one half by
`tamis.select`, with nothing else asked for; the dropped ones of the other half are predicted from
the kept ones by `reconstruct`. A column called safe is false where less than 95% of it is explained
there. Beside it stand the same without the hundredth of the rows with the largest errors, and the
rule of old: at least 95% explained on the rows of the choice. Last come tables of ten designs
(`benchmarks.intervals`), judged on 4,000 fresh rows. Only public functions are called.
"""

import sys
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tamis
from benchmarks.intervals import DESIGNS

Floats = NDArray[np.float64]

MOST_ROWS, MOST_COLUMNS = 600, 300
SAFE = 0.95
FRESH = 4000
STORED = [
    *("abalone", "arrhythmia", "breast_w", "chromo", "faces", "fseval_warpar10p", "fseval_yale"),
    *("ionosphere", "kr_vs_kp", "leukemia_yeoh", "lrs", "malaysia", "mnist_4v9_test", "robot_lp4"),
    *("robot_lp5", "satellite", "segment", "sonar", "spambase", "twonorm"),
]
REAL = [
    *("AirQualityUCI_semicolon.csv", "HELPfull.csv", "ad_data.csv", "ames.csv"),
    *("chem_proc_yield.csv", "fermentation_spectra.csv", "joined_profiles.parquet", "opt.csv"),
]


def read_table(path: Path) -> Floats:
    """Give the columns of numbers that are nearly complete, and the rows that are complete."""
    if path.suffix == ".npz":
        stored = np.asarray(np.load(path, allow_pickle=True)["X"], dtype=np.float64)
        return stored[:, np.isfinite(stored).all(axis=0)]
    import pandas as pd

    if path.suffix == ".parquet":
        frame = pd.read_parquet(path)
    else:
        odd = {"sep": ";", "decimal": ","} if "semicolon" in path.name else {}
        frame = pd.read_csv(path, **odd)
    X = frame.select_dtypes("number").to_numpy(np.float64)
    X = X[:, np.isfinite(X).mean(axis=0) > 0.98]
    return np.asarray(X[np.isfinite(X).all(axis=1)])


def halve(X: Floats, name: str, times: int) -> Iterator[tuple[Floats, Floats]]:
    """Split the rows in halves, so many times."""
    for seed in range(times):
        rng = np.random.default_rng([zlib.crc32(name.encode()), seed])
        order = rng.permutation(len(X))[: 2 * MOST_ROWS]
        some = X[:, np.sort(rng.permutation(X.shape[1])[:MOST_COLUMNS])]
        half = len(order) // 2
        yield some[order[:half]], some[order[half:]]


def judge(rows: Floats, others: Floats, k: int | None = None) -> NDArray[Any]:
    """Count columns: called safe, false, false without odd rows, truly safe; the same of old."""
    found = tamis.select(rows, k)
    table = found.to_frame().to_pydict()
    analysed = np.array([status != "skipped" for status in table["status"]])
    truth, guess = others[:, analysed], np.asarray(found.reconstruct(others))
    off = np.square(truth - (guess[:, analysed] if guess.shape == others.shape else guess))
    square = np.square(truth - truth.mean(axis=0))
    dropped = np.array([status != "kept" for status in table["status"]])[analysed]
    unit = np.where(square.sum(axis=0) > 0, square.mean(axis=0), np.inf)
    usual = np.argsort((off / unit).sum(axis=1))[: len(off) - -(-len(off) // 100)]
    good = off.sum(axis=0) <= (1 - SAFE) * square.sum(axis=0)
    kind = off[usual].sum(axis=0) <= (1 - SAFE) * square[usual].sum(axis=0)
    share = np.array([np.nan if one is None else one for one in table["share"]])[analysed]
    counts: list[int] = []
    for called in (np.array(table["status"])[analysed] == "safe", dropped & (share >= SAFE)):
        counts += [int((called & one).sum()) for one in (called, ~good, ~kind)]
    return np.array([*counts, int((dropped & good).sum())])


def write_line(name: str, found: NDArray[Any]) -> None:
    """Print the counts of one table: what is called safe, what of it is not, what is found."""
    called, false, odd, old, old_false, _, true = found.tolist()
    parts = [
        f"{called:6d} called {100 * false / max(called, 1):5.1f}% false",
        f"({100 * odd / max(called, 1):5.1f}% without odd rows)",
        f"{100 * (called - false) / max(true, 1):4.0f}% of the safe ones found",
        f"| of old {old:6d} called {100 * old_false / max(old, 1):5.1f}% false",
    ]
    print(f"{name[:28]:28}", *parts, flush=True)


def main() -> None:
    """Print a line for every table, and one for all."""
    warnings.simplefilter("ignore")
    arguments = sys.argv[1:]
    times = 20
    if "--splits" in arguments:
        at = arguments.index("--splits")
        times = int(arguments[at + 1])
        del arguments[at : at + 2]
    folders = [Path(one) for one in arguments]
    paths = [[folders[0] / f"{name}.npz" for name in STORED]] if folders else []
    paths += [[folders[1] / name for name in REAL]] if len(folders) > 1 else []
    every = []
    for group in paths:
        lines = []
        for path in group:
            pairs = halve(read_table(path), path.name, times)
            lines.append(sum(judge(*pair) for pair in pairs))
            write_line(path.stem, np.asarray(lines[-1]))
        write_line(f"all of {len(lines)} tables", np.asarray(sum(lines)))
        every += lines
    if len(paths) > 1:
        write_line(f"all of {len(every)} tables", np.asarray(sum(every)))
    for rows in (60, 150, 300, 1000):
        lines = []
        for design, make in DESIGNS.items():
            for seed in range(times // 2):
                rng = np.random.default_rng([zlib.crc32(design.encode()), rows, 1000 + seed])
                draw = make(rng)
                X, fresh = draw(rows), draw(FRESH)
                if "twice" in design:
                    X[rows - rows // 2 :] = X[: rows // 2]
                lines.append(judge(X, fresh, max(1, min(10, X.shape[1] // 5))))
        write_line(f"made, {rows} rows", np.asarray(sum(lines)))


if __name__ == "__main__":
    main()
