"""Missing values filled with the means of training rows, where folds are made of blocks of rows.

A table is read with the means of all its rows filled in. For folds that would be too kind: the mean
knows of the held-out rows. So for each column with missing values a column of marks is read with it
(1 where its value was filled in, else 0). A filled value that moves by `D` makes the columns `X`
with the marks `Z` into `X + ZD`: their moments follow from those of both, and no row is read again.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.numerics.tolerances import NEGLIGIBLE, ROUNDING
from tamis.numerics.types import Floats, Indices
from tamis.statistics.column_spread import Weights
from tamis.statistics.missing import RunningMeans
from tamis.statistics.missing_cells import finite
from tamis.statistics.moments import Moments


@dataclass(frozen=True, eq=False)
class Fills:
    """The columns with missing values and the means that they were filled with.

    They are counted among the `width` columns of the table; their marks follow, in this order.

    Examples
    --------
    The values of three rows are 1, missing and 3 in a table of mean 5.

    >>> rows = Moments.from_batch(np.array([[1.0, 0.0], [5.0, 1.0], [3.0, 0.0]]))
    >>> Fills(1, np.array([0]), np.array([5.0])).refill_moments(rows, rows).mean
    array([2.])
    """

    width: int
    columns: Indices
    means: Floats

    @classmethod
    def of(cls, means: RunningMeans) -> "Fills | None":
        """Note the columns with missing values; None if there are none."""
        columns = np.flatnonzero(means.counts < means.rows)
        return cls(len(means.counts), columns, means.values[columns]) if len(columns) else None

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
        return np.column_stack([batch, np.isnan(finite(raw[:, self.columns]))])

    def of_columns(self, kept: Indices) -> tuple["Fills", Indices]:
        """Give the same for some columns, and where these and their marks are."""
        places = np.flatnonzero(np.isin(self.columns, kept))
        found = np.searchsorted(kept, self.columns[places])
        where = np.concatenate([kept, self.width + places])
        return Fills(len(kept), found, self.means[places]), where

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
    """Fill the cells that are marked with the means of the rows that are known."""
    there = ~filled[known]
    each = there if weights is None else there * weights[known][:, None]
    count = each.sum(axis=0)
    sums = np.where(there, rows[known] * each, 0.0).sum(axis=0)
    means = np.divide(sums, count, out=np.zeros(len(sums)), where=count > 0)
    return np.where(filled, means, rows)
