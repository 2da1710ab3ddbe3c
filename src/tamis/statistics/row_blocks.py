"""A table split into blocks of rows: folds and half-samples are made of them without a second read.

Blocks are held by their moments or, where columns are more, by their rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from math import gcd
from typing import Any, Self

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.row_chunks import lay_in_rows, row_blocks
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.types import Floats, Indices
from tamis.rules.search import HELD_OUT_FOLDS, N_BLOCKS
from tamis.statistics.column_spread import Weights, compute_level, count_rows
from tamis.statistics.fills import MarkedFills
from tamis.statistics.gram import DenseGram, Gram, RowGram, SparseGram
from tamis.statistics.grouped import Groups
from tamis.statistics.linear import stack_batches, summary_of_moments, summary_of_rows
from tamis.statistics.missing import Tally
from tamis.statistics.moments import Moments, unit_of
from tamis.statistics.row_hash import number_hashes, row_hashes
from tamis.statistics.summary import Summary
from tamis.values import dataclass

FEWEST_BLOCKS = 4
_FEWER = (N_BLOCKS, 10, FEWEST_BLOCKS)
_MAX_BLOCK_BYTES = 1 << 31
_FEW_BLOCKS = 4  # that are added up, or taken off the sum of all, one by one
_LEAST_LEFT = 0.01  # of a column's squares: two digits are lost where a sum is taken off another
_JOINED_BYTES = 1 << 18  # of a matrix at a time: they stay in the cache
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


# Which blocks are chosen, or by fold: 1 for training rows, 0 for held-out ones, 2 for neither.
Choices = NDArray[Any]
ORDERED_FOLDS = 5
NEITHER = 2


def fold_choices(count: NDArray[Any], n_folds: int = HELD_OUT_FOLDS) -> Choices:
    """Mark for every fold the blocks of its training rows: all but every tenth.

    A fold without rows is none.
    """
    blocks = np.arange(len(count))
    n_folds = min(n_folds, len(count))
    choices = np.array([blocks % n_folds != fold for fold in range(n_folds)])
    return np.asarray(choices[(~choices @ count > 0) & (choices @ count > 1)])


def stretch_choices(count: NDArray[Any], n_folds: int = ORDERED_FOLDS) -> Choices:
    """Mark for every fold of ordered rows a stretch to hold out, and a block beside it for neither.

    What comes just before and after it is still much like it, and would be no test.

    Examples
    --------
    >>> stretch_choices(np.ones(10))[1].tolist()
    [1, 2, 0, 0, 2, 1, 1, 1, 1, 1]
    """
    blocks, n_folds = np.arange(len(count)), min(n_folds, len(count))
    fold = blocks * n_folds // len(count)
    choices = np.array([np.where(fold == one, 0, 1) for one in range(n_folds)])
    if len(count) > n_folds:
        held = choices == 0
        beside = np.zeros_like(held)
        beside[:, 1:] |= held[:, :-1]
        beside[:, :-1] |= held[:, 1:]
        choices[beside & ~held] = NEITHER
    usable = ((choices == 0) @ count > 0) & ((choices == 1) @ count > 1)
    return np.asarray(choices[usable])


def choose_folds(blocks: "Blocks", n_folds: int = HELD_OUT_FOLDS) -> Choices:
    """Mark the blocks of every fold; where rows follow one another a fold is a stretch of them."""
    return stretch_choices(blocks.count) if blocks.ordered else fold_choices(blocks.count, n_folds)


@dataclass(frozen=True, eq=False)
class HeldOutRows:
    """Sums of products of held-out rows, about the mean and in the unit of the training rows.

    They are `gram`, about the held-out rows' own mean, and what its distance (`shift`) adds; every
    column is multiplied with its `factor`. An error counts in the unit of all rows: in that of the
    training rows, one row would decide the share of a column that is nearly constant in them. So
    the square of a column counts `weights` times, None where all count once; `unknown` are those of
    the columns of the table that do not vary in the training rows, 0 for the others.
    """

    count: float
    gram: Gram
    shift: Floats
    factor: Floats
    unknown: Floats
    weights: Floats | None = None

    def rows(self, columns: Indices) -> Floats:
        """Give some rows of the matrix."""
        matrix = self.gram.block(columns)
        matrix = matrix + np.multiply.outer(self.count * self.shift[columns], self.shift)
        matrix *= self.factor
        matrix *= self.factor[columns, None]
        return matrix

    @property
    def samples(self) -> Floats | None:
        """The held-out rows themselves, where the sums are held by them; None otherwise."""
        rows = self.gram.plain_rows
        if rows is not None and self.shift.any():
            rows = np.concatenate([rows, np.sqrt(self.count) * self.shift[None]])  # one row more
        return None if rows is None else rows * self.factor

    def diagonal(self) -> Floats:
        """Give the sum of squares of every column."""
        squares = self.gram.diagonal() + self.count * np.square(self.shift)
        return np.asarray(squares * self.factor * self.factor)

    def weigh(self, importance: Floats | None) -> Floats | None:
        """Give how often the square of each column counts where columns are of this importance."""
        if importance is None or self.weights is None:
            return self.weights if importance is None else importance
        return importance * self.weights

    def squares(self) -> Floats:
        """Give the sum of squares of every column, in the unit of all rows."""
        return self.diagonal() if self.weights is None else self.weights * self.diagonal()

    def left_unknown(self, kept: Indices) -> Floats:
        """Sum up what is unknown with 0, 1, 2, ... of these columns of the table kept."""
        taken = np.concatenate([[0.0], np.cumsum(self.unknown[kept])])
        return np.asarray(self.unknown.sum() - taken)


@dataclass(frozen=True, eq=False)
class Blocks(ABC):
    """The rows of a table in blocks; columns are counted among those of the table that vary.

    `count` is how many rows each has. With `ordered` rows follow one another, and blocks are
    stretches of them. Where columns were encoded, `groups` says which stand for each of the table,
    and each is multiplied with its `column_weights` once standardised. The last groups are
    `responses`: a part of the rows in which one of them does not vary is skipped.
    """

    count: NDArray[Any]
    ordered: bool = field(default=False, kw_only=True)
    groups: Groups | None = field(default=None, kw_only=True)
    column_weights: Floats | None = field(default=None, kw_only=True)
    responses: int = field(default=0, kw_only=True)

    @abstractmethod
    def plain_parts(self, choices: Choices) -> Iterator[Summary]:
        """Summarise the rows of several choices of blocks, columns as they were encoded."""

    @abstractmethod
    def plain_splits(self, choices: Choices) -> Iterator[tuple[Summary, HeldOutRows]]:
        """Summarise the chosen rows, and give the others about their mean and in their unit."""

    def parts(self, choices: Choices) -> Iterator[Summary]:
        """Summarise the rows of several choices of blocks, each a row that marks them."""
        for marks, part in zip(choices, self.plain_parts(choices), strict=True):
            summary = self._group_part(part, marks)
            if summary is not None:
                yield summary

    def splits(self, choices: Choices) -> Iterator[tuple[Summary, HeldOutRows]]:
        """Summarise the chosen rows, and give the others about their mean and in their unit."""
        for marks, (part, others) in zip(choices, self.plain_splits(choices), strict=True):
            summary = self._group_part(part, marks)
            if summary is None:
                continue
            if self.groups is not None and self.column_weights is not None:
                factor = others.factor * self.column_weights[part.varying]
                unknown = self.groups.sum_up(others.unknown * np.square(self.column_weights))
                others = replace(others, factor=factor, unknown=unknown)
            yield summary, others

    def _group_part(self, part: Summary, marks: Choices) -> Summary | None:
        """Put encoded columns together; None where a response does not vary in these rows."""
        if self.groups is None or self.column_weights is None:
            return replace(part, marks=marks)
        varying, groups = self.groups.of_columns(part.varying)
        count = self.responses
        if count:
            first = len(self.groups.sizes) - count
            if len(varying) <= count or int(varying[-count]) != first:
                return None
            varying = varying[:-count]
        gram = weigh(part.gram, self.column_weights[part.varying])
        part = replace(part, encoded=part.varying, marks=marks)
        return replace(part, varying=varying, gram=gram, groups=groups, responses=count)


def weigh(gram: Gram, weights: Floats) -> Gram:
    """Multiply the columns of a Gram matrix with their weights, if any is not 1."""
    return gram if (weights == 1.0).all() else gram.weigh_columns(weights)


@dataclass(frozen=True, eq=False)
class MomentBlocks(Blocks):
    """Blocks held by their moments: means and scatter matrix of each, with the block first.

    A row's block follows from the values (`row_hash`): neither the order of the rows nor that of
    the batches matters. The meaning of `mean`, `rest`, `scatter` and `unit` is that of `Moments`.
    Once all rows are there, `level` is the unit of all rows, by column where they are scaled. With
    `fills` the columns that mark filled values follow those of the table.

    Examples
    --------
    >>> X = np.arange(80.0).reshape(40, 2)
    >>> found = MomentBlocks.from_batch(X[:15]).merge(MomentBlocks.from_batch(X[15:]))
    >>> int(found.count.sum()), found.sum().mean
    (40, array([39., 40.]))
    """

    mean: Floats
    scatter: Floats
    rest: Floats
    unit: Floats
    scale: bool = field(default=False, kw_only=True)
    level: Any = field(default=1.0, kw_only=True)
    fills: MarkedFills | None = field(default=None, kw_only=True)
    known_sum: Floats | None = field(default=None, kw_only=True, repr=False)  # of the scatters

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
        # The largest unit of each column over the blocks that hold more than zeros in it.
        holds = (self.mean != 0) | (np.diagonal(self.scatter, axis1=1, axis2=2) != 0)
        unit = unit_of(np.where(holds, self.unit, 0.0).max(axis=0))
        change = self.unit / unit
        if (change == 1).all():
            scatter, whole = self.scatter, self._sum_scatter()
        else:
            scatter = self.scatter * change[:, None, :] * change[:, :, None]
            whole = scatter.sum(axis=0)
        step = max(1, len(self.count) // 2)
        for first in range(0, len(choices), step):
            part = choices[first : first + step]
            parts = [self._list_short(marks, scatter, whole) for marks in part]
            long = [i for i, one in enumerate(parts) if one is None]
            if long:
                # One product for several choices: the blocks are read once for all of them.
                flat = scatter.reshape(len(scatter), -1)
                matrices = (part[long].astype(np.float64) @ flat).reshape(-1, *whole.shape)
                for i, matrix in zip(long, matrices, strict=True):
                    parts[i] = [matrix], []
            for marks, one in zip(part, parts, strict=True):
                assert one is not None
                yield self._join_scatter(marks, *one, unit)

    def _sum_scatter(self) -> Floats:
        """Add up all scatter matrices, once for all choices of blocks."""
        if self.known_sum is None:
            flat = self.scatter.reshape(len(self.scatter), -1)
            found = (np.ones(len(flat)) @ flat).reshape(self.scatter.shape[1:])
            vars(self)["known_sum"] = found
        assert self.known_sum is not None
        return self.known_sum

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
        """Keep some of the columns only."""
        scatter = self.scatter[:, columns[:, None], columns]
        mean, rest, unit = (part[:, columns] for part in (self.mean, self.rest, self.unit))
        return type(self)(self.count, mean, scatter, rest, unit)

    def widened(self, width: int) -> Self:
        """Add further columns, of zeros in every row."""
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
            return Moments.empty(width)
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
        vars(self)["known_sum"] = None
        if not np.may_share_memory(found.scatter, self.scatter):
            self.scatter[block] = found.scatter

    def plain_parts(self, choices: Choices) -> Iterator[Summary]:
        """Summarise the rows of several choices of blocks."""
        sums = self.sums(choices)
        return (summary_of_moments(self._fill_part(part, part), self.scale) for part in sums)

    def plain_splits(self, choices: Choices) -> Iterator[tuple[Summary, HeldOutRows]]:
        """Summarise the chosen rows, and give the others in their unit."""
        pairs = np.stack([choices == 1, choices == 0], axis=1)
        # Halves come in pairs, and each holds back the other.
        again = np.zeros(len(pairs), dtype=bool)
        filled = self.count > 0
        for i in range(1, len(pairs)):
            other = (pairs[i, 0] == pairs[i - 1, 1]) & (pairs[i, 1] == pairs[i - 1, 0])
            again[i] = not again[i - 1] and other[filled].all()
        sums = self.sums(pairs[~again].reshape(-1, len(self.count)))
        part, other = Moments.empty(0), None
        for repeated in again:
            part, other = (other, part) if repeated and other else (next(sums), next(sums))
            known = summary_of_moments(self._fill_part(part, part), self.scale)
            yield known, self._hold_out(self._fill_part(other, part), known)

    def _fill_part(self, part: Moments, known: Moments) -> Moments:
        """Fill missing values as the rows that are known say."""
        return (
            part if self.fills is None or not part.count else self.fills.refill_moments(part, known)
        )

    def _hold_out(self, other: Moments, known: Summary) -> HeldOutRows:
        varying, matrix = known.varying, other.scatter
        mean = other.mean + other.rest if other.count else known.mean
        unit, shift = np.broadcast_to(other.unit, known.std.shape), mean - known.mean
        squares = np.square(unit) * np.diagonal(matrix) + other.count * np.square(shift)
        unknown = squares / np.square(self.level)
        unknown[varying] = 0.0
        if len(varying) < len(matrix):
            matrix = matrix[np.ix_(varying, varying)]
        own = known.std[varying] if self.scale else self.level
        weights = np.square(own / self.level[varying]) if self.scale else None
        unit, shift = unit[varying], shift[varying]
        gram = DenseGram(matrix)
        return HeldOutRows(other.count, gram, shift / unit, unit / own, unknown, weights)


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


@dataclass(frozen=True, eq=False)
class RowBlocks(Blocks):
    """Blocks held by their rows, for tables with more columns than rows; `numbers` gives each.

    They are centred, and scaled so that the squares of a column add up to 1, alone or on average.
    `filled` marks the cells that were missing, if any were, which `fills` fills; `weights` say how
    much a row counts.
    """

    rows: Any
    numbers: Indices
    scale: bool
    fills: MarkedFills | None = None
    filled: NDArray[np.bool_] | None = None
    weights: Weights | None = None

    def plain_parts(self, choices: Choices) -> Iterator[Summary]:
        """Summarise the rows of several choices of blocks."""
        return (known for known, _, _ in self._split_rows(choices))

    def plain_splits(self, choices: Choices) -> Iterator[tuple[Summary, HeldOutRows]]:
        """Summarise the chosen rows, and give the others in their unit."""
        return (
            (known, self._hold_out(rows[others], self._weights_of(others), known))
            for known, rows, others in self._split_rows(choices)
        )

    def _split_rows(self, choices: Choices) -> Iterator[tuple[Summary, Any, Any]]:
        """Summarise the chosen rows, filled by what is chosen; give all, and mark the others."""
        for marks in choices:
            chosen, rows = marks[self.numbers] == 1, self.rows
            if self.fills is not None:
                rows = self.fills.refill_rows(rows, self.filled, chosen, self.weights)
            known = summary_of_rows(rows[chosen], self.scale, self._weights_of(chosen))
            yield known, rows, marks[self.numbers] == 0

    def _weights_of(self, chosen: Any) -> Weights | None:
        return None if self.weights is None else self.weights[chosen]

    def _hold_out(self, rows: Any, weights: Weights | None, known: Summary) -> HeldOutRows:
        count, varying = count_rows(rows, weights), known.varying
        # Over all rows the deviation of a scaled column is one over the root of their number.
        unit = 1.0 / np.sqrt(count_rows(self.rows, self.weights)) if self.scale else 1.0
        mean, std = known.mean[varying], known.std[varying]
        factor = 1.0 / std if self.scale else np.ones(len(std))
        counted = np.square(std / unit) if self.scale else None
        unknown = np.zeros(rows.shape[1])
        if len(varying) < len(unknown):
            lost = np.setdiff1d(np.arange(len(unknown)), varying)
            some = rows[:, lost].toarray() if scipy.sparse.issparse(rows) else rows[:, lost]
            each = np.ones(len(some)) if weights is None else weights
            unknown[lost] = each @ np.square((some - known.mean[lost]) / unit)
            rows = rows[:, varying]
        beside = (factor, unknown, counted)
        if not scipy.sparse.issparse(rows):
            apart = rows - mean
            if weights is not None:
                apart *= np.sqrt(weights)[:, None]
            return HeldOutRows(count, RowGram(apart), np.zeros(len(varying)), *beside)
        own = np.ravel(rows.mean(axis=0)) if count else mean
        return HeldOutRows(count, SparseGram(rows, own), own - mean, *beside)


def summary_of_blocks(
    blocks: MomentBlocks,
    scale: bool,
    tally: Tally,
    fills: MarkedFills | None = None,
    *,
    ordered: bool = False,
) -> Summary:
    """Summarise a table of which the moments of blocks of rows are known."""
    total = blocks.sum()
    whole = summary_of_moments(total if fills is None else fills.without_marks(total), scale)
    used = whole.varying
    if fills is not None:
        fills, used = fills.of_columns(used)
    if len(used) < len(total.mean):
        blocks = blocks.of_columns(used)
    level = whole.std[whole.varying] if scale else compute_level(whole.std)
    blocks = replace(blocks, scale=scale, level=level, fills=fills, ordered=ordered)
    return replace(whole, blocks=blocks, tally=tally)


def summary_of_numbered(
    X: Any,
    numbers: Indices,
    scale: bool,
    tally: Tally,
    fills: MarkedFills | None = None,
    weights: Weights | None = None,
    *,
    ordered: bool = False,
) -> Summary:
    """Summarise a table with more columns than rows, each row with the number of its block."""
    X, filled = (X, None) if fills is None else fills.apart(X)
    if weights is not None and scipy.sparse.issparse(X):
        X = X.toarray()  # the mean is taken off a row by the root of its weight, so none stays 0
    whole = summary_of_rows(X, scale, weights)
    samples = whole.gram.samples
    assert samples is not None
    filled = None if filled is None else filled[:, whole.varying]
    # Centred and scaled rows serve: a part of them is centred and scaled anew.
    rows = samples.rows if weights is None else samples.rows / np.sqrt(weights)[:, None]
    counts = np.bincount(numbers, weights, minlength=N_BLOCKS)
    counts = counts if weights is None else counts.astype(weights.dtype)
    blocks = RowBlocks(counts, rows, numbers, scale, fills, filled, weights, ordered=ordered)
    return replace(whole, blocks=blocks, tally=tally)
