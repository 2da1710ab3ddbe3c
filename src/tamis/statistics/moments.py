"""Count, mean and scatter matrix of the columns, as a value that batches merge into."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Self

import numpy as np
import scipy.sparse
from scipy.linalg.blas import dsyrk

from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices
from tamis.sources.stored_summary import tile_slices
from tamis.statistics.column_spread import (
    MIN_SQUARE_RATIO,
    Weights,
    compute_level,
    compute_spread,
    count_rows,
    divide_columns,
    find_varying,
    fine_units,
    level_columns,
    sparse_spread,
    take_mean_off,
)
from tamis.statistics.gram import DenseGram
from tamis.values import dataclass

_PART_BYTES = 1 << 30
_CENTRED_BYTES = 1 << 18


def exact_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Add two numbers without loss: the rounded sum, and the rounding error.

    Examples
    --------
    >>> total, rest = exact_sum(np.array([1e16]), np.array([1.0]))
    >>> total.tolist(), rest.tolist()
    ([1e+16], [1.0])
    """
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)


@dataclass(frozen=True, eq=False)
class Moments:
    """Count, column means and scatter matrix (sums of products about the means).

    A mean is `mean + rest`: one number cannot hold that of a column far from zero to the digits
    that merging needs. The scatter is that of the columns divided by `unit`, a power of two for
    each: 1 but for columns of values so small that their squares would vanish. Rows with weights
    count as often as these say: `count` is then the sum of the weights.

    Examples
    --------
    >>> a = Moments.from_batch(np.array([[0.0, 1.0], [2.0, 1.0]]))
    >>> b = Moments.from_batch(np.array([[4.0, 4.0]]))
    >>> a.merge(b).mean
    array([2., 2.])
    """

    count: float
    mean: Floats
    scatter: Floats
    rest: Floats = field(default_factory=lambda: np.zeros(1))
    unit: Floats = field(default_factory=lambda: np.ones(1))

    @classmethod
    def empty(cls, width: int) -> Self:
        """Give those of no rows."""
        return cls(0, np.zeros(width), np.zeros((width, width)))

    @classmethod
    def from_batch(cls, X: Any, weights: Weights | None = None, out: Floats | None = None) -> Self:
        """Summarise the rows of one array, dense or sparse, in float64.

        `weights` above 0 say how much each row counts: an integer as so many rows. The scatter
        matrix is written into `out` where that saves a copy.
        """
        found = cls._in_unit(X, weights, out)
        unit = fine_units(X, np.diagonal(found.scatter))
        if unit is None:
            return found
        fine = cls._in_unit(divide_columns(X, unit), weights)
        return cls(fine.count, fine.mean * unit, fine.scatter, fine.rest * unit, unit)

    @classmethod
    def _in_unit(cls, X: Any, weights: Weights | None = None, out: Floats | None = None) -> Self:
        if scipy.sparse.issparse(X):
            return cls._from_sparse(scipy.sparse.csr_array(X, dtype=np.float64), weights)
        n, d = X.shape
        if weights is not None and n:
            return cls._centre_rows(X, weights)
        found, direct = cls.empty(d), X.dtype == np.float64
        for rows in row_blocks(n, d, room=_PART_BYTES):
            part = np.asarray(X[rows])
            room = out if len(part) == n else None
            fresh = cls._about_zero(part, room) if direct else None
            direct = fresh is not None
            fresh = cls._centre_rows(part) if fresh is None else fresh
            found = found.merge(fresh) if rows.start else fresh
        return found

    @classmethod
    def _about_zero(cls, X: Floats, out: Floats | None = None) -> Self | None:
        """Take the mean off the products instead of the rows, or give None if that loses digits.

        No copy is made. While no column's mean is above three times its standard deviation, at
        most one digit of the difference is lost.
        """
        if not X.size:
            return None
        # NumPy's products only: SciPy brings a second pool of threads, and both would spin.
        mean = (np.ones(len(X)) @ X) / len(X)
        scatter = np.matmul(X.T, X, out=out)
        if (np.diagonal(scatter) < MIN_SQUARE_RATIO * len(X) * mean**2).any():
            return None
        for rows in row_blocks(len(mean), len(mean), room=_CENTRED_BYTES):
            scatter[rows] -= np.outer(len(X) * mean[rows], mean)
        return cls(len(X), mean, scatter)

    @classmethod
    def _centre_rows(cls, X: Any, weights: Weights | None = None) -> Self:
        (n, d), count = X.shape, 0
        mean, rest, scatter = np.zeros(d), np.zeros(d), np.zeros((d, d), order="F")
        for part in row_blocks(n, d):
            block = np.asarray(X[part])
            own = None if weights is None else weights[part]
            size = count_rows(block, own)
            centred = np.empty((len(block) + 1, d))
            block_mean, block_rest = take_mean_off(block, centred[:-1], own)
            if own is not None:  # a row of weight w adds w times its products
                centred[:-1] *= np.sqrt(own)[:, None]
            # Chan's rule: merging adds one row, the scaled distance between the two means.
            shift = (block_mean - mean) + (block_rest - rest)
            centred[-1] = shift * np.sqrt(count * size / (count + size))
            scatter = dsyrk(1.0, centred.T, beta=1.0, c=scatter, overwrite_c=1)
            count += size
            moved = exact_sum(mean, rest + shift * (size / count))
            mean, rest = moved if part.start else (block_mean, block_rest)
        _mirror(scatter)
        return cls(count, mean, scatter, rest)

    @classmethod
    def _from_sparse(cls, X: Any, weights: Weights | None = None) -> Self:
        if not X.shape[0]:
            return cls.empty(X.shape[1])
        count = count_rows(X, weights)
        mean, squares = sparse_spread(X, weights)
        rows, left = level_columns(X, mean, squares, weights)
        weighed = rows if weights is None else scipy.sparse.diags_array(np.sqrt(weights)) @ rows
        scatter = (weighed.T @ weighed).toarray()
        scatter -= np.outer(count * left, left)
        return cls(count, mean, scatter, np.where(left == mean, 0.0, left))

    def merge(self, other: Self) -> Self:
        """Give the moments of both sets of rows together."""
        if self.count == 0 or other.count == 0:
            return self if other.count == 0 else other
        tile = self._as_tile().merge(other._as_tile())
        mean, rest, unit = tile.columns
        return type(self)(tile.count, mean, tile.scatter, rest, unit_of(unit))

    def _as_tile(self) -> "MomentTile":
        sides = self.sides
        return MomentTile(self.count, sides, sides, self.scatter)

    @property
    def sides(self) -> Floats:
        """Mean, its rest and the unit of every column, a unit of 0 where all values are 0."""
        found = np.empty((3, len(self.mean)))
        found[0], found[1], found[2] = self.mean, self.rest, self.unit
        found[2, (self.mean == 0) & (np.diagonal(self.scatter) == 0)] = 0.0
        return found

    def cut(self) -> "dict[tuple[int, int], MomentTile]":
        """Cut the upper triangle of the scatter matrix into tiles."""
        sides = self.sides
        return {
            (i, j): MomentTile(
                self.count,
                sides[:, rows],
                sides[:, columns],
                np.ascontiguousarray(self.scatter[rows, columns]),
            )
            for i, j, rows, columns in tile_slices(len(self.mean))
        }

    @classmethod
    def join(cls, tiles: "Mapping[Any, MomentTile]", width: int) -> Self:
        """Put tiles together; there are none of no rows."""
        scatter, sides, count = np.zeros((width, width)), np.zeros((3, width)), 0.0
        for i, j, rows, columns in tile_slices(width) if tiles else ():
            tile = tiles[i, j]
            scatter[columns, rows] = tile.scatter.T
            scatter[rows, columns] = tile.scatter
            sides[:, columns], count = tile.columns, tile.count
        return cls(count, sides[0], scatter, sides[1], unit_of(sides[2]))

    def of_columns(self, columns: Indices) -> Self:
        """Keep some of the columns only."""
        rest, unit = (np.broadcast_to(one, self.mean.shape) for one in (self.rest, self.unit))
        scatter = self.scatter[columns[:, None], columns]
        mean = self.mean[columns]
        return type(self)(self.count, mean, scatter, rest[columns], unit[columns])

    def settle_mean(self) -> Self:
        """Put all that one number can hold of the mean into `mean`."""
        mean, rest = exact_sum(self.mean, self.rest)
        return type(self)(self.count, mean, self.scatter, rest, self.unit)

    @property
    def std(self) -> Floats:
        """Standard deviation of every column (ddof 0), exactly 0 for a constant column."""
        return (
            compute_spread(np.diagonal(self.scatter), self.mean / self.unit, self.count) * self.unit
        )

    def gram(self, *, scale: bool) -> DenseGram:
        """Give the Gram matrix of the columns that count, of mean diagonal 1.

        When `scale` is set all of the diagonal is 1.
        """
        std = self.std
        varying = find_varying(std, scale=scale)
        whole = len(varying) == len(std)
        # Of a symmetric matrix the rows or the columns are contiguous: either are its rows.
        symmetric = self.scatter if self.scatter.flags.c_contiguous else self.scatter.T
        matrix = symmetric if whole else symmetric[np.ix_(varying, varying)]
        if not len(varying):
            return DenseGram(matrix)
        unit = np.broadcast_to(self.unit, std.shape)[varying]
        factor = (
            1.0 / np.sqrt(np.diagonal(matrix))
            if scale
            else unit / compute_level(std) / self.count**0.5
        )
        scaled = np.empty(matrix.shape)
        for rows in row_blocks(len(matrix), len(matrix), room=_CENTRED_BYTES):
            np.multiply(matrix[rows], factor, out=scaled[rows])
            scaled[rows] *= factor[rows, None]
        if scale:
            np.fill_diagonal(scaled, 1.0)
        return DenseGram(scaled)


