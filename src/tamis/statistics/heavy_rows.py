"""Rows that carry a large share of the variance of a table: errors of measurement, rare cases.

A share is of the standardised numbers as they are, before extreme values are drawn in.
"""

from dataclasses import dataclass

import numpy as np

from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats
from tamis.statistics.row_patterns import MAX_PATTERN_COLUMNS

HEAVY_SHARE = 0.05
HEAVY_TIMES = 10.0  # as much as a row carries on average
MAX_HEAVY_ROWS = 3
_SCREENED = 0.2
_MAX_SQUARED = 1e140
_SQUARED_BYTES = 1 << 19
_SURELY_LESS = 0.999  # of a limit: rounding does not reach it


@dataclass(frozen=True)
class HeavyRow:
    """A row, counted from 1, and the share of the variance that it carries."""

    row: int
    share: float


class HeavyRows:
    """The rows that carry most, found while a table is read whose means and variances are known.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(200, 5))
    >>> X[56] = 30.0
    >>> met = HeavyRows(X.mean(axis=0), X.var(axis=0), np.full(5, 200.0))
    >>> met.add(X[:50]), met.add(X[50:])
    (None, None)
    >>> [one.row for one in met.find()]
    [57]
    """

    def __init__(self, mean: Floats, variance: Floats, count: Floats) -> None:
        varies = variance > 0
        self._mean = mean
        self._factor = np.divide(1.0, np.sqrt(variance), np.zeros_like(mean), where=varies)
        self._total = float(count[varies].sum())  # squares of standardised values add up to it
        rows = float(count.max(initial=1.0))
        self._least = max(HEAVY_SHARE, HEAVY_TIMES / rows) * self._total
        self._screen = slice(None, None, max(1, len(mean) // MAX_PATTERN_COLUMNS))
        self._read = 0
        self._most: list[tuple[float, int]] = []

    def add(self, numbers: Floats) -> None:
        """Take in the next rows; a missing value carries nothing."""
        # A row that carries much shows in some of the columns already, a fifth of it at least.
        enough = _SCREENED * self._least * len(self._mean[self._screen]) / len(self._mean)
        rows = np.flatnonzero(self._sum_squares(numbers, self._screen) >= enough)
        if len(rows):
            for place, size in zip(rows, self._sum_squares(numbers[rows]), strict=True):
                self._most.append((-float(size), self._read + int(place) + 1))
            self._most = sorted(self._most)[:MAX_HEAVY_ROWS]
        self._read += len(numbers)

    def _sum_squares(self, numbers: Floats, columns: slice = slice(None)) -> Floats:
        """Add the squares of standardised values of every row, over some columns or all."""
        mean, factor = self._mean[columns], self._factor[columns]
        sums = np.zeros(len(numbers))
        for part in row_blocks(len(numbers), len(mean), room=_SQUARED_BYTES):
            with np.errstate(all="ignore"):  # what is too large to square carries nothing
                apart = (numbers[part, columns] - mean) * factor
                sums[part] = np.einsum("ij,ij->i", apart, apart)
            if not np.isfinite(sums[part]).all():
                harmless = np.abs(apart) < _MAX_SQUARED
                sums[part] = np.square(np.where(harmless, apart, 0.0)).sum(axis=1)
        return sums

    def may_be_any(self, low: Floats, high: Floats) -> bool:
        """Whether a row could carry much that has the smallest or largest value of each column."""
        with np.errstate(all="ignore"):  # what is too large to square is not below the limit
            apart = np.maximum(high - self._mean, self._mean - low) * self._factor
            return not float(apart @ apart) < _SURELY_LESS * self._least

    def find(self) -> tuple[HeavyRow, ...]:
        """Give the rows that carry much, the heaviest first."""
        return tuple(
            HeavyRow(row, -less / self._total)
            for less, row in self._most
            if -less >= self._least > 0
        )
