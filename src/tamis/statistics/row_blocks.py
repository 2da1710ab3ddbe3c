"""A table split into blocks of rows, in either form: what folds and half-samples are made of."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.numerics.types import Floats, Indices
from tamis.rules.search import HELD_OUT_FOLDS, N_BLOCKS
from tamis.statistics.block_moments import BlockMoments
from tamis.statistics.column_spread import Weights, compute_level, count_rows
from tamis.statistics.fills import MarkedFills
from tamis.statistics.gram import DenseGram, Gram, RowGram, SparseGram
from tamis.statistics.grouped import Groups
from tamis.statistics.linear import summary_of_moments, summary_of_rows
from tamis.statistics.missing import Tally
from tamis.statistics.moments import Moments
from tamis.statistics.summary import Summary
from tamis.values import dataclass

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

    With `ordered` rows follow one another, and blocks are stretches of them. Where columns were
    encoded, `groups` says which stand for each of the table, and each is multiplied with its
    `column_weights` once standardised. The last groups are `responses`: a part of the rows in which
    one of them does not vary is skipped.
    """

    ordered: bool = field(default=False, kw_only=True)
    groups: Groups | None = field(default=None, kw_only=True)
    column_weights: Floats | None = field(default=None, kw_only=True)
    responses: int = field(default=0, kw_only=True)

    @property
    @abstractmethod
    def count(self) -> NDArray[Any]:
        """Rows of every block."""

    @abstractmethod
    def plain_parts(self, choices: Choices) -> Iterator[Summary]:
        """Summarise the rows of several choices of blocks, columns as they were encoded."""

    @abstractmethod
    def plain_splits(self, choices: Choices) -> Iterator[tuple[Summary, HeldOutRows]]:
        """Do the same, and give the other rows about the mean and in the unit of these."""

    def parts(self, choices: Choices) -> Iterator[Summary]:
        """Summarise the rows of several choices of blocks, each a row that marks them."""
        for marks, part in zip(choices, self.plain_parts(choices), strict=True):
            summary = self._group_part(part, marks)
            if summary is not None:
                yield summary

    def splits(self, choices: Choices) -> Iterator[tuple[Summary, HeldOutRows]]:
        """Do the same, and give the other rows about the mean and in the unit of these."""
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
        return replace(
            part, varying=varying, gram=gram, groups=groups, responses=count, marks=marks
        )


def weigh(gram: Gram, weights: Floats) -> Gram:
    """Multiply the columns of a Gram matrix with their weights, if any is not 1."""
    return gram if (weights == 1.0).all() else gram.weigh_columns(weights)


@dataclass(frozen=True, eq=False)
class MomentBlocks(Blocks):
    """Blocks held by their moments; `unit` is that of all rows, by column where they are scaled.

    With `fills` the columns that mark filled values follow those of the table.
    """

    moments: BlockMoments
    scale: bool
    unit: Any
    fills: MarkedFills | None = None

    @property
    def count(self) -> NDArray[Any]:
        """Rows of every block."""
        return self.moments.count

    def plain_parts(self, choices: Choices) -> Iterator[Summary]:
        """Summarise the rows of several choices of blocks."""
        sums = self.moments.sums(choices)
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
        sums = self.moments.sums(pairs[~again].reshape(-1, len(self.count)))
        part, other = Moments(0, np.zeros(0), np.zeros((0, 0))), None
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
        unknown = squares / np.square(self.unit)
        unknown[varying] = 0.0
        if len(varying) < len(matrix):
            matrix = matrix[np.ix_(varying, varying)]
        own = known.std[varying] if self.scale else self.unit
        weights = np.square(own / self.unit[varying]) if self.scale else None
        unit, shift = unit[varying], shift[varying]
        gram = DenseGram(matrix)
        return HeldOutRows(other.count, gram, shift / unit, unit / own, unknown, weights)


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

    @property
    def count(self) -> NDArray[Any]:
        """Rows of every block."""
        counts = np.bincount(self.numbers, self.weights, minlength=N_BLOCKS)
        return counts if self.weights is None else counts.astype(self.weights.dtype)

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
    moments: BlockMoments,
    scale: bool,
    tally: Tally,
    fills: MarkedFills | None = None,
    *,
    ordered: bool = False,
) -> Summary:
    """Summarise a table of which the moments of blocks of rows are known."""
    total = moments.sum()
    whole = summary_of_moments(total if fills is None else fills.without_marks(total), scale)
    used = whole.varying
    if fills is not None:
        fills, used = fills.of_columns(used)
    if len(used) < len(total.mean):
        moments = moments.of_columns(used)
    unit = whole.std[whole.varying] if scale else compute_level(whole.std)
    blocks = MomentBlocks(moments, scale, unit, fills, ordered=ordered)
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
    blocks = RowBlocks(rows, numbers, scale, fills, filled, weights, ordered=ordered)
    return replace(whole, blocks=blocks, tally=tally)
