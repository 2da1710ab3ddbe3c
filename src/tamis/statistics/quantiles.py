"""Quantiles of many columns at once, from a sketch that can be built by batches and merged.

Rows are gathered into chunks of a fixed size. Four chunks of the same weight are sorted together
and every fourth value stands for them, with four times the weight (Munro & Paterson 1980; Manku,
Rajagopalan & Lindsay 1998). Nothing is random, and where a batch ends does not matter. Up to four
chunks nothing is thinned out and the quantiles are exact; beyond, the rank of a quantile is off by
less than one part in a thousand of the rows.
"""

from dataclasses import field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tamis.numerics.types import Floats
from tamis.values import dataclass

_THINNING = 4
_MAX_SKETCH_CELLS = 1 << 24
_MIN_CHUNK_ROWS, _MAX_CHUNK_ROWS = 512, 8192
_SORTED_COLUMNS = 16
_HAIR = 1e-13  # of the count: what rounding moves the product of a share with it by


def chunk_rows(n_columns: int) -> int:
    """Give the rows of a chunk: many, as long as they take little memory, and an even number.

    Of an even number of groups of four, a column and its mirror image keep the same values.

    >>> chunk_rows(60), chunk_rows(10_000)
    (8192, 1676)
    """
    return (
        int(np.clip(_MAX_SKETCH_CELLS // max(n_columns, 1), _MIN_CHUNK_ROWS, _MAX_CHUNK_ROWS))
        // 2
        * 2
    )


@dataclass(frozen=True, eq=False)
class QuantileSketch:
    """Values of some columns, thinned out; missing values are counted as larger than any other.

    `levels[i]` holds the chunks of weight 4^i, `rest` the rows that do not fill a chunk yet.
    """

    rest: Floats
    levels: tuple[tuple[Floats, ...], ...] = ()
    missing: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    low: Floats = field(default_factory=lambda: np.zeros(0))
    high: Floats = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def from_batch(cls, rows: Floats) -> Self:
        """Sketch some rows, NaN where a value is missing."""
        d = rows.shape[1]
        start = cls(
            np.empty((0, d)), (), np.zeros(d, np.intp), np.full(d, np.inf), np.full(d, -np.inf)
        )
        return start.follow_by(rows)

    def follow_by(self, rows: Floats) -> Self:
        """Go on with the next rows of the same stream: where a batch ends does not matter."""
        missing = np.isnan(rows)
        counts = np.zeros(rows.shape[1], dtype=np.intp)
        filled, floor = rows, rows
        if missing.any():
            counts = missing.sum(axis=0)
            filled, floor = np.where(missing, np.inf, rows), np.where(missing, -np.inf, rows)
        low, high = filled.min(axis=0, initial=np.inf), floor.max(axis=0, initial=-np.inf)
        part = type(self)(filled, (), counts, low, high)
        return self.merge(part)

    def merge(self, other: "QuantileSketch") -> Self:
        """Join the sketches of two parts of a table, read separately."""
        joined = type(self)(
            self.rest,
            self.levels,
            self.missing + other.missing,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
        )
        return joined._with(other.rest, other.levels)

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.rest) + sum(
            _THINNING**i * sum(map(len, chunks)) for i, chunks in enumerate(self.levels)
        )

    def points(self, column: int) -> tuple[Floats, Floats]:
        """Give the values of a column in rising order, each with the rows it stands for."""
        values = np.sort(
            np.concatenate([rows[:, column] for rows in (self.rest, *_at(self.levels, 0))])
        )
        weights = np.ones(len(values))
        for i, chunks in enumerate(self.levels[1:], 1):
            # What was thinned out is sorted: few runs, which a stable sort merges.
            thinned = [chunk[:, column] for chunk in chunks]
            values = np.concatenate([values, *thinned])
            weights = np.append(weights, np.full(len(values) - len(weights), _THINNING**i))
        if len(self.levels) > 1:
            order = np.argsort(values, kind="stable")
            values, weights = values[order], weights[order]
        if self.missing[column]:
            there = np.isfinite(values)
            values, weights = values[there], weights[there]
        return values, weights

    def _with(self, rows: Floats, levels: tuple[tuple[Floats, ...], ...]) -> Self:
        size = chunk_rows(rows.shape[1])
        fresh, rest = _cut_chunks(self.rest, rows, size)
        depth = max(len(self.levels), len(levels), 1)
        piles = [
            [*_at(self.levels, i), *_at(levels, i), *(fresh if i == 0 else ())]
            for i in range(depth)
        ]
        i = 0
        while i < len(piles):
            while len(piles[i]) >= _THINNING:
                if i + 1 == len(piles):
                    piles.append([])
                piles[i + 1].append(_thin_chunks(piles[i][:_THINNING]))
                del piles[i][:_THINNING]
            i += 1
        # A batch is not held for the sake of some of its rows.
        piles[0] = [chunk if chunk.flags.owndata else chunk.copy() for chunk in piles[0]]
        kept = tuple(tuple(pile) for pile in piles)
        return type(self)(rest, kept, self.missing, self.low, self.high)


def _cut_chunks(rest: Floats, rows: Floats, size: int) -> tuple[list[Floats], Floats]:
    """Cut rows that follow on `rest` into chunks, uncopied but for the first, and a new rest."""
    if len(rest) + len(rows) < size:
        return [], np.concatenate([rest, rows])
    first = -len(rest) % size
    joined = [np.concatenate([rest, rows[:first]])] if first else []
    full = len(rows) - (len(rows) - first) % size
    chunks = [rows[start : start + size] for start in range(first, full, size)]
    return [*joined, *chunks], rows[full:].copy()


def _at(levels: tuple[tuple[Floats, ...], ...], i: int) -> tuple[Floats, ...]:
    """Give the chunks of one weight, none where there is no such level."""
    return levels[i] if i < len(levels) else ()


def _thin_chunks(chunks: list[Floats]) -> Floats:
    """Let every fourth value stand for four: the upper and the lower middle one in turn."""
    width, rows = chunks[0].shape[1], sum(map(len, chunks))
    thinned = np.empty((width, rows // _THINNING))
    room = np.empty((_SORTED_COLUMNS, rows))
    # A few columns at a time, each in one piece of memory: they are sorted in the cache.
    for start in range(0, width, _SORTED_COLUMNS):
        few = slice(start, min(start + _SORTED_COLUMNS, width))
        together = room[: few.stop - start]
        np.concatenate([chunk[:, few].T for chunk in chunks], axis=1, out=together)
        together.sort(axis=1)
        groups = together.reshape(len(together), -1, _THINNING)
        thinned[few, ::2] = groups[:, ::2, _THINNING // 2 - 1]
        thinned[few, 1::2] = groups[:, 1::2, _THINNING // 2]
    return thinned.T


def read_quantiles(values: Floats, weights: Floats, shares: Floats) -> Floats:
    """Read quantiles off sorted weighted values, between two values in proportion.

    With equal weights this is NumPy's default.

    >>> read_quantiles(np.array([0.0, 1.0, 2.0, 5.0]), np.ones(4), np.array([0.5, 1.0]))
    array([1.5, 5. ])
    """
    ends = np.cumsum(weights)
    rank = shares * (ends[-1] - 1)
    # 0.7 * 90 is a hair below 63: a rank that means an integer must be one.
    rank = np.where(np.abs(rank - np.rint(rank)) < _HAIR * ends[-1], np.rint(rank), rank)
    below = np.floor(rank)
    lower, upper = (
        values[np.minimum(np.searchsorted(ends, step, side="right"), len(values) - 1)]
        for step in (below, below + 1)
    )
    return np.asarray(lower + (rank - below) * (upper - lower))
