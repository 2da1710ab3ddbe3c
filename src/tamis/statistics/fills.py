"""What is put in place of missing values: where the numbers come from, and how they are put in.

A missing number becomes the mean of what its column has. It is learnt batch by batch (`FillValues`,
which `start_fill` gives for a policy) and put in (`fill_missing`), or both at once of rows in
memory (`fill_alone`). Folds are filled by their training rows (`MarkedFills`). The levels of a
text are columns of 0 and 1, NaN where it is missing: a missing text becomes the share of each
level.

All others call these, and never ask which fill it is. Another one is a class here like
`FillValues` (one that is no mean leaves columns of 0 and 1 theirs, for the sake of texts) and a
word in `registry/missing_policy.py`; what is no mean is learnt in `statistics/missing.py` also of
rows that miss nothing. The page that takes a table has its own, in
`presentation/browser/fills.js`. `tests/statistics/test_another_fill.py` adds the median.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError, spell
from tamis.numerics.types import Floats, Indices
from tamis.registry.missing_policy import USUAL_POLICY, MissingPolicy
from tamis.rules.tolerances import NEGLIGIBLE, ROUNDING
from tamis.statistics.column_spread import Weights, merge_means
from tamis.statistics.moments import Moments
from tamis.values import dataclass


class FillValues:
    """What missing values of some columns are filled with, learnt batch by batch: the means.

    A fill that `follows_moments` is found again in the moments of filled rows, so that folds move
    it there. Another one is learnt anew from the rows of a fold where these are held; in sums of
    many rows it stays that of all rows, of which the held-out ones are some.
    """

    follows_moments = True

    def __init__(self, width: int) -> None:
        self.counts: NDArray[np.intp] = np.zeros(width, dtype=np.intp)
        self.rows = 0
        self._means: NDArray[np.float64] = np.zeros(width)
        self._total: NDArray[np.float64] = np.zeros(width)

    @property
    def values(self) -> NDArray[np.float64]:
        """The value of every column."""
        return self._means

    def add(
        self, batch: Any, weights: NDArray[Any] | None = None, *, complete: bool = False
    ) -> None:
        """Take the numbers of a batch into account; NaN is no number, a row of weight 0 none.

        A batch that is known to be `complete` is not searched for missing values.
        """
        if weights is not None and not weights.all():
            batch, weights = batch[weights > 0], weights[weights > 0]
        missing = None if complete else np.isnan(batch)
        self.rows += len(batch)
        if missing is None or (weights is None and not missing.any()):
            count = len(batch)
            self.counts, self._total = self.counts + count, self._total + count
            sums = batch.sum(axis=0, dtype=np.float64) - count * self._means
            self._means = self._means + sums / np.maximum(self._total, 1.0)
            return
        there = ~missing
        present = there.sum(axis=0)
        each = 1.0 if weights is None else weights[:, None]
        self.counts = self.counts + present
        self._total = self._total + (present if weights is None else (there * each).sum(axis=0))
        with np.errstate(invalid="ignore"):  # a NaN of a damaged file may be one that signals
            sums = np.nansum((batch - self._means) * each, axis=0, dtype=np.float64)
        self._means = self._means + sums / np.where(self._total > 0, self._total, 1.0)

    def merge(self, other: Self) -> Self:
        """Take the numbers of other rows into account."""
        found = merge_means(self.counts, self._means, other.counts, other._means)
        self.counts, self._means, _ = found
        self.rows += other.rows
        return self


_FILLS: dict[MissingPolicy, type[FillValues]] = {
    MissingPolicy.AUTO: FillValues,
    MissingPolicy.MEAN: FillValues,
}


def start_fill(policy: MissingPolicy, width: int) -> FillValues:
    """Begin to learn what so many columns are filled with, by the mean where nothing else is said.

    Where a policy fills no missing values of its own, learners still need numbers for them.
    """
    return _FILLS.get(policy, FillValues)(width)


def fill_missing(rows: Any, values: Floats) -> Floats:
    """Put the value of each column where one is missing, of dense rows.

    >>> fill_missing(np.array([[1.0, np.nan], [np.nan, 4.0]]), np.array([2.0, 3.0])).tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    return np.asarray(np.where(np.isnan(rows), values, rows))


def fill_alone(rows: Floats, policy: MissingPolicy = USUAL_POLICY) -> Floats:
    """Fill rows by the finite values of each column; one without any becomes 0.

    >>> fill_alone(np.array([[1.0], [np.nan], [3.0]])).tolist()
    [[1.0], [2.0], [3.0]]
    """
    rows = np.where(np.isfinite(rows), rows, np.nan)
    values = start_fill(policy, rows.shape[1])
    values.add(rows)
    return fill_missing(rows, values.values)


def refuse_sparse() -> TamisError:
    """Say that a sparse table is not filled, and the ways out."""
    return TamisError(
        "A sparse table is not filled with means, it would become dense: fill it before, or pass "
        f"{spell('missing', MissingPolicy.DROP)} if few rows have missing values."
    )


# Missing values filled as the training rows say, where folds are made of blocks of rows.
#
# A table is read with the values of all its rows filled in. For folds that would be too kind: the
# mean knows of the held-out rows. So for each column with missing values a column of marks is read
# with it (1 where its value was filled in, else 0). Rows that are held are filled anew. In sums, a
# filled value that moves by `D` makes the columns `X` with the marks `Z` into `X + ZD`: their
# moments follow from those of both, and no row is read again.
@dataclass(frozen=True, eq=False)
class MarkedFills:
    """The columns with missing values, the values that they were filled with, and the kind of fill.

    They are counted among the `width` columns of the table; their marks follow, in this order.

    Examples
    --------
    The values of three rows are 1, missing and 3 in a table of mean 5.

    >>> rows = Moments.from_batch(np.array([[1.0, 0.0], [5.0, 1.0], [3.0, 0.0]]))
    >>> fills = MarkedFills(1, np.array([0]), np.array([5.0]), FillValues)
    >>> fills.refill_moments(rows, rows).mean
    array([2.])
    """

    width: int
    columns: Indices
    values: Floats
    kind: type[FillValues]

    @classmethod
    def of(cls, values: FillValues) -> "MarkedFills | None":
        """Note the columns with missing values; None if there are none."""
        columns = np.flatnonzero(values.counts < values.rows)
        if not len(columns):
            return None
        return cls(len(values.counts), columns, values.values[columns], type(values))

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
        """Keep some of the columns only, and say where these and their marks are."""
        places = np.flatnonzero(np.isin(self.columns, kept))
        found = np.searchsorted(kept, self.columns[places])
        where = np.concatenate([kept, self.width + places])
        return MarkedFills(len(kept), found, self.values[places], self.kind), where

    def refill_rows(
        self, rows: Floats, filled: Any, known: Any, weights: Weights | None = None
    ) -> Floats:
        """Fill the marked cells by what is there in the rows that are `known`."""
        rows = np.where(filled, np.nan, rows)
        values = self.kind(rows.shape[1])
        values.add(rows[known], None if weights is None else weights[known])
        return fill_missing(rows, values.values)

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
        away = (known.mean[self.columns] - self.values) + rest[self.columns]
        some = 1.0 - gone > NEGLIGIBLE  # of a column without a value nothing moves
        return np.divide(away, 1.0 - gone, out=np.zeros_like(away), where=some)
