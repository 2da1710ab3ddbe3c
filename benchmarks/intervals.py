"""How often the interval of the share on new rows covers: `python -m benchmarks.intervals [TIMES]`.

Tables of thirty designs (factors, few values, heavy tails, spectra, counts, classes, repeated rows,
copies, noise) of 100, 300 and 1,000 rows. The truth is what `reconstruct` explains of 8,000 fresh
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
FRESH = 8000
FOLDS = 10
PLAIN, CORRECTED = (1 / FOLDS) ** 0.5, (1 / FOLDS + 1 / (FOLDS - 1)) ** 0.5


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


def measure(design: str, rows: int, seed: int) -> tuple[float, float, float, float] | None:
    """Give the share on held-out rows, its interval, and the truth."""
    rng = np.random.default_rng([zlib.crc32(design.encode()), rows, seed])
    draw = DESIGNS[design](rng)
    X, fresh = draw(rows), draw(FRESH)
    if "twice" in design:
        X[rows - rows // 2 :] = X[: rows // 2]
    groups = np.arange(rows) // 5 if "groups" in design else None
    found = tamis.select(X, max(1, min(10, X.shape[1] // 5)), row_groups=groups)
    if not found.shows_held_out:
        return None
