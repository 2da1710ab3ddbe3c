"""Moments of blocks of rows: sums of blocks give folds and half-samples without a second read."""

from collections.abc import Callable, Iterator, Sequence
from math import gcd
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.row_chunks import lay_in_rows, row_blocks
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.types import Floats, Indices
from tamis.rules.search import N_BLOCKS
from tamis.statistics.column_spread import Weights
from tamis.statistics.linear import stack_batches
from tamis.statistics.moments import Moments
from tamis.statistics.row_hash import number_hashes, row_hashes
from tamis.values import dataclass

FEWEST_BLOCKS = 4
_FEWER = (N_BLOCKS, 10, FEWEST_BLOCKS)
_MAX_BLOCK_BYTES = 1 << 31
_FEW_BLOCKS = 4  # that are added up, or taken off the sum of all, one by one
_LEAST_LEFT = 0.01  # of a column's squares: two digits are lost where a sum is taken off another
_JOINED_BYTES = 1 << 18  # of a matrix at a time: they stay in the cache
_SUM_KEY = "_whole"  # where the sum of all scatter matrices is kept
_PRODUCTS_PER_READ = 16  # a value in the cache is multiplied so often while one is read from memory


def affordable_blocks(width: int, room: int = _MAX_BLOCK_BYTES) -> int:
    """Give how many scatter matrices of so many columns fit: 20, or else 10 or 4.

    Examples
    --------
    >>> affordable_blocks(500), affordable_blocks(5000)
    (20, 10)
    """
    for count in _FEWER:
        if fits_in(width, count, room):
            return count
    raise TamisError(
        f"{width:,} columns are too many for sums by block of rows ({32 * width**2 / 1e9:.0f} GB): "
        "analyse fewer columns."
    )


def fits_in(width: int, count: int, room: int = _MAX_BLOCK_BYTES) -> bool:
    """Whether so many scatter matrices of so many columns fit."""
    return 8 * count * width**2 <= room


