"""How far the shares from a sketch of the rows are off, by the number of sums.

`python -m benchmarks.sketch` makes tables of several kinds, sketches each several times, selects
columns by `sfs` from the sketch, and compares `retained` with what these columns explain of the
table itself, `bound` with that of the table, and the columns with those `sfs` finds on the table.
"""

import numpy as np

from tamis import registry
from tamis.evaluation.measure import bound_by_components, relate_to_kept
from tamis.statistics.gram import DenseGram
from tamis.statistics.moments import Moments
from tamis.statistics.row_sketch import RowSketch

ROWS, COLUMNS, SEEDS = 20_000, 300, 5
SUMS = (1024, 2048, 4096, 8192)
KEPT = (1, 8, 40)


def main() -> None:
    print("Largest errors over tables and seeds, in percent of the variance.")
    print(f"{'table':<12} {'sums':>6} {'retained':>9} {'bound':>7} {'lost by other columns':>22}")
    for name in ("1 factor", "2 factors", "8 factors", "40 factors", "decay", "heavy rows"):
        X = table(name)
        gram = Moments.from_batch(X).gram(scale=True)
        for sums in SUMS:
            errors = np.abs([one for part in range(SEEDS) for one in measured(X, gram, sums, part)])
            print(f"{name:<12} {sums:>6} " + "{:>8.2f} {:>8.2f} {:>18.2f}".format(*errors.max(0)))


def table(name: str) -> np.ndarray:
    rng = np.random.default_rng(1)
    if name == "decay":
        basis = np.linalg.qr(rng.normal(size=(COLUMNS, COLUMNS)))[0]
        return rng.normal(size=(ROWS, COLUMNS)) * np.arange(1, COLUMNS + 1) ** -0.7 @ basis
    factors = 20 if name == "heavy rows" else int(name.split()[0])
    X = rng.normal(size=(ROWS, factors)) @ rng.normal(size=(factors, COLUMNS))
    X += rng.normal(size=X.shape) * max(1.0, factors / 16) ** 0.5
    return X * np.abs(rng.standard_t(3, size=(ROWS, 1))) if name == "heavy rows" else X


def measured(X: np.ndarray, gram: DenseGram, sums: int, part: int) -> list[list[float]]:
    sketch = RowSketch.about(X[0], sums, part)
    sketch.add(X)
    estimated = DenseGram(sketch.gram(scale=True)[3].block(slice(None)))
    find = registry.get("sfs").load_kernel()
    found = []
    for k in KEPT:
        best, path = (find(g, k, retain=np.inf) for g in (gram, estimated))
        share = float(relate_to_kept(gram, path.kept).shares[-1].mean())
        bound = float(bound_by_components(estimated, k)[-1] - bound_by_components(gram, k)[-1])
        found.append([100 * (path.share - share), 100 * bound, 100 * max(best.share - share, 0.0)])
    return found


if __name__ == "__main__":
    main()
