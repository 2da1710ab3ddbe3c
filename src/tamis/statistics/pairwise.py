"""A table summarised by pairs of columns, so that no missing value has to be filled or dropped."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, Self

import numpy as np
import scipy.sparse

from tamis.errors import TamisError, spell, spell_name
from tamis.numerics.eigen import make_definite
from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.tolerances import CONSTANT, ROUNDING
from tamis.sources.source import Source
from tamis.statistics.column_spread import compute_level, find_varying
from tamis.statistics.gram import DenseGram
from tamis.statistics.linear import len_of, stack_batches
from tamis.statistics.missing import Tally, as_float64, check_values, count_missing
from tamis.statistics.summary import Summary
from tamis.values import dataclass

# Moments of every two columns over the rows in which both have a value.
#
# Every value that is there is used: no row is dropped and no value filled. The sums of two parts
# of a table merge, so they can be made batch by batch. Each correlation is that of the rows the
# two columns have in common, as `DataFrame.corr` of pandas gives it. Because the pairs have
# different rows, the matrix of all of them need not be one of any table: `numerics/eigen.py` gives
# the positive definite matrix that stands for it.
FEWEST_COMMON_ROWS = 3  # two rows are always on a line


@dataclass(frozen=True, eq=False)
class PairMoments:
    """Sums over the rows that two columns have in common, for every two of them.

    `count[i, j]` rows have both; over these `total[i, j]` is the sum of column i, `square[i, j]`
    that of its squares and `product[i, j]` that of its products with column j. They are taken about
    `shift`, the mean of a column, in its `unit`, a power of two.

    Examples
    --------
    >>> nan = np.nan
    >>> X = np.array([[1.0, 2.0, nan], [2.0, 4.0, 1.0], [3.0, 6.0, 0.0], [nan, 9.0, 5.0]])
    >>> PairMoments.from_batch(X).count.astype(int)
    array([[3, 3, 2],
           [3, 4, 3],
           [2, 3, 3]])
    """

    rows: int
    shift: Floats
    unit: Floats
    count: Floats
    total: Floats
    square: Floats
    product: Floats

    @classmethod
    def from_batch(cls, X: Any) -> Self:
        """Sum up some rows; NaN is a missing value."""
        there = ~np.isnan(X)
        counts = there.sum(axis=0)
        shift = np.where(there, X, 0.0).sum(axis=0) / np.maximum(counts, 1)
        values = np.where(there, X - shift, 0.0)
        unit = _powers_of_two(np.abs(values).max(axis=0, initial=0.0))
        values /= unit
        marks = there.astype(np.float64)
        return cls(
            len(X),
            shift,
            unit,
            marks.T @ marks,
            values.T @ marks,
            np.square(values).T @ marks,
            values.T @ values,
        )

    def merge(self, other: Self) -> Self:
        """Give the sums of both sets of rows together."""
        mine, theirs = np.diagonal(self.count), np.diagonal(other.count)
        share = np.divide(theirs, mine + theirs, out=np.zeros_like(mine), where=theirs > 0)
        away = other.shift - self.shift
        shift = np.where(share == 1, other.shift, self.shift + away * share)
        both = (mine > 0) & (theirs > 0) & (away != 0)
        apart = np.where(both, _powers_of_two(np.abs(away)), 0.0)
        held = [np.where(one._spread_out, one.unit, 0.0) for one in (self, other)]
        unit = np.maximum.reduce([*held, apart])
        unit = np.where(unit > 0, unit, 1.0)
        a, b = self._move_sums(shift, unit), other._move_sums(shift, unit)
        return type(self)(
            self.rows + other.rows,
            shift,
            unit,
            a.count + b.count,
            a.total + b.total,
            a.square + b.square,
            a.product + b.product,
        )

    @property
    def _spread_out(self) -> Any:
        return np.diagonal(self.square) > 0

    def _move_sums(self, shift: Floats, unit: Floats) -> Self:
        """Give the sums about other values, in other units."""
        known = np.diagonal(self.count) > 0
        step = np.where(known, self.shift - shift, 0.0) / unit
        change = np.where(self._spread_out, self.unit / unit, 1.0)
        total = self.total * change[:, None]
        square = self.square * np.square(change)[:, None]
        product = self.product * change * change[:, None]
        product += step[:, None] * total.T + step * total + np.outer(step, step) * self.count
        square += 2.0 * step[:, None] * total + np.square(step)[:, None] * self.count
        total = total + step[:, None] * self.count
        return type(self)(self.rows, shift, unit, self.count, total, square, product)

    @property
    def mean(self) -> Floats:
        """Mean of the values that each column has."""
        count = np.maximum(np.diagonal(self.count), 1.0)
        return self.shift + np.diagonal(self.total) / count * self.unit

    @property
    def std(self) -> Floats:
        """Standard deviation (divisor n) of the values of each column, 0 for a constant one."""
        spread = np.sqrt(np.maximum(np.diagonal(self._variances()), 0.0))
        return np.where(spread > CONSTANT * np.abs(self.mean / self.unit), spread * self.unit, 0.0)

    def _variances(self) -> Floats:
        """Give the variance of every column over the rows it has in common with each other."""
        count = np.maximum(self.count, 1.0)
        return np.asarray(self.square / count - np.square(self.total / count))

    def correlations(self) -> Floats:
        """Give the correlation of every two columns; 0 where too few rows have both."""
        count = np.maximum(self.count, 1.0)
        mean, variance = self.total / count, self._variances()
        # What is only rounding of the sums is no variance: all values there are the same.
        varies = variance > ROUNDING * self.square / count
        known = (self.count >= FEWEST_COMMON_ROWS) & varies & varies.T
        together = self.product / count - mean * mean.T
        size = np.sqrt(np.where(known, variance * variance.T, 1.0))
        found = np.clip(np.where(known, together / size, 0.0), -1.0, 1.0)
        np.fill_diagonal(found, 1.0)
        return np.asarray((found + found.T) / 2.0)


def _powers_of_two(sizes: Floats) -> Floats:
    """Give for each size a power of two above it, 1 for 0."""
    powers = np.ldexp(1.0, np.maximum(np.frexp(sizes)[1], -1000))
    return np.asarray(np.where(sizes > 0, powers, 1.0))


def shrink_uncertain(correlations: Floats, count: Floats, rows: int) -> Floats:
    """Bring correlations nearer to 0 the more of their rows are missing.

    Of n rows the square of a correlation r has an error of (1 - r^2)^2 / (n - 1). What it has more
    of it than all rows would have is noise beside the signal r^2: the correlation is multiplied by
    the share of the signal in both. Copies stay copies, and where nothing is missing nothing
    changes.

    Examples
    --------
    >>> R, count = np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([[101.0, 11.0], [11.0, 21.0]])
    >>> shrink_uncertain(R, count, 101).round(3)
    array([[1.   , 0.416],
           [0.416, 1.   ]])
    """
    square = np.square(correlations)
    few = 1.0 / np.maximum(count - 1.0, 1.0) - 1.0 / max(rows - 1.0, 1.0)
    noise = np.square(1.0 - square) * np.maximum(few, 0.0)
    both = square + noise
    return correlations * np.divide(square, both, out=np.ones_like(both), where=both > 0)


MAX_COLUMNS = 3_000  # whose matrix is decomposed within a minute


def check_pairwise(
    source: Source, *, kind: str, checkpoint: str | None, blocks: bool, policy: MissingPolicy
) -> None:
    """Refuse what sums over pairs of columns cannot do, before a row is read."""
    obstacles = {
        "a summary, which has no rows": not source.has_rows,
        f"ranks ({spell('kind', kind)})": kind != "pearson",
        "a table of an engine": source.in_parts() is not None,
        spell_name("checkpoint"): checkpoint is not None,
        f"held-out rows, {spell_name('stability')} or {spell('k', 'auto')}": blocks,
    }
    for what, holds in obstacles.items():
        if holds:
            raise TamisError(
                f"{spell('missing', policy)} does not work with {what} yet: omit one of them, or "
                f"pass {spell('missing', MissingPolicy.AUTO)}."
            )


def collect_pairwise(
    source: Source, columns: Sequence[int], *, scale: bool, policy: MissingPolicy
) -> Summary:
    """Read the table once into the sums of every two columns, and make a Gram matrix of them."""
    names, tally = [source.names[j] for j in columns], Tally(len(columns))
    if len(names) > MAX_COLUMNS:
        raise TamisError(
            f"{spell('missing', policy)}: {len(names):,} columns are too many to relate every "
            f"two of them; analyse at most {MAX_COLUMNS:,}, or pass "
            f"{spell('missing', MissingPolicy.AUTO)}."
        )
    moments = _read_pairs(source, columns, names, tally, policy)
    check_values(tally.counts, tally.rows, names)
    std = moments.std
    varying = find_varying(std, scale=scale)
    at = np.ix_(varying, varying)
    if tally.counts.any() and len(varying):
        tally.fewest_common = int(moments.count[at].min())
    related = shrink_uncertain(moments.correlations(), moments.count, moments.rows)
    matrix = make_definite(related[at])
    if not scale:
        size = std[varying] / compute_level(std)
        matrix = matrix * size * size[:, None]
    return Summary(moments.rows, varying, DenseGram(matrix), moments.mean, std, tally=tally)


def _read_pairs(
    source: Source, columns: Sequence[int], names: list[str], tally: Tally, policy: MissingPolicy
) -> PairMoments:
    parts, held = [], []
    for batch in track("rows read", source.batches(columns), source.n_rows, len_of, source.meter):
        if scipy.sparse.issparse(batch):
            raise TamisError(
                f"{spell('missing', policy)} is for dense tables: pass "
                f"{spell('missing', MissingPolicy.DROP)}, or fill the sparse one before."
            )
        rows = tally.mark_infinite(as_float64(batch))
        counts = count_missing(rows, names)
        complete = len(rows) if counts is None else int((~np.isnan(rows).any(axis=1)).sum())
        tally.add(len(rows), len(rows), counts, complete)
        held.append(rows)
        if sum(map(len, held)) >= len(names):
            parts.append(PairMoments.from_batch(stack_batches(held)))
            parts, held = [reduce(PairMoments.merge, parts)], []
    parts += [PairMoments.from_batch(stack_batches(held))] if held else []
    if not parts:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    return reduce(PairMoments.merge, parts)
