"""Extreme values drawn in: every column with heavy tails at 7.4 median absolute deviations.

One row can carry a tenth of the variance of a table, and the columns that share it look related.
The limits come from a sample of rows, the same whatever their order, batch or engine: those with
the smallest hashes. Of few rows it is all of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats
from tamis.rules.search import (
    CLIP_DEVIATIONS,
    HEAVY_TAIL,
    LEAST_SAMPLE_ROWS,
    MAX_SAMPLE_VALUES,
    MOST_SAMPLE_ROWS,
    NORMAL_KURTOSIS,
    STD_PER_MAD,
)
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.statistics.column_spread import Weights, measure_spread, merge_means
from tamis.statistics.row_hash import Hashes, row_hashes
from tamis.values import dataclass

Outliers = Literal["auto", "keep", "clip"]

CLIP_MADS = CLIP_DEVIATIONS * STD_PER_MAD
_FLOAT32_ROUNDING = 1e-5  # of a standard deviation: more than float32 loses of values of size 100
_CACHED_BYTES = 1 << 19  # of rows at a time: they stay in the cache


def sample_size(n_columns: int) -> int:
    """Give the rows of a sample: many, as long as they take little memory.

    >>> sample_size(100), sample_size(100_000)
    (2048, 512)
    """
    return int(np.clip(MAX_SAMPLE_VALUES // max(n_columns, 1), LEAST_SAMPLE_ROWS, MOST_SAMPLE_ROWS))


@dataclass(frozen=True, eq=False)
class HashedSample:
    """The rows of a table with the smallest hashes, and the moments of each column.

    `count`, `mean` and `squares` (about the mean) are of all values that are there; `most` is how
    many rows are kept.

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
    most: int
    weights: Weights | None = None

    @classmethod
    def from_batch(
        cls,
        rows: Floats,
        names: Sequence[str] | None = None,
        weights: Weights | None = None,
        hashes: Hashes | None = None,
        known: "HashedSample | None" = None,
    ) -> Self:
        """Take in some rows, NaN where a value is missing; `hashes` if they are known.

        Rows that those `known` of others rule out are dropped at once.
        """
        if weights is not None:
            rows, weights = rows[weights > 0], weights[weights > 0]
            count, mean, squares = measure_spread(rows, weights)
            most = sample_size(rows.shape[1])
            own = (count, mean, squares, most, weights)
            return cls(rows, row_hashes(rows, names), *own)._fewest()
        width, most = rows.shape[1], sample_size(rows.shape[1])
        count = np.full(width, float(len(rows)))
        with np.errstate(all="ignore"):  # whatever a sum meets, it is not finite then
            sums = np.ones(len(rows)) @ rows
        finite = bool(np.isfinite(sums).all())
        if not finite:
            count = np.isfinite(rows).sum(axis=0).astype(np.float64)
            sums = np.where(np.isfinite(rows), rows, 0.0).sum(axis=0)
        mean, squares = sums / np.maximum(count, 1.0), np.zeros(width)
        for part in row_blocks(len(rows), width, room=_CACHED_BYTES):
            there = rows[part] if finite else np.where(np.isfinite(rows[part]), rows[part], mean)
            apart = there - mean
            squares += np.einsum("ij,ij->j", apart, apart)
        hashes = row_hashes(rows, names) if hashes is None else hashes
        if known is not None and len(known.rows) == most:
            near = hashes <= known.hashes.max()
            rows, hashes = rows[near], hashes[near]
        return cls(rows, hashes, count, mean, squares, most)._fewest()

    def repeat_rows(self) -> Self:
        """Give the sample with every row as often as its weight says, as nearly as can be."""
        if self.weights is None:
            return self
        order = np.argsort(self.hashes, kind="stable")
        ends = np.floor(np.cumsum(self.weights[order]) + NEGLIGIBLE).astype(np.intp)
        again = np.repeat(order, np.diff(ends, prepend=0))
        rows, hashes = self.rows[again], self.hashes[again]
        return replace(self, rows=rows, hashes=hashes, weights=None)._fewest()

    def merge(self, other: Self) -> Self:
        """Join the samples of two parts of a table."""
        count, mean, apart = merge_means(self.count, self.mean, other.count, other.mean)
        weighed = self.weights is not None and other.weights is not None
        return type(self)(
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.hashes, other.hashes]),
            count,
            mean,
            self.squares + other.squares + apart,
            self.most,
            np.concatenate([self.weights, other.weights]) if weighed else None,
        )._fewest()

    def split(self, width: int) -> "Iterator[HashedSample]":
        """Cut the sample into some columns each; each part merges with its like by itself."""
        for start in range(0, self.rows.shape[1], width):
            at = slice(start, start + width)
            rows, hashes = self.rows[:, at].copy(), self.hashes
            count, mean, squares = self.count[at], self.mean[at], self.squares[at]
            yield HashedSample(rows, hashes, count, mean, squares, self.most, self.weights)

    @staticmethod
    def join(parts: "Sequence[HashedSample]") -> "HashedSample":
        """Put the columns of samples of the same rows side by side."""
        return HashedSample(
            np.concatenate([part.rows for part in parts], axis=1),
            parts[0].hashes,
            np.concatenate([part.count for part in parts]),
            np.concatenate([part.mean for part in parts]),
            np.concatenate([part.squares for part in parts]),
            parts[0].most,
            parts[0].weights,
        )

    @property
    def variance(self) -> Floats:
        """The variance of every column, over all rows."""
        return np.asarray(self.squares / np.where(self.count > 0, self.count, 1.0))

    def _fewest(self) -> Self:
        if len(self.rows) <= self.most:
            return self
        order = np.argsort(self.hashes, kind="stable")[: self.most]
        weights = None if self.weights is None else self.weights[order]
        return replace(self, rows=self.rows[order], hashes=self.hashes[order], weights=weights)