@dataclass(frozen=True, eq=False)
class BlockMoments:
    """Count, means and scatter matrix of every block of rows, each array with the block first.

    A row's block follows from the values (`row_hash`): neither the order of the rows nor that of
    the batches matters. The meaning of `mean`, `rest`, `scatter` and `unit` is that of `Moments`.

    Examples
    --------
    >>> X = np.arange(80.0).reshape(40, 2)
    >>> found = BlockMoments.from_batch(X[:15]).merge(BlockMoments.from_batch(X[15:]))
    >>> int(found.count.sum()), found.sum().mean
    (40, array([39., 40.]))
    """

    count: NDArray[Any]
    mean: Floats
    scatter: Floats
    rest: Floats
    unit: Floats

    @classmethod
    def empty(cls, width: int, n_blocks: int = N_BLOCKS, counts: Any = np.intp) -> Self:
        """Make room for blocks of no rows; with weights that are no integers counts are floats."""
        shape = (n_blocks, width)
        return cls(
            np.zeros(n_blocks, dtype=counts),
            np.zeros(shape),
            np.zeros((*shape, width)),
            np.zeros(shape),
            np.ones(shape),
        )

    @classmethod
    def from_batch(cls, X: Any, n_blocks: int = N_BLOCKS, numbers: Indices | None = None) -> Self:
        """Summarise the rows of one array, dense or sparse.

        `numbers` is the block of every row where it is known already.
        """
        found = cls.empty(X.shape[1], n_blocks)
        found.add(X, numbers)
        return found

    def add(self, X: Any, numbers: Indices | None = None, weights: Weights | None = None) -> None:
        """Add the rows of one array, in place."""
        numbers = number_hashes(row_hashes(X)) % len(self.count) if numbers is None else numbers
        self.add_batches([X], numbers, weights)

    def add_batches(
        self, batches: Sequence[Any], numbers: Indices, weights: Weights | None = None
    ) -> None:
        """Add the rows of some arrays, in place: for the loop that reads a table."""
        order, counts = np.argsort(numbers, kind="stable"), np.bincount(numbers)
        ends = np.cumsum(np.bincount(numbers, minlength=len(self.count)))
        most = int(counts.max(initial=0))
        gather = _gather_from(batches, most)
        with small_products_on_one_thread(most * self.mean.shape[1] ** 2 // _PRODUCTS_PER_READ):
            for block, rows in enumerate(np.split(order, ends[:-1])):
                if len(rows):
                    own = None if weights is None else weights[rows]
                    # Fresh memory costs more than the sums: the first go where they stay.
                    room = None if self.count[block] else self.scatter[block]
                    found = Moments.from_batch(gather(rows), own, room)
                    self.put(block, self._block(block).merge(found))

    def merge(self, other: Self) -> Self:
        """Give the blocks of both sets of rows together; as few as both can be reduced to."""
        n_blocks = gcd(len(self.count), len(other.count))
        kind = np.result_type(self.count, other.count)
        merged = type(self).empty(self.mean.shape[1], n_blocks, kind)
        for part in (self, other):
            for block in range(len(part.count)):
                place = block % n_blocks  # a hash modulo 20, modulo 10, is the hash modulo 10
                merged.put(place, merged._block(place).merge(part._block(block)))
        return merged

    def sum(self, blocks: Sequence[int] | Indices | None = None) -> Moments:
        """Give the moments of the rows of some blocks, or of all, together."""
        chosen = np.zeros((1, len(self.count)), dtype=bool)
        chosen[0, slice(None) if blocks is None else np.asarray(blocks, dtype=np.intp)] = True
        return next(self.sums(chosen))

    def sums(self, choices: NDArray[np.bool_]) -> Iterator[Moments]:
        """Give the moments of several choices of blocks, each a row that marks them."""
        unit = self._common_unit()
        scatter = self._scatter_in(unit)
        whole = self._sum_all() if scatter is self.scatter else scatter.sum(axis=0)
        step = max(1, len(self.count) // 2)
        for first in range(0, len(choices), step):
            part = choices[first : first + step]
            parts = [self._list_short(marks, scatter, whole) for marks in part]
            long = [i for i, one in enumerate(parts) if one is None]
            if long:
                # One product for several choices: the blocks are read once for all of them.
                flat = scatter.reshape(len(scatter), -1)
                matrices = (part[long].astype(np.float64) @ flat).reshape(-1, *whole.shape)
                parts = _fill_in(parts, long, matrices)
            for marks, one in zip(part, parts, strict=True):
                assert one is not None
                yield self._join_scatter(marks, *one, unit)

    def _sum_all(self) -> Floats:
        """Give the sum of all scatter matrices, found once for all choices of blocks."""
        if _SUM_KEY not in self.__dict__:
            flat = self.scatter.reshape(len(self.scatter), -1)
            summed = (np.ones(len(flat)) @ flat).reshape(self.scatter.shape[1:])
            self.__dict__[_SUM_KEY] = summed
        found: Floats = self.__dict__[_SUM_KEY]
        return found

    def _list_short(
        self, marks: NDArray[np.bool_], scatter: Floats, whole: Floats
    ) -> tuple[list[Floats], list[Floats]] | None:
        """List the few matrices to add up and to take off, None where there are many.

        Nothing is taken off of which too little would be left.
        """
        chosen, others = np.flatnonzero(marks), np.flatnonzero(~marks)
        if len(chosen) <= _FEW_BLOCKS:
            return [scatter[i] for i in chosen], []
        if len(others) > _FEW_BLOCKS:
            return None
        squares = np.diagonal(whole)
        less = sum((np.diagonal(scatter[i]) for i in others), np.zeros(len(squares)))
        if (squares - less < _LEAST_LEFT * squares).any():
            return None
        return [whole], [scatter[i] for i in others]

    def of_columns(self, columns: Indices) -> Self:
        """Give the same of some columns only."""
        scatter = self.scatter[:, columns[:, None], columns]
        mean, rest, unit = (part[:, columns] for part in (self.mean, self.rest, self.unit))
        return type(self)(self.count, mean, scatter, rest, unit)

    def widened(self, width: int) -> Self:
        """Give the same with further columns, of zeros in every row."""
        own = self.mean.shape[1]
        found = type(self).empty(width, len(self.count), self.count.dtype)
        found.count[:] = self.count
        found.scatter[:, :own, :own] = self.scatter
        for mine, theirs in ((self.mean, found.mean), (self.rest, found.rest)):
            theirs[:, :own] = mine
        found.unit[:, :own] = self.unit
        return found

    def _join_scatter(
        self, marks: NDArray[np.bool_], plus: list[Floats], minus: list[Floats], unit: Floats
    ) -> Moments:
        """Add to the sum of the scatter matrices what the distances of the means add."""
        blocks = np.flatnonzero(marks & (self.count > 0))
        count, width = self.count[blocks].sum().item(), len(unit)
        if not len(blocks):
            return Moments(0, np.zeros(width), np.zeros((width, width)))
        mean, rest = self.mean[blocks[0]], self.rest[blocks[0]]
        shift = (self.mean[blocks] - mean) + (self.rest[blocks] - rest)
        weights = self.count[blocks] / count
        moved = weights @ shift
        apart = (shift - moved) / unit * np.sqrt(self.count[blocks])[:, None]
        whole = np.empty((width, width))
        for rows in row_blocks(width, width, room=_JOINED_BYTES):
            np.matmul(apart[:, rows].T, apart, out=whole[rows])
            for matrix in plus:
                whole[rows] += matrix[rows]
            for matrix in minus:
                whole[rows] -= matrix[rows]
        return Moments(count, mean, whole, rest + moved, unit).settle_mean()

    def _common_unit(self) -> Floats:
        """Give the largest unit of each column over the blocks that hold more than zeros in it."""
        squares = np.diagonal(self.scatter, axis1=1, axis2=2)
        holds = (self.mean != 0) | (squares != 0)
        largest = np.where(holds, self.unit, 0.0).max(axis=0)
        return np.where(largest > 0, largest, 1.0)

    def _scatter_in(self, unit: Floats) -> Floats:
        change = self.unit / unit
        if (change == 1).all():
            return self.scatter
        return self.scatter * change[:, None, :] * change[:, :, None]

    def every(self) -> list[Moments]:
        """Give the moments of every block."""
        return [self._block(block) for block in range(len(self.count))]

    def _block(self, block: int) -> Moments:
        return Moments(
            self.count[block].item(),
            self.mean[block],
            self.scatter[block],
            self.rest[block],
            self.unit[block],
        )

    def put(self, block: int, found: Moments) -> None:
        """Take these moments for those of a block, in place."""
        self.count[block] = found.count
        self.mean[block], self.rest[block] = found.mean, found.rest
        self.unit[block] = found.unit
        self.__dict__.pop(_SUM_KEY, None)
        if not np.may_share_memory(found.scatter, self.scatter):
            self.scatter[block] = found.scatter


def _fill_in(
    parts: list[tuple[list[Floats], list[Floats]] | None], places: list[int], matrices: Floats
) -> list[tuple[list[Floats], list[Floats]] | None]:
    """Put sums that were found together at their places."""
    found = dict(zip(places, matrices, strict=True))
    return [([found[i]], []) if i in found else one for i, one in enumerate(parts)]


def _gather_from(batches: Sequence[Any], most: int) -> Callable[[Indices], Any]:
    """Give what gathers rows of several batches, at `most` so many, given in ascending order.

    Dense rows are always gathered in the same memory: those from before are written over.
    """
    dense = all(isinstance(batch, np.ndarray) for batch in batches)
    if not dense:
        whole = stack_batches(list(batches))
        return lambda rows: whole[rows]
    # NumPy copies all of a batch that lies in columns, whenever some rows of it are taken.
    laid = list(map(lay_in_rows, batches))
    starts = np.cumsum([0, *map(len, laid)])
    memory = np.empty((most, laid[0].shape[1]), np.result_type(*laid))

    def gather(rows: Indices) -> Any:
        room, ends = memory[: len(rows)], np.searchsorted(rows, starts)
        for batch, start, first, last in zip(laid, starts, ends, ends[1:], strict=False):
            # Positions are right: "clip" only saves NumPy a copy of its own.
            np.take(batch, rows[first:last] - start, axis=0, out=room[first:last], mode="clip")
        return room

    return gather
