"""How often the standard errors of `reconstruct` cover: half of the rows choose, the others judge.

python -m benchmarks.coverage [FOLDER] prints a table: of the dropped values of held-out rows, the
share within one standard error (68.3% of normal residuals) and within 1.96 (95%).
"""

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

_FILES = ("abalone", "breast_w", "ionosphere", "lrs", "satellite", "segment", "sonar", "twonorm")
_FEWEST_COLUMNS = 4


def tables(folder: Path) -> Iterator[tuple[str, Any]]:
    """Give the tables of a folder that are there, and five of scikit-learn."""
    from sklearn import datasets

    for name in ("iris", "wine", "breast_cancer", "diabetes", "digits"):
        yield f"sklearn {name}", getattr(datasets, f"load_{name}")().data
    for name in _FILES:
        path = folder / f"{name}.npz"
        if path.exists():
            with np.load(path, allow_pickle=False) as file:
                yield name, np.asarray(file["X"], dtype=np.float64)


def coverage(X: Any, seed: int = 0) -> tuple[int, float, float, float]:
    """Give the number of kept columns, both shares covered, and the share explained."""
    import tamis

    X = X[:, np.ptp(X, axis=0) > 0]
    order = np.random.default_rng(seed).permutation(len(X))
    train, test = X[order[: len(X) // 2]], X[order[len(X) // 2 :]]
    k = max(1, min(10, X.shape[1] // 3))
    found = tamis.select(train, k)
    values, errors = found.reconstruct(test, errors=True)
    truth = test[:, found.used]
    dropped = np.setdiff1d(np.arange(len(found.used)), found.path.kept)
    off = np.abs(truth - values)[:, dropped] / np.maximum(errors[:, dropped], 1e-300)
    return k, float((off <= 1).mean()), float((off <= 1.96).mean()), float(found.retained)


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    print("table | rows | columns | kept | within 1 SE | within 1.96 SE")
    for name, X in tables(folder):
        if X.shape[1] >= _FEWEST_COLUMNS:
            found = np.mean([coverage(X, seed)[:3] for seed in range(5)], axis=0)
            shape = f"{X.shape[0]:,} | {X.shape[1]:,} | {found[0]:.0f}"
            print(f"{name} | {shape} | {found[1]:.1%} | {found[2]:.1%}", flush=True)


if __name__ == "__main__":
    main()
