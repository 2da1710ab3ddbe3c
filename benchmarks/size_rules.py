"""Rules for the number of columns to keep, compared in `benchmarks.auto`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

import tamis
from tamis.algorithms.residual import Residual
from tamis.evaluation.auto_size import best_size

Floats = NDArray[np.float64]

BARS = (0.25, 0.5, 0.75, 1.0)
_LEVEL = 0.05


@dataclass(frozen=True)
class Planted:
    """A table of known size: base columns, mixtures of three of them, and columns of noise.

    `share` is what the base columns explain of a mixture. `noise` is the correlation of the noise
    in neighbouring columns, `common` that of any two base columns.
    """

    rows: int
    base: int
    mixed: int
    alone: int
    share: float = 0.8
    noise: float = 0.0
    common: float = 0.0

    def table(self, seed: int) -> Floats:
        """Make one, its columns in random order."""
        rng = np.random.default_rng(seed)
        own = rng.standard_normal((self.rows, self.base))
        shared = rng.standard_normal((self.rows, 1))
        base = np.sqrt(1 - self.common) * own + np.sqrt(self.common) * shared
        weights = np.zeros((self.base, self.mixed))
        for j in range(self.mixed):
            signs, sizes = rng.choice([-1, 1], 3), rng.uniform(0.5, 1.5, 3)
            weights[rng.choice(self.base, 3, replace=False), j] = signs * sizes
        mixed = base @ weights
        mixed *= np.sqrt(self.share) / mixed.std(axis=0)
        mixed += np.sqrt(1 - self.share) * self._noise(rng, self.mixed)
        table = np.column_stack([base, mixed, self._noise(rng, self.alone)])
        return table[:, rng.permutation(table.shape[1])]

    def _noise(self, rng: np.random.Generator, count: int) -> Floats:
        noise = rng.standard_normal((self.rows, count))
        for j in range(1, count):
            noise[:, j] *= np.sqrt(1 - self.noise**2)
            noise[:, j] += self.noise * noise[:, j - 1]
        return noise

    def __str__(self) -> str:
        noise = f", noise r = {self.noise:g}" if self.noise else ""
        common = f", base r = {self.common:g}" if self.common else ""
        return (
            f"{self.rows} rows: {self.base} base, {self.mixed} mixed ({self.share:.0%}), "
            f"{self.alone} noise{noise}{common}"
        )


def sizes(X: Floats) -> dict[str, Any]:
    """Give the number of columns that every rule finds, and the interval of `k="auto"`."""
    found = tamis.select(X, k="auto")
    auto, d = found.auto, len(found.used)
    share, error = auto.folds.share, auto.folds.std / np.sqrt(len(auto.folds.totals))
    best = int(share.argmax())
    values = found.summary.gram.eigenvalues(min(found.summary.gram.rank_bound, d))
    return {
        **{f"gain on others, bar {bar:g}": best_size(auto.folds, d, bar) for bar in BARS},
        "held-out share, one SE": int(np.argmax(share >= share[best] - error[best])) + 1,
        "partial correlations": _by_partial_correlations(found, len(X)),
        "parallel analysis": _by_parallel_analysis(values, len(X), d),
        "ScreeNOT": _by_screenot(values, len(X), d),
        "interval": (auto.low, auto.high),
    }


def _by_partial_correlations(found: Any, rows: int) -> int:
    """Stop once the next column's partial correlations with the others are at chance level."""
    gram, path = found.summary.gram, found.search(min(len(found.used), 100))
    residual = Residual(gram, len(path.indices))
    for step, j in enumerate(path.indices):
        others = np.setdiff1d(np.flatnonzero(residual.free), [j])
        link = gram.column(int(j)) - residual.W[:, j] @ residual.W
        squares = np.square(link[others]) / residual.left[others] / residual.left[j]
        tail = chi2.sf(squares.sum() * max(rows - step - 1, 1), max(len(others), 1))
        if tail * (len(others) + 1) > _LEVEL:
            return max(step, 1)
        residual.take(int(j))
    return len(path.indices)


def _by_parallel_analysis(values: Floats, rows: int, d: int) -> int:
    """Count the eigenvalues above the edge of those of noise (Marchenko and Pastur)."""
    return max(1, int((values > (1 + np.sqrt(d / rows)) ** 2).sum()))


def _by_screenot(values: Floats, rows: int, d: int) -> int:
    """Count the singular values above the threshold of Donoho, Gavish and Romanov (2023)."""
    y = np.sqrt(values)
    ratio = len(y) / max(rows, d)
    most = max(1, min(len(y) // 4, (len(y) - 1) // 2 - 1))
    steps = (1 - (np.arange(most) / most) ** (2 / 3)) / (2 ** (2 / 3) - 1)
    noise = np.concatenate([y[most] + steps * (y[most] - y[2 * most]), y[most:]])
    low, high = noise.max() * (1 + 1e-9), 10 * noise.max() + 1
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _slope(middle, noise, ratio) < -4 else (low, middle)
    return max(1, int((y > high).sum()))


def _slope(z: float, noise: Floats, ratio: float) -> float:
    """Give the elasticity of the D-transform of the noise."""
    phi = np.mean(z / (z * z - noise**2))
    slope = -np.mean((z * z + noise**2) / (z * z - noise**2) ** 2)
    other = ratio * phi + (1 - ratio) / z
    return float(z * (slope / phi + (ratio * slope - (1 - ratio) / z**2) / other))


def planted_tables() -> Iterator[Planted]:
    """Yield the kinds of tables; the last three were added after the bar was chosen."""
    yield from (
        Planted(300, 8, 30, 30, 0.9),
        Planted(300, 8, 30, 30, 0.6, noise=0.3),
        Planted(300, 10, 40, 100, common=0.3),
        Planted(500, 30, 60, 30),
        Planted(1000, 5, 10, 5),
        Planted(1000, 10, 60, 60),
        Planted(1000, 20, 100, 80, 0.7, noise=0.3),
        Planted(1000, 20, 100, 80, 0.7, noise=0.5),
        Planted(2000, 15, 50, 0),
        Planted(2000, 40, 160, 100, 0.7),
        Planted(5000, 10, 60, 60, noise=0.3),
        Planted(5000, 10, 60, 60, noise=0.5),
        Planted(400, 6, 40, 20, 0.85, common=0.2),
        Planted(800, 12, 50, 50, 0.75, noise=0.4),
        Planted(3000, 25, 75, 60, 0.65),
    )
