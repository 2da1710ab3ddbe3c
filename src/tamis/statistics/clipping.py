"""Extreme values drawn in: every column with heavy tails at 5 median absolute deviations.

One row can carry a tenth of the variance of a table, and the columns that share it look related.
The limits come from a sample of rows, the same whatever their order, batch or engine: those with
the smallest hashes. Of few rows it is all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

from tamis.numerics.tolerances import NEGLIGIBLE
from tamis.numerics.types import Floats
from tamis.statistics.moments import Weights
from tamis.statistics.row_hash import Hashes, row_hashes

Outliers = Literal["auto", "keep", "clip"]

CLIP_DEVIATIONS = 5.0
HEAVY_TAIL = 1.25  # the variance is so many times what it is once extreme values are drawn in
_NORMAL = 1.4826  # standard deviations of a normal distribution in a median absolute deviation
_CELLS = 1 << 23
_LEAST_ROWS, _MOST_ROWS = 512, 2048


def sample_size(n_columns: int) -> int:
    """Give the rows of a sample: many, as long as they take little memory.

    >>> sample_size(100), sample_size(100_000)
    (2048, 512)
    """
    return int(np.clip(_CELLS // max(n_columns, 1), _LEAST_ROWS, _MOST_ROWS))


@dataclass(frozen=True, eq=False)
class HashedSample:
    """The rows of a table with the smallest hashes, and the moments of each column.

    `count`, `mean` and `squares` (about the mean) are of all values that are there.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(100, 3))
    >>> first, second = (HashedSample.from_batch(part) for part in (X[:40], X[40:]))
    >>> merged = first.merge(second)
    >>> merged.rows.shape, bool(np.allclose(merged.variance, X.var(axis=0)))
    ((100, 3), True)
    """

    rows: Floats
    hashes: Hashes
    count: Floats
    mean: Floats
    squares: Floats
    weights: Weights | None = None

    @classmethod
    def from_batch(
        cls, rows: Floats, names: Sequence[str] | None = None, weights: Weights | None = None
    ) -> Self:
        """Take in some rows, NaN where a value is missing."""
        if weights is not None:
            return cls._from_weighed(rows, names, weights)
        count = np.full(rows.shape[1], float(len(rows)))
        values: Any = rows
        with np.errstate(all="ignore"):  # whatever a sum meets, it is not finite then
            finite = np.isfinite(rows.sum())
        if not finite:
            known = np.isfinite(rows)
            values, count = np.where(known, rows, 0.0), known.sum(axis=0).astype(np.float64)
        mean = values.sum(axis=0) / np.maximum(count, 1.0)
        apart = values - mean
        if values is not rows:
            apart *= known
        squares = np.einsum("ij,ij->j", apart, apart)
        return cls(rows, row_hashes(rows, names), count, mean, squares)._fewest()

    @classmethod
    def _from_weighed(cls, rows: Floats, names: Sequence[str] | None, weights: Weights) -> Self:
        """Take in rows that count as their weights say."""
        rows, weights = rows[weights > 0], weights[weights > 0]
        known = np.isfinite(rows)
        each = known * weights[:, None].astype(np.float64)
        values, count = np.where(known, rows, 0.0), each.sum(axis=0)
        mean = (values * each).sum(axis=0) / np.where(count > 0, count, 1.0)
        squares = (np.square(values - mean) * each).sum(axis=0)
        return cls(rows, row_hashes(rows, names), count, mean, squares, weights)._fewest()

    def repeat_rows(self) -> Self:
        """Give the sample with every row as often as its weight says, as nearly as can be."""
        if self.weights is None:
            return self
        order = np.argsort(self.hashes, kind="stable")
        ends = np.floor(np.cumsum(self.weights[order]) + NEGLIGIBLE).astype(np.intp)
        again = np.repeat(order, np.diff(ends, prepend=0))
        return type(self)(
            self.rows[again], self.hashes[again], self.count, self.mean, self.squares
        )._fewest()

    def merge(self, other: Self) -> Self:
        """Join the samples of two parts of a table."""
        count = self.count + other.count
        share = other.count / np.where(count > 0, count, 1.0)
        apart = other.mean - self.mean
        weighed = self.weights is not None and other.weights is not None
        return type(self)(
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.hashes, other.hashes]),
            count,
            self.mean + apart * share,
            self.squares + other.squares + np.square(apart) * self.count * share,
            np.concatenate([self.weights, other.weights]) if weighed else None,
        )._fewest()

    @property
    def variance(self) -> Floats:
        """The variance of every column, over all rows."""
        return np.asarray(self.squares / np.where(self.count > 0, self.count, 1.0))

    def _fewest(self) -> Self:
        size = sample_size(self.rows.shape[1])
        if len(self.rows) <= size:
            return self
        order = np.argsort(self.hashes, kind="stable")[:size]
        weights = None if self.weights is None else self.weights[order]
        known = (self.count, self.mean, self.squares, weights)
        return type(self)(self.rows[order].copy(), self.hashes[order], *known)


@dataclass(frozen=True, eq=False)
class ClipLimits:
    """The smallest and largest value of every column; infinite where nothing is drawn in."""

    low: Floats
    high: Floats


def find_limits(sample: HashedSample, outliers: Outliers) -> ClipLimits:
    """Find the limits of the columns with heavy tails, or of all, as asked.

    Where more than half of the values are equal the deviation is that of the others.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> X[7, 1] = 1e6
    >>> np.isfinite(find_limits(HashedSample.from_batch(X), "auto").high).tolist()
    [False, True]
    """
    width = sample.rows.shape[1]
    low, high = np.full(width, -np.inf), np.full(width, np.inf)
    if outliers == "keep":
        return ClipLimits(low, high)
    for j in range(width):
        values = sample.rows[:, j]
        values = values[np.isfinite(values)]
        if not len(values):
            continue
        middle = float(np.median(values))
        apart = np.abs(values - middle)
        if _is_binary(values):
            continue  # limits would only change the numbers that stand for the two values
        deviation = _NORMAL * float(np.median(apart))
        if not deviation and apart.any():
            deviation = _NORMAL * float(np.median(apart[apart > 0]))
        reach = CLIP_DEVIATIONS * deviation
        drawn_in = np.clip(values, middle - reach, middle + reach)
        if outliers == "clip" or sample.variance[j] > HEAVY_TAIL * float(drawn_in.var()):
            low[j], high[j] = middle - reach, middle + reach
    return ClipLimits(low, high)


def _is_binary(values: Floats) -> bool:
    """Whether all values are the smallest or the largest."""
    return bool(((values == values.min()) | (values == values.max())).all())
