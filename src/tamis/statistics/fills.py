"""What is put in place of missing values: where the numbers come from, and how they are put in.

A missing number becomes the mean of what its column has. It is learnt batch by batch (`FillValues`)
and put in (`fill_missing`), or both at once of rows in memory (`fill_alone`). Folds are filled by
their training rows: those held by their rows with `refill_rows`, those held by their moments with
`MarkedFills`. The levels of a text are columns of 0 and 1, NaN where it is missing: a missing
text becomes the share of each level.

All others call these. Another fill is written here, and in `presentation/browser/fills.js` for the
page that takes a table; its word stands in `registry/missing_policy.py`.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError, spell
from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.tolerances import NEGLIGIBLE, ROUNDING
from tamis.statistics.column_spread import Weights, merge_means
from tamis.statistics.moments import Moments
from tamis.values import dataclass

if TYPE_CHECKING:
    from tamis.statistics.summary import Summary


class FillValues:
    """What missing values of some columns are filled with, learnt batch by batch: the means."""

    def __init__(self, width: int) -> None:
        self.counts: NDArray[np.intp] = np.zeros(width, dtype=np.intp)
        self.values: NDArray[np.float64] = np.zeros(width)
        self.rows = 0
        self._total: NDArray[np.float64] = np.zeros(width)

    def add(self, batch: Any, weights: NDArray[Any] | None = None) -> None:
        """Take the numbers of a batch into account; NaN is no number, a row of weight 0 none."""
        if weights is not None and not weights.all():
            batch, weights = batch[weights > 0], weights[weights > 0]
        missing = np.isnan(batch)
        if weights is None and not missing.any():
            self.add_complete(batch)
            return
        self.rows += len(batch)
        there = ~missing
        present = there.sum(axis=0)
        each = 1.0 if weights is None else weights[:, None]
        self.counts = self.counts + present
        self._total = self._total + (present if weights is None else (there * each).sum(axis=0))
        with np.errstate(invalid="ignore"):  # a NaN of a damaged file may be one that signals
            sums = np.nansum((batch - self.values) * each, axis=0, dtype=np.float64)
        self.values = self.values + sums / np.where(self._total > 0, self._total, 1.0)

    def add_complete(self, batch: Any) -> None:
        """Do so for a batch of numbers only, without a copy of it."""
        count = len(batch)
        self.rows += count
        self.counts, self._total = self.counts + count, self._total + count
        sums = batch.sum(axis=0, dtype=np.float64) - count * self.values
        self.values = self.values + sums / np.maximum(self._total, 1.0)

    def merge(self, other: "FillValues") -> "FillValues":
        """Take the numbers of other rows into account."""
        found = merge_means(self.counts, self.values, other.counts, other.values)
        self.counts, self.values, _ = found
        self.rows += other.rows
        return self


def fill_missing(rows: Any, values: Floats) -> Floats:
    """Put the value of each column where one is missing, of dense rows.

    >>> fill_missing(np.array([[1.0, np.nan], [np.nan, 4.0]]), np.array([2.0, 3.0])).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    return np.asarray(np.where(np.isnan(rows), values, rows))


def fill_alone(rows: Floats) -> Floats:
    """Fill rows by the finite values of each column; one without any becomes 0.

    >>> fill_alone(np.array([[1.0], [np.nan], [3.0]])).tolist()
    [[1.0], [2.0], [3.0]]
    """
    rows = np.where(np.isfinite(rows), rows, np.nan)
    return fill_missing(rows, _learn(rows))


def recall_fill(summary: "Summary") -> Floats:
    """Give what the rows of a summary were filled with: means are the same of filled columns."""
    return (summary.rows or summary).mean


def _learn(rows: Floats, weights: Weights | None = None) -> Floats:
    values = FillValues(rows.shape[1])
    values.add(rows, weights)
    return values.values


def refuse_sparse() -> TamisError:
    """Say that a sparse table is not filled, and the ways out."""
    return TamisError(
        "A sparse table is not filled with means, it would become dense: fill it before, or pass "
        f"{spell('missing', MissingPolicy.DROP)} if few rows have missing values."
    )