@dataclass(frozen=True, eq=False)
class MomentTile:
    """The scatter of some columns (`rows`) with others: a part of `Moments` that merges by itself.

    Of every column on either side it knows mean, rest and unit (`Moments.sides`).
    """

    count: float
    rows: Floats
    columns: Floats
    scatter: Floats

    def merge(self, other: "MomentTile") -> "MomentTile":
        """Give the scatter of both sets of rows together, by Chan's rule."""
        if not (self.count and other.count):
            return self if self.count else other
        count = self.count + other.count
        columns, moved = merge_sides(self, other, "columns")
        same = self.rows is self.columns and other.rows is other.columns
        rows, shift = (columns, moved) if same else merge_sides(self, other, "rows")
        scatter = self._scatter_in(rows, columns) + other._scatter_in(rows, columns)
        scatter += np.outer(shift * (self.count * other.count / count), moved)
        return MomentTile(count, rows, columns, scatter)

    def _scatter_in(self, rows: Floats, columns: Floats) -> Floats:
        """Give the scatter in the units of these sides."""
        across, down = _change_unit(self.columns, columns), _change_unit(self.rows, rows)
        if (across == 1).all() and (down == 1).all():
            return self.scatter
        return self.scatter * across * down[:, None]


def merge_sides(a: MomentTile, b: MomentTile, side: str) -> tuple[Floats, Floats]:
    """Merge means and units of one side; give also the distance of the means, in that unit."""
    mine, other = getattr(a, side), getattr(b, side)
    shift = (other[0] - mine[0]) + (other[1] - mine[1])
    found = np.empty_like(mine)
    found[0], found[1] = exact_sum(mine[0], mine[1] + shift * (b.count / (a.count + b.count)))
    found[2] = np.maximum(mine[2], other[2])
    return found, shift / unit_of(found[2])


def _change_unit(mine: Floats, common: Floats) -> Floats:
    return np.divide(mine[2], common[2], out=np.ones_like(mine[2]), where=mine[2] > 0)


def unit_of(unit: Floats) -> Floats:
    """Give the unit of every column, 1 where all values are 0."""
    return np.where(unit > 0, unit, 1.0)


def _mirror(matrix: Floats, step: int = 256) -> None:
    """Copy the upper triangle onto the lower one, in place."""
    for start in range(0, len(matrix), step):
        rows = slice(start, start + step)
        corner = np.triu(matrix[rows, rows])
        matrix[rows, rows] = corner + np.triu(corner, 1).T
        matrix[rows, :start] = matrix[:start, rows].T