def find_limits(sample: HashedSample, outliers: Outliers) -> tuple[Floats, Floats]:
    """Find the smallest and largest values of columns with heavy tails, or of all, as asked.

    They are infinite where nothing is drawn in, unless it is in other columns: the tails of some
    are not seen in few rows, and would count in others. Where more than half of the values are
    equal the deviation is that of the others.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> X[7, 1] = 1e6
    >>> np.isfinite(find_limits(HashedSample.from_batch(X), "auto")[1]).tolist()
    [True, True]
    """
    width = sample.rows.shape[1]
    low, high = np.full(width, -np.inf), np.full(width, np.inf)
    if outliers == "keep":
        return low, high
    variance = sample.variance
    for part in row_blocks(width, len(sample.rows)):
        columns = np.ascontiguousarray(sample.rows[:, part].T)
        whole = np.isfinite(columns).all(axis=1)
        together = [(np.flatnonzero(whole), columns[whole])] if whole.any() else []
        alone = [
            (np.array([j]), columns[j][None, np.isfinite(columns[j])])
            for j in np.flatnonzero(~whole)
        ]
        for found, known in [*together, *alone]:
            places = part.start + found
            if known.size:
                low[places], high[places] = _limit_columns(known, variance[places], outliers)
    if len(sample.rows) < sample.most and np.isfinite(high).any():
        for j in np.flatnonzero(np.isinf(high)):
            known = sample.rows[np.isfinite(sample.rows[:, j]), j][None]
            if known.size and not _are_binary(known).all():
                least, most = _find_reach(known)
                if least < known.min() <= known.max() < most:
                    low[j], high[j] = least[0], most[0]
    return low, high


def _limit_columns(columns: Floats, variance: Floats, outliers: Outliers) -> tuple[Floats, Floats]:
    """Find the limits of columns without missing values, each a row of the array."""
    low, high = np.full(len(columns), -np.inf), np.full(len(columns), np.inf)
    doubtful = np.arange(len(columns))
    if outliers == "auto":
        doubtful = np.flatnonzero(~_have_light_tails(columns, variance))
    columns, variance = columns[doubtful], variance[doubtful]
    least, most = _find_reach(columns)
    drawn_in = np.clip(columns, least[:, None], most[:, None])
    with np.errstate(over="ignore", invalid="ignore"):  # values too large to square
        limited = (outliers == "clip") | (variance > HEAVY_TAIL * drawn_in.var(axis=1))
    limited &= ~_are_binary(columns)  # limits would only change the numbers of the two values
    low[doubtful[limited]], high[doubtful[limited]] = least[limited], most[limited]
    return low, high