# Missing values filled with the means of training rows, where folds are made of blocks of rows.
#
# A table is read with the means of all its rows filled in. For folds that would be too kind: the
# mean knows of the held-out rows. So for each column with missing values a column of marks is read
# with it (1 where its value was filled in, else 0). A filled value that moves by `D` makes the
# columns `X` with the marks `Z` into `X + ZD`: their moments follow from those of both, and no row
# is read again.
@dataclass(frozen=True, eq=False)
class MarkedFills:
    """The columns with missing values and the means that they were filled with.

    They are counted among the `width` columns of the table; their marks follow, in this order.

    Examples
    --------
    The values of three rows are 1, missing and 3 in a table of mean 5.

    >>> rows = Moments.from_batch(np.array([[1.0, 0.0], [5.0, 1.0], [3.0, 0.0]]))
    >>> MarkedFills(1, np.array([0]), np.array([5.0])).refill_moments(rows, rows).mean
    array([2.])
    """

    width: int
    columns: Indices
    means: Floats

    @classmethod
    def of(cls, values: FillValues) -> "MarkedFills | None":
        """Note the columns with missing values; None if there are none."""
        columns = np.flatnonzero(values.counts < values.rows)
        return cls(len(values.counts), columns, values.values[columns]) if len(columns) else None

    @property
    def total(self) -> int:
        """How many columns there are with the marks."""
        return self.width + len(self.columns)

    def apart(self, rows: Any) -> tuple[Any, NDArray[np.bool_]]:
        """Give rows without the marks, and which of their cells were filled."""
        filled = np.zeros((len(rows), self.width), dtype=bool)
        filled[:, self.columns] = rows[:, self.width :] > 0
        return rows[:, : self.width], filled

    def without_marks(self, part: Moments) -> Moments:
        """Give the moments of the columns alone, as they were filled."""
        sides = (part.mean, part.rest, part.unit)
        mean, rest, unit = (np.broadcast_to(s, part.mean.shape)[: self.width] for s in sides)
        return Moments(part.count, mean, part.scatter[: self.width, : self.width], rest, unit)

    def add_marks(self, batch: Any, raw: Any) -> Any:
        """Add the marks to rows that are filled, by these rows as they came."""
        return np.column_stack([batch, ~np.isfinite(raw[:, self.columns])])

    def of_columns(self, kept: Indices) -> tuple["MarkedFills", Indices]:
        """Give the same for some columns, and where these and their marks are."""
        places = np.flatnonzero(np.isin(self.columns, kept))
        found = np.searchsorted(kept, self.columns[places])
        where = np.concatenate([kept, self.width + places])
        return MarkedFills(len(kept), found, self.means[places]), where

    def refill_moments(self, part: Moments, known: Moments) -> Moments:
        """Give the moments of some rows, filled with the means of the training rows (`known`)."""
        width, gaps, moved = self.width, self.columns, self._moves(known)
        unit = np.broadcast_to(part.unit, part.mean.shape)[:width]
        step = moved / unit[gaps]
        scatter = part.scatter[:width, :width].copy()
        marks = part.scatter[width:, width:] * np.multiply.outer(step, step)
        size = np.diagonal(scatter)[gaps] + np.diagonal(marks)
        across = part.scatter[width:, :width] * step[:, None]
        scatter[gaps] += across
        scatter[:, gaps] += across.T
        scatter[np.ix_(gaps, gaps)] += marks
        # What is only rounding of the sums is no variance: all values there are the same.
        constant = gaps[np.diagonal(scatter)[gaps] <= ROUNDING * size]
        scatter[constant] = scatter[:, constant] = 0.0
        mean, rest = part.mean[:width], np.broadcast_to(part.rest, part.mean.shape)
        more = rest[:width].copy()
        more[gaps] += moved * (part.mean[width:] + rest[width:])
        return Moments(part.count, mean, scatter, more, unit).settle_mean()

    def _moves(self, known: Moments) -> Floats:
        """Give how far the means of these rows are from those that were filled in."""
        rest = np.broadcast_to(known.rest, known.mean.shape)
        gone = known.mean[self.width :] + rest[self.width :]
        # With m filled in a share p the mean is (1 - p) times that of the values, plus pm.
        away = (known.mean[self.columns] - self.means) + rest[self.columns]
        some = 1.0 - gone > NEGLIGIBLE  # of a column without a value nothing moves
        return np.divide(away, 1.0 - gone, out=np.zeros_like(away), where=some)


def refill_rows(rows: Floats, filled: Any, known: Any, weights: Weights | None = None) -> Floats:
    """Fill the cells that are marked by what is there of them in the rows that are known."""
    rows = np.where(filled, np.nan, rows)
    return fill_missing(rows, _learn(rows[known], None if weights is None else weights[known]))
