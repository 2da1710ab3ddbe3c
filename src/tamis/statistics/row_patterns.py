"""Whether rows are like those next to them, or like those of the same key.

Both make figures on held-out rows too good where these are drawn at random: much the same rows are
learnt from. What is seen in the first rows decides, whatever the batches or the engine.
"""

from typing import Literal

import numpy as np

from tamis.facts.shared_answer import HeavyRowFacts
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import LARGEST_SUMMABLE

MAX_PATTERN_ROWS = 2_000
MAX_PATTERN_COLUMNS = 100
WINDOW_ROWS = 20
SUCCESSIVE = 0.5  # correlation of successive rows that is worth a word
SUCCESSIVE_NEARBY = 0.35  # the same about the mean of 20 rows, which sorting alone does not give
SIMILAR = 0.3  # intraclass correlation of rows of one key that is worth a word
CLEAR_ERRORS = 4.0  # standard errors beyond which neither is chance
EVEN_STEPS = 1e-6  # by which steps may differ that are equal but for rounding
MIN_GROUPS = 5
MIN_REPEATED_ROWS = 20


def correlate_successive(rows: Floats) -> float | None:
    """Correlate every row with the next one, the median over the columns; None if that is chance.

    Rows that are sorted by a class are like those next to them, but within 20 rows no more than
    others: they do not follow one another, and nor do so few rows that nobody can say.

    Examples
    --------
    >>> noise = np.random.default_rng(0).normal(size=(400, 3))
    >>> correlate_successive(noise), round(correlate_successive(noise.cumsum(axis=0)), 2)
    (None, 0.99)
    """
    if len(rows) < WINDOW_ROWS:
        return None
    size = min(WINDOW_ROWS, len(rows) // 2)
    windows = rows[: len(rows) // size * size].reshape(-1, size, rows.shape[1])
    within, all_rows = _correlate_next(windows), _correlate_next(rows[None])
    if not len(within) or not len(all_rows):
        return None
    nearby, overall = float(np.median(within)), float(np.median(all_rows))
    chance = CLEAR_ERRORS / np.sqrt(len(rows))
    clear = overall >= max(SUCCESSIVE, chance) and nearby >= max(SUCCESSIVE_NEARBY, chance)
    return overall if clear else None


def _correlate_next(parts: Floats) -> Floats:
    """Give for every column the correlation of successive rows within the parts."""
    apart = parts - parts.mean(axis=1, keepdims=True)
    squares = np.einsum("pij,pij->j", apart, apart)
    ahead = np.einsum("pij,pij->j", apart[:, 1:], apart[:, :-1])
    # There is one product fewer than rows in every part.
    ahead *= parts.shape[1] / (parts.shape[1] - 1)
    varies = squares > 0
    return np.asarray(ahead[varies] / squares[varies])


def find_order(column: Floats) -> Literal["even", "rising", "falling"] | None:
    """Say whether rows are in the order of a column of three values or more; "even" if by steps.

    >>> [find_order(np.array(c)) for c in ([1.0, 2, 3], [1.0, 1, 2, 5], [3.0, 2, 1], [1.0, 3, 2])]
    ['even', 'rising', 'falling', None]
    """
    steps = np.diff(column[np.isfinite(column)])
    if np.count_nonzero(steps) < 2 or (steps.min() < 0 < steps.max()):
        return None
    if steps.max() <= 0:
        return "falling"
    return "even" if np.ptp(steps) <= EVEN_STEPS * steps.max() else "rising"


def similarity_within(rows: Floats, codes: Indices) -> float:
    """Give the intraclass correlation of rows of one group, the median over the columns.

    It is 0 where groups differ by chance only, or where they are too few to say, and 1 where the
    rows of a group are equal. `codes` gives the group of every row.

    Examples
    --------
    >>> codes = np.arange(100) // 4
    >>> centres = np.random.default_rng(0).normal(size=(25, 3))
    >>> round(similarity_within(centres[codes], codes), 3)
    1.0
    """
    _, codes, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    n, groups = len(codes), len(sizes)
    if groups < MIN_GROUPS or n - groups < MIN_REPEATED_ROWS:
        return 0.0
    apart = rows - rows.mean(axis=0)
    sums = np.zeros((groups, rows.shape[1]))
    np.add.at(sums, codes, apart)
    total = np.einsum("ij,ij->j", apart, apart)
    between = np.einsum("ij,ij->j", sums, sums / sizes[:, None])
    varies = total > 0
    if not varies.any():
        return 0.0
    # One-way analysis of variance; groups of different sizes count by their effective size.
    size = (n - np.square(sizes).sum() / n) / (groups - 1)
    among = between[varies] / (groups - 1)
    within = (total - between)[varies] / (n - groups)
    found = float(np.median((among - within) / (among + (size - 1) * within)))
    error = np.sqrt(2.0 / max((size - 1) * size * groups, 1.0))
    return found if found >= CLEAR_ERRORS * error else 0.0


def choose_columns(width: int) -> Indices:
    """Choose some of so many columns, evenly.

    >>> choose_columns(3).tolist(), len(choose_columns(100_000))
    ([0, 1, 2], 100)
    """
    count = min(width, MAX_PATTERN_COLUMNS)
    return np.arange(count) * width // max(count, 1)


# Rows that carry a large share of the variance of a table: errors of measurement, rare cases.
#
# A share is of the standardised numbers as they are, before extreme values are drawn in.
HEAVY_SHARE = 0.05
HEAVY_TIMES = 10.0  # as much as a row carries on average
MAX_HEAVY_ROWS = 3
_SCREENED = 0.2
_SQUARED_BYTES = 1 << 19
_SURELY_LESS = 0.999  # of a limit: rounding does not reach it


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
                harmless = np.abs(apart) < LARGEST_SUMMABLE
                sums[part] = np.square(np.where(harmless, apart, 0.0)).sum(axis=1)
        return sums

    def may_be_any(self, low: Floats, high: Floats) -> bool:
        """Whether a row could carry much that has the smallest or largest value of each column."""
        with np.errstate(all="ignore"):  # what is too large to square is not below the limit
            apart = np.maximum(high - self._mean, self._mean - low) * self._factor
            return not float(apart @ apart) < _SURELY_LESS * self._least

    def find(self) -> tuple[HeavyRowFacts, ...]:
        """Give the rows that carry much, the heaviest first."""
        return tuple(
            HeavyRowFacts(row, -less / self._total)
            for less, row in self._most
            if -less >= self._least > 0
        )