def _find_reach(columns: Floats) -> tuple[Floats, Floats]:
    """Give the limits that columns would have, each a row of the array."""
    middle = np.median(columns, axis=1)
    apart = np.abs(columns - middle[:, None])
    deviation = STD_PER_MAD * np.median(apart, axis=1)
    for i in np.flatnonzero((deviation == 0) & apart.any(axis=1)):
        deviation[i] = STD_PER_MAD * float(np.median(apart[i, apart[i] > 0]))
    reach = CLIP_DEVIATIONS * deviation
    return middle - reach, middle + reach


def _are_binary(columns: Floats) -> NDArray[np.bool_]:
    ends = columns.min(axis=1, keepdims=True), columns.max(axis=1, keepdims=True)
    return np.asarray(((columns == ends[0]) | (columns == ends[1])).all(axis=1))


def _have_light_tails(columns: Floats, variance: Floats) -> NDArray[np.bool_]:
    """Say of columns whether no value is beyond limits that are surely not too wide.

    The median absolute deviation is at least the smaller distance of a quartile from the median.
    Most columns are known by that, and need no deviation of their own.
    """
    size, least_spread = columns.shape[1], np.finfo(np.float32).tiny
    spread = np.sqrt(variance)
    with np.errstate(all="ignore"):  # what is no number then is not within its limits
        standard = (columns - columns.mean(axis=1, keepdims=True)) / spread[:, None]
        ordered = np.sort(standard.astype(np.float32), axis=1)  # twice as fast as in float64
        lower, upper = ordered[:, size // 4], ordered[:, size - 1 - size // 4]
        middle = (ordered[:, (size - 1) // 2] + ordered[:, size // 2]) / 2
        deviation = np.minimum(upper - middle, middle - lower) - _FLOAT32_ROUNDING
        reach = CLIP_DEVIATIONS * STD_PER_MAD * deviation
        within = (middle - reach <= ordered[:, 0]) & (ordered[:, -1] <= middle + reach)
    within &= spread > least_spread
    with np.errstate(over="ignore", invalid="ignore"):  # values too large to square
        return np.asarray(within & (variance <= HEAVY_TAIL * columns.var(axis=1)))


def measure_distances(sample: HashedSample) -> Floats:
    """Give the smallest difference between values of each column, as if they were evenly spaced.

    NaN where there is one value.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0, 5.0], [1.0, 1.5, 5.0], [2.0, 3.0, 5.0], [2.0, 1.5, np.nan]])
    >>> measure_distances(HashedSample.from_batch(X))
    array([ 1.,  1., nan])
    """
    found = np.full(sample.rows.shape[1], np.nan)
    for part in row_blocks(len(found), len(sample.rows), room=_CACHED_BYTES):
        columns = np.sort(sample.rows[:, part].T, axis=1)
        columns[~np.isfinite(columns)] = np.nan
        count = (columns[:, 1:] > columns[:, :-1]).sum(axis=1)
        last = np.maximum(np.isfinite(columns).sum(axis=1) - 1, 0)
        least, most = columns[:, 0], columns[np.arange(len(columns)), last]
        with np.errstate(over="ignore"):
            np.divide(most / 2 - least / 2, count / 2, out=found[part], where=count > 0)
    return found


def measure_tails(sample: HashedSample, low: Floats, high: Floats) -> Floats:
    """Give the kurtosis of every column within its limits, over that of a normal distribution.

    It is at least 1. About so many times fewer rows than there are decide what such a column
    explains: of a column that differs from 0 in a few rows, only these.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> X[:, 1] = X[:, 1] > 2
    >>> sample = HashedSample.from_batch(X)
    >>> measure_tails(sample, *find_limits(sample, "auto")).round()
    array([ 1., 14.])
    """
    found = np.empty(sample.rows.shape[1])
    for part in row_blocks(len(found), len(sample.rows), room=_CACHED_BYTES):
        values = np.clip(sample.rows[:, part].T, low[part, None], high[part, None])
        known = np.isfinite(values)
        count = np.maximum(known.sum(axis=1), 1)
        mean = np.where(known, values, 0.0).sum(axis=1) / count
        apart = np.subtract(values, mean[:, None], out=np.zeros_like(values), where=known)
        with np.errstate(over="ignore", invalid="ignore"):  # values too large to square
            squares = np.square(apart)
            variance = squares.sum(axis=1) / count
            safe = np.where(variance > 0, variance, 1.0)
            found[part] = np.einsum("ij,ij->i", squares, squares) / count / np.square(safe)
    return np.maximum(np.nan_to_num(found / NORMAL_KURTOSIS, nan=1.0, posinf=np.inf), 1.0)
