"""What is left of the answer on tables with holes: `python -m benchmarks.holes [FOLDER]`.

Holes are punched into complete tables, at random over all cells (even) or with another share in
every column (uneven: drawn from a beta distribution with that mean). Columns are selected from the
table with holes by each way to treat missing values. Two figures: `kept`, the share of the variance
of the complete table that these columns explain, relative to the columns selected from the complete
table; and `claimed`, the share the answer claims, relative to what its columns truly explain.
FOLDER has further tables as NPZ files with an array `X`.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn import datasets

import tamis
from benchmarks.tables import npz

Floats = NDArray[np.float64]

STORED = ("ionosphere", "sonar", "spambase", "segment", "spectf", "robot_lp5")
WAYS = ("covariance", "mean", "drop")
SHARES = (0.05, 0.1, 0.2, 0.4)
SEEDS = range(3)
MAX_ROWS = 2_000


def complete_tables(folder: Path | None) -> Iterator[tuple[str, Floats]]:
    """Give tables of numbers without missing values, each with its name."""
    yield "wine", datasets.load_wine().data
    yield "breast cancer", datasets.load_breast_cancer().data
    yield "diabetes", datasets.load_diabetes().data
    yield "digits", datasets.load_digits().data
    for name in STORED if folder is not None else ():
        assert folder is not None
        yield name, npz(str(folder / f"{name}.npz"))


def punch(X: Floats, share: float, *, even: bool, seed: int) -> Floats:
    """Make a share of all cells missing; of every column at least five values stay."""
    rng = np.random.default_rng(seed)
    width = X.shape[1]
    shares = np.full(width, share) if even else rng.beta(1.0, 1.0 / share - 1.0, width)
    holes = rng.random(X.shape) < np.minimum(shares, 0.9)
    for column in holes.T:
        column[rng.choice(len(X), 5, replace=False)] = False
    return np.where(holes, np.nan, X)


def judge(X: Floats, holes: Floats, k: int, way: str, best: float) -> tuple[float, float]:
    """Give what the columns keep of the best share, and the claimed share of the true one."""
    try:
        found = tamis.select(holes, k, method="sfs", missing=way, max_missing=1.0)
    except tamis.TamisError:
        return float("nan"), float("nan")
    true = tamis.score(X, found.indices.tolist(), method="sfs").retained
    return true / best, found.retained / true


def main() -> None:
    """Print one line for each table, kind and share of holes."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    figures: dict[tuple[str, float, str], list[tuple[float, float]]] = {}
    print("| table | rows x columns, k | holes | " + " | ".join(WAYS) + " |  (kept / claimed)")
    for name, table in complete_tables(folder):
        X = table[:MAX_ROWS]
        X = X[:, (X[:5].std(axis=0) > 0) & (X.std(axis=0) > 0)]
        k = max(3, min(10, X.shape[1] // 3))
        best = tamis.select(X, k, method="sfs").retained
        for kind in ("even", "uneven"):
            for share in SHARES:
                cells = []
                for way in WAYS:
                    each = [
                        judge(X, punch(X, share, even=kind == "even", seed=seed), k, way, best)
                        for seed in SEEDS
                    ]
                    figures.setdefault((kind, share, way), []).extend(each)
                    cells.append(write_means(each))
                size = f"{X.shape[0]} x {X.shape[1]}, {k}"
                print(f"| {name} | {size} | {kind} {share:.0%} | {' | '.join(cells)} |", flush=True)
    for kind in ("even", "uneven"):
        for share in SHARES:
            cells = [write_means(figures[kind, share, way]) for way in WAYS]
            print(f"| all | | {kind} {share:.0%} | {' | '.join(cells)} |")


def write_means(pairs: list[tuple[float, float]]) -> str:
    """Write the means of both figures over the runs that gave an answer, and how many did not."""
    known = np.array([pair for pair in pairs if not np.isnan(pair[0])])
    if not len(known):
        return "no answer"
    kept, claimed = known.mean(axis=0)
    lost = len(pairs) - len(known)
    return f"{kept:.3f} / {claimed:.2f}" + (f" ({lost} without)" if lost else "")


if __name__ == "__main__":
    main()
