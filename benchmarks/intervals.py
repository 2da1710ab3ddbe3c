"""How often the interval of the share on new rows covers: `python -m benchmarks.intervals [TIMES]`.

Tables of thirty designs (factors, few values, heavy tails, spectra, counts, classes, repeated rows,
copies, noise) of 100, 300 and 1,000 rows. The truth is what `reconstruct` explains of 3,000 fresh
rows; where the answer says that extreme values are limited, those of the fresh rows are limited as
it says. The interval is that of the answer. Only public functions are called.
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
FRESH = 3000


def _factors(
    rng: Any, count: int, width: int, noise: tuple[float, float], degrees: float | None = None
) -> Draw:
    """Draw normal factors and noise, or those of a t distribution with so many degrees."""
    weights, sizes = rng.normal(size=(count, width)), rng.uniform(*noise, width)

    def draw(rows: int) -> Floats:
        shapes = [(rows, count), (rows, width)]
        first, second = (
            rng.standard_normal(one) if degrees is None else rng.standard_t(degrees, one)
            for one in shapes
        )
        return np.asarray(first @ weights + second * sizes)

    return draw


def _flips(rng: Any, width: int = 8) -> Draw:
    share, flip = rng.uniform(0.1, 0.5, width), 10 ** rng.uniform(-3.3, -1.2, (5, width))

    def draw(rows: int) -> Floats:
        base = rng.random((rows, width)) < share
        copies = [base ^ (rng.random((rows, width)) < one) for one in flip]
        return np.hstack([base, *copies]).astype(float)

    return draw


def _series(rng: Any, low: float = 0.9, high: float = 0.995) -> Draw:
    near = rng.uniform(low, high, 6)
    apart = np.abs(np.subtract.outer(range(8), range(8)))
    roots = [np.linalg.cholesky(one**apart).T for one in near]
    return lambda rows: np.hstack([rng.normal(size=(rows, 8)) @ root for root in roots])


def _copies(rng: Any) -> Draw:
    draw, sizes = _factors(rng, 5, 20, (0.1, 0.8)), 10 ** rng.uniform(-3, 0, 20)
    scale = 10 ** rng.uniform(-3, 3, 60)

    def double(rows: int) -> Floats:
        X = draw(rows)
        return np.hstack([X, X, X + rng.normal(size=X.shape) * sizes]) * scale

    return double


def _rare(rng: Any, most: float = 0.2) -> Draw:
    rate, weights = rng.uniform(0.02, most, 5), rng.normal(size=(5, 20))

    def draw(rows: int) -> Floats:
        factors = rng.normal(size=(rows, 5)) * (rng.random((rows, 5)) < rate)
        return np.asarray(factors @ weights * (1 + 0.05 * rng.normal(size=(rows, 20))))

    return draw


def _spectra(rng: Any, width: int, noise: float) -> Draw:
    """Draw mixtures of broad peaks, with a baseline that drifts."""
    at, centre = np.linspace(0, 1, width), rng.uniform(0, 1, 7)
    peaks = np.exp(-np.square((at - centre[:, None]) / rng.uniform(0.02, 0.15, (7, 1))))

    def draw(rows: int) -> Floats:
        mixed = rng.gamma(2.0, 1.0, (rows, 7)) @ peaks + rng.normal(size=(rows, 1)) * at
        return np.asarray(mixed + noise * rng.normal(size=mixed.shape))

    return draw


def _counts(rng: Any, level: float, width: int) -> Draw:
    draw = _factors(rng, 4, width, (0.2, 0.6))
    return lambda rows: rng.poisson(level * np.exp(0.4 * draw(rows))).astype(float)


def _mapped(draw: Draw, change: Callable[[Floats], Floats]) -> Draw:
    return lambda rows: change(draw(rows))


def _classes(rng: Any, count: int, width: int) -> Draw:
    centres, sizes = 2 * rng.normal(size=(count, width)), rng.dirichlet(np.full(count, 2.0))
    return lambda rows: centres[rng.choice(count, rows, p=sizes)] + rng.normal(size=(rows, width))


def _decay(rng: Any, power: float, width: int) -> Draw:
    axes = np.linalg.qr(rng.normal(size=(width, width)))[0] * (1.0 + np.arange(width)) ** -power
    return lambda rows: rng.normal(size=(rows, width)) @ axes.T


def _uneven_rows(rng: Any) -> Draw:
    draw = _factors(rng, 5, 30, (0.2, 1.0))
    return lambda rows: draw(rows) * np.exp(0.5 * rng.normal(size=(rows, 1)))


def _groups(rng: Any) -> Draw:
    """Draw rows in groups of five that share most of their factors."""
    weights, sizes = rng.normal(size=(5, 30)), rng.uniform(0.2, 1.0, 30)

    def draw(rows: int) -> Floats:
        own = np.repeat(rng.normal(size=(rows // 5, 5)), 5, axis=0)
        own = own + 0.3 * rng.normal(size=own.shape)
        return np.asarray(own @ weights + rng.normal(size=(rows, 30)) * sizes)

    return draw


DESIGNS: dict[str, Callable[[Any], Draw]] = {
    "factors, noise 0.2 to 1": lambda rng: _factors(rng, 6, 40, (0.2, 1.0)),
    "factors, noise 0.05 to 0.3": lambda rng: _factors(rng, 6, 40, (0.05, 0.3)),
    "factors, 300 columns": lambda rng: _factors(rng, 10, 300, (0.1, 1.2)),
    "factors, t with 3 degrees": lambda rng: _factors(rng, 6, 40, (0.1, 0.8), 3),
    "factors, rows twice": lambda rng: _factors(rng, 6, 40, (0.2, 1.0)),
    "series": _series,
    "0/1 with flips": _flips,
    "copies, many scales": _copies,
    "rare factors": _rare,
    "few factors": lambda rng: _factors(rng, 3, 15, (0.3, 1.5)),
    "factors, t with 2 degrees": lambda rng: _factors(rng, 6, 40, (0.1, 0.8), 2),
    "few factors, t with 2 degrees": lambda rng: _factors(rng, 3, 15, (0.3, 1.5), 2),
    "factors, t with 5 degrees": lambda rng: _factors(rng, 6, 40, (0.2, 1.0), 5),
    "many factors": lambda rng: _factors(rng, 25, 60, (0.5, 2.0)),
    "much noise": lambda rng: _factors(rng, 4, 50, (2.0, 5.0)),
    "noise alone": lambda rng: lambda rows: rng.normal(size=(rows, 25)),
    "weak series": lambda rng: _series(rng, 0.5, 0.8),
    "many flips": lambda rng: _flips(rng, 15),
    "rarer factors": lambda rng: _rare(rng, 0.06),
    "spectra, 120 columns": lambda rng: _spectra(rng, 120, 0.05),
    "spectra, noisy": lambda rng: _spectra(rng, 60, 0.3),
    "counts": lambda rng: _counts(rng, 20.0, 30),
    "small counts": lambda rng: _counts(rng, 3.0, 40),
    "log-normal, many scales": lambda rng: _mapped(_factors(rng, 5, 30, (0.1, 0.6)), np.exp),
    "answers of five levels": lambda rng: _mapped(
        _factors(rng, 5, 40, (0.8, 2.0)), lambda X: np.clip(np.rint(X), -2.0, 2.0)
    ),
    "five classes": lambda rng: _classes(rng, 5, 30),
    "two classes, 80 columns": lambda rng: _classes(rng, 2, 80),
    "decaying spectrum": lambda rng: _decay(rng, 1.0, 50),
    "rows of uneven size": _uneven_rows,
    "rows in groups": _groups,
}


def limit(found: tamis.Selection, X: Floats, rows: Floats) -> Floats:
    """Limit the extreme values of rows as an answer on `X` says it; as they are if it does not.

    Columns with two values are not limited, nor those that have values beyond limits all the same:
    their tails are not heavy.
    """
    clipped = found.to_dict()["clipped"]
    if clipped is None:
        return rows
    middle, names = np.median(X, axis=0), {f"x{j}": j for j in range(X.shape[1])}
    apart = np.abs(X - middle)
    apart = np.where((np.median(apart, axis=0) == 0) & (apart == 0), np.nan, apart)
    reach = clipped["deviations"] * np.nanmedian(apart, axis=0)
    said = np.isin(np.arange(X.shape[1]), [names[name] for name in clipped["columns"]])
    two = np.array([len(np.unique(column)) <= 2 for column in X.T])
    limited = (said | (np.abs(X - middle) < reach).all(axis=0)) & ~two
    return np.where(limited, np.clip(rows, middle - reach, middle + reach), rows)


def explain(found: tamis.Selection, X: Floats, fresh: Floats, *, as_is: bool = False) -> float:
    """Give the share of fresh rows that `reconstruct` explains, every column in its unit in `X`.

    It is that of values as the answer says, or of values `as_is`.
    """
    guess = np.asarray(found.reconstruct(fresh))
    if not as_is:
        X, fresh = limit(found, X, X), limit(found, X, fresh)
    X, fresh = X[:, found.used], fresh[:, found.used]
    guess = guess[:, found.used] if guess.shape[1] > fresh.shape[1] else guess
    unit = X.std(axis=0)
    kept = np.isin(found.used, found.indices)
    left = np.square((fresh - guess) / unit)[:, ~kept].sum()
    return float(1 - left / np.square((fresh - X.mean(axis=0)) / unit).sum())


def measure(design: str, rows: int, seed: int) -> tuple[float, float, float, float] | None:
    """Give the share on held-out rows, the ends of its interval, and the truth."""
    rng = np.random.default_rng([zlib.crc32(design.encode()), rows, seed])
    draw = DESIGNS[design](rng)
    X, fresh = draw(rows), draw(FRESH)
    if "twice" in design:
        X[rows - rows // 2 :] = X[: rows // 2]
    groups = np.arange(rows) // 5 if "groups" in design else None
    found = tamis.select(X, max(1, min(10, X.shape[1] // 5)), row_groups=groups)
    held = found.to_dict()["held_out"]
    if held is None:
        return None
    at = found.k - 1
    ends = [held[name][at] for name in ("share", "low", "high")]
    return ends[0], ends[1], ends[2], explain(found, X, fresh)


def main() -> None:
    """Print a table: how many intervals cover the truth, how wide they are, and the bias."""
    warnings.simplefilter("ignore")
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("rows | design | covered | width | bias")
    for rows in ROWS:
        lines: list[Floats] = []
        for design in DESIGNS:
            tried = [measure(design, rows, seed) for seed in range(times)]
            known = np.array([one for one in tried if one is not None])
            share, low, high, truth = known.T
            inside = (low <= truth) & (truth <= high)
            lines.append(np.array([inside.mean(), (high - low).mean(), (share - truth).mean()]))
            print(f"{rows} | {design} | {_write(lines[-1])}", flush=True)
        print(f"{rows} | all | {_write(np.mean(lines, axis=0))}", flush=True)


def _write(line: Floats) -> str:
    return f"{line[0]:.1%} | {line[1]:.3f} | {line[2]:+.4f}"


if __name__ == "__main__":
    main()
