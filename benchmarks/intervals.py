"""How often the interval of the share on new rows covers: `python -m benchmarks.intervals [TIMES]`.

Tables of ten designs (factors, few values, heavy tails, repeated rows, copies) of 100, 300 and
1,000 rows; the truth is what `reconstruct` explains of 8,000 fresh rows. The interval is the share
on held-out rows and two standard errors to either side, with and without the correction for the
training rows that folds share. Only public functions are called.
"""

import sys
import warnings
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tamis

Floats = NDArray[np.float64]
Draw = Callable[[int], Floats]

ROWS = (100, 300, 1000)
FRESH = 8000
FOLDS = 10
PLAIN, CORRECTED = (1 / FOLDS) ** 0.5, (1 / FOLDS + 1 / (FOLDS - 1)) ** 0.5


def _factors(rng: Any, count: int, width: int, noise: tuple[float, float], tails: bool) -> Draw:
    weights, sizes = rng.normal(size=(count, width)), rng.uniform(*noise, width)

    def draw(rows: int) -> Floats:
        pick = (lambda *size: rng.standard_t(3, size)) if tails else rng.standard_normal
        shape = [(rows, count), (rows, width)]
        first, second = (pick(*one) if tails else pick(one) for one in shape)
        return np.asarray(first @ weights + second * sizes)

    return draw


def _flips(rng: Any) -> Draw:
    share, flip = rng.uniform(0.1, 0.5, 8), 10 ** rng.uniform(-3.3, -1.2, (5, 8))

    def draw(rows: int) -> Floats:
        base = rng.random((rows, 8)) < share
        copies = [base ^ (rng.random((rows, 8)) < one) for one in flip]
        return np.hstack([base, *copies]).astype(float)

    return draw


def _series(rng: Any) -> Draw:
    near = rng.uniform(0.9, 0.995, 6)
    apart = np.abs(np.subtract.outer(range(8), range(8)))
    roots = [np.linalg.cholesky(one**apart).T for one in near]
    return lambda rows: np.hstack([rng.normal(size=(rows, 8)) @ root for root in roots])


def _copies(rng: Any) -> Draw:
    draw, sizes = _factors(rng, 5, 20, (0.1, 0.8), False), 10 ** rng.uniform(-3, 0, 20)
    scale = 10 ** rng.uniform(-3, 3, 60)

    def double(rows: int) -> Floats:
        X = draw(rows)
        return np.hstack([X, X, X + rng.normal(size=X.shape) * sizes]) * scale

    return double


def _rare(rng: Any) -> Draw:
    rate, weights = rng.uniform(0.02, 0.2, 5), rng.normal(size=(5, 20))

    def draw(rows: int) -> Floats:
        factors = rng.normal(size=(rows, 5)) * (rng.random((rows, 5)) < rate)
        return np.asarray(factors @ weights * (1 + 0.05 * rng.normal(size=(rows, 20))))

    return draw


DESIGNS: dict[str, Callable[[Any], Draw]] = {
    "factors, noise 0.2 to 1": lambda rng: _factors(rng, 6, 40, (0.2, 1.0), False),
    "factors, noise 0.05 to 0.3": lambda rng: _factors(rng, 6, 40, (0.05, 0.3), False),
    "factors, 300 columns": lambda rng: _factors(rng, 10, 300, (0.1, 1.2), False),
    "factors, t with 3 degrees": lambda rng: _factors(rng, 6, 40, (0.1, 0.8), True),
    "factors, rows twice": lambda rng: _factors(rng, 6, 40, (0.2, 1.0), False),
    "series": _series,
    "0/1 with flips": _flips,
    "copies, many scales": _copies,
    "rare factors": _rare,
    "few factors": lambda rng: _factors(rng, 3, 15, (0.3, 1.5), False),
}


def measure(design: str, rows: int, seed: int) -> tuple[float, float, float] | None:
    """Give the share on held-out rows, its deviation over the folds, and the truth."""
    rng = np.random.default_rng([zlib.crc32(design.encode()), rows, seed])
    draw = DESIGNS[design](rng)
    X, fresh = draw(rows), draw(FRESH)
    if "twice" in design:
        X[rows - rows // 2 :] = X[: rows // 2]
    found = tamis.select(X, max(1, min(10, X.shape[1] // 5)))
    if not found.shows_held_out:
        return None
    guess, truth = np.asarray(found.reconstruct(fresh)), fresh[:, found.used]
    unit = X[:, found.used].std(axis=0)
    left = np.square((truth - guess) / unit).sum()
    whole = np.square((truth - truth.mean(axis=0)) / unit).sum()
    at = found.k - 1
    return float(found.held_out[at]), float(found.held_out_std[at]), float(1 - left / whole)


def main() -> None:
    """Print a table: of the intervals, the share that covers the truth."""
    warnings.simplefilter("ignore")
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("rows | design | covered, corrected | root of the folds | bias")
    for rows in ROWS:
        lines: list[Floats] = []
        for design in DESIGNS:
            tried = [measure(design, rows, seed) for seed in range(times)]
            share, std, truth = np.array([one for one in tried if one is not None]).T
            off = np.abs(share - truth)
            inside = [off <= 2 * factor * std for factor in (CORRECTED, PLAIN)]
            lines.append(np.array([*np.mean(inside, axis=1), np.mean(share - truth)]))
            print(f"{rows} | {design} | {_write(lines[-1])}", flush=True)
        print(f"{rows} | all | {_write(np.mean(lines, axis=0))}", flush=True)


def _write(line: Floats) -> str:
    return f"{line[0]:.1%} | {line[1]:.1%} | {line[2]:+.4f}"


if __name__ == "__main__":
    main()
