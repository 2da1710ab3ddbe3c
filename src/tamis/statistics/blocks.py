"""A table split into blocks of rows, in either form: what folds and half-samples are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.sources.source import Source
from tamis.statistics.block_moments import N_BLOCKS, BlockMoments, affordable_blocks
from tamis.statistics.gram import DenseGram, Gram, RowGram, SparseGram
from tamis.statistics.linear import (
    TableSummary,
    len_of,
    stacked,
    summary_of_moments,
    summary_of_rows,
)
from tamis.statistics.missing import Tally, without_missing
from tamis.statistics.moments import Moments
from tamis.statistics.ranks import ranked
from tamis.statistics.row_hash import block_numbers
from tamis.statistics.units import level

Choices = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Sums of products of held-out rows, about the mean and in the unit of the training rows.

    They are `gram`, about the held-out rows' own mean, and what its distance (`shift`) adds; every
    column is multiplied with its `factor`.
    """

    count: int
    gram: Gram
    shift: Floats
    factor: Floats

    def rows(self, columns: Indices) -> Floats:
        """Give some rows of the matrix."""
        matrix = self.gram.block(columns)
        matrix = matrix + np.multiply.outer(self.count * self.shift[columns], self.shift)
        matrix *= self.factor
        matrix *= self.factor[columns, None]
        return matrix

    def diagonal(self) -> Floats:
        """Give the sum of squares of every column."""
        squares = self.gram.diagonal() + self.count * np.square(self.shift)
        return np.asarray(squares * self.factor * self.factor)


class Blocks(Protocol):
    """The rows of a table in blocks; columns are counted among those of the table that vary."""

    @property
    def count(self) -> Indices:
        """Rows of every block."""

    def parts(self, choices: Choices) -> Iterator[TableSummary]:
        """Summarise the rows of several choices of blocks, each a row that marks them."""

    def splits(self, choices: Choices) -> Iterator[tuple[TableSummary, LeftOut]]:
        """Do the same, and give the other rows about the mean and in the unit of these."""


@dataclass(frozen=True, eq=False)
class BlockedSummary(TableSummary):
    """All that the linear methods need to know of a table, and the same of blocks of its rows."""

    blocks: Blocks = field(kw_only=True)


@dataclass(frozen=True, eq=False)
class MomentBlocks:
    """Blocks held by their moments."""

    moments: BlockMoments
    scale: bool

    @property
    def count(self) -> Indices:
        """Rows of every block."""
        return self.moments.count

    def parts(self, choices: Choices) -> Iterator[TableSummary]:
        """Summarise the rows of several choices of blocks."""
        return (summary_of_moments(part, self.scale) for part in self.moments.sums(choices))

    def splits(self, choices: Choices) -> Iterator[tuple[TableSummary, LeftOut]]:
        """Summarise the chosen rows, and give the others in their unit."""
        pairs = np.stack([choices, ~choices], axis=1)
        # Halves come in pairs, and each holds back the other.
        again = np.zeros(len(pairs), dtype=bool)
        filled = self.count > 0
        for i in range(1, len(pairs)):
            again[i] = not again[i - 1] and (choices[i] ^ choices[i - 1])[filled].all()
        sums = self.moments.sums(pairs[~again].reshape(-1, len(self.count)))
        part, other = Moments(0, np.zeros(0), np.zeros((0, 0))), None
        for repeated in again:
            part, other = (other, part) if repeated and other else (next(sums), next(sums))
            known = summary_of_moments(part, self.scale)
            yield known, self._left_out(other, known)

    def _left_out(self, other: Moments, known: TableSummary) -> LeftOut:
        varying, matrix = known.varying, other.scatter
        if len(varying) < len(matrix):
            matrix = matrix[np.ix_(varying, varying)]
        unit = np.broadcast_to(other.unit, known.std.shape)[varying]
        mean = other.mean + other.rest if other.count else known.mean
        shift = (mean - known.mean)[varying] / unit
        return LeftOut(other.count, DenseGram(matrix), shift, unit / unit_of(known, self.scale))


@dataclass(frozen=True, eq=False)
class RowBlocks:
    """Blocks held by their rows, for tables with more columns than rows; `numbers` gives each."""

    rows: Any
    numbers: Indices
    scale: bool

    @property
    def count(self) -> Indices:
        """Rows of every block."""
        return np.bincount(self.numbers, minlength=N_BLOCKS)

    def parts(self, choices: Choices) -> Iterator[TableSummary]:
        """Summarise the rows of several choices of blocks."""
        return (summary_of_rows(self.rows[marks[self.numbers]], self.scale) for marks in choices)

    def splits(self, choices: Choices) -> Iterator[tuple[TableSummary, LeftOut]]:
        """Summarise the chosen rows, and give the others in their unit."""
        for marks, known in zip(choices, self.parts(choices), strict=True):
            yield known, self._left_out(self.rows[~marks[self.numbers]], known)

    def _left_out(self, rows: Any, known: TableSummary) -> LeftOut:
        count, varying = len_of(rows), known.varying
        factor, mean = 1.0 / unit_of(known, self.scale), known.mean[varying]
        rows = rows if len(varying) == rows.shape[1] else rows[:, varying]
        if not scipy.sparse.issparse(rows):
            return LeftOut(count, RowGram(rows - mean), np.zeros(len(varying)), factor)
        own = np.ravel(rows.mean(axis=0)) if count else mean
        return LeftOut(count, SparseGram(rows, own), own - mean, factor)


def unit_of(known: TableSummary, scale: bool) -> Floats:
    """Give what columns are divided by: their standard deviations, or one number for all."""
    std = known.std[known.varying]
    return std if scale else np.full(len(std), level(known.std))


def collect_blocks(
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: str = "error",
    kind: str = "pearson",
) -> BlockedSummary:
    """Read the table once and summarise it as a whole and by block of rows."""
    tally = Tally(len(columns))
    return _read(source, columns, missing, tally, ranks=kind == "spearman").summary(scale, tally)


def collect_block_moments(
    source: Source, columns: Sequence[int], missing: str, tally: Tally
) -> BlockMoments:
    """Read the table once into the moments of blocks of rows, also where there are few rows."""
    return _read(source, columns, missing, tally).moments()


def _read(
    source: Source, columns: Sequence[int], missing: str, tally: Tally, *, ranks: bool = False
) -> "_Held":
    names, last = [source.names[j] for j in columns], [None]

    def read() -> Iterator[Any]:
        for batch in track("rows read", source.batches(columns), source.n_rows, size=len_of):
            last[0] = batch
            yield batch

    held = _Held(len(columns), ranks=ranks)
    for batch in without_missing(read, names, missing, tally):
        # Filled-in means depend on the order of the batches in their last digit.
        same = len_of(last[0]) == len_of(batch)
        held.add(batch, block_numbers(last[0] if same else batch, N_BLOCKS))
    if not held.n_rows:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    return held


class _Held:
    """Rows on their way into moments by block; they stay while fewer than columns."""

    def __init__(self, width: int, *, ranks: bool) -> None:
        self._width, self._ranks = width, ranks
        self._rows: list[Any] = []
        self._numbers: list[Indices] = []
        self._moments: BlockMoments | None = None
        self.n_rows = 0

    def add(self, batch: Any, numbers: Indices) -> None:
        """Take a batch; sums are made only of so many rows that all blocks have enough of them."""
        self._rows.append(batch)
        self._numbers.append(numbers)
        self.n_rows += len(numbers)
        if not self._ranks and sum(map(len, self._numbers)) >= N_BLOCKS * self._width:
            self._sum_up()

    def _sum_up(self) -> None:
        if self._moments is None:
            self._moments = BlockMoments.empty(self._width, affordable_blocks(self._width))
        if self._rows:
            numbers = np.concatenate(self._numbers) % len(self._moments.count)
            self._moments.add(stacked(self._rows), numbers)
        self._rows, self._numbers = [], []

    def moments(self) -> BlockMoments:
        """Give the moments of all rows that came."""
        self._sum_up()
        assert self._moments is not None
        return self._moments

    def summary(self, scale: bool, tally: Tally) -> BlockedSummary:
        """Summarise all rows that came."""
        if self._ranks:
            self._rows = [ranked(stacked(self._rows))]
        if self.n_rows < self._width:
            numbers = np.concatenate(self._numbers)
            return summary_of_numbered(stacked(self._rows), numbers, scale, tally)
        return summary_of_blocks(self.moments(), scale, tally)


def summary_of_blocks(moments: BlockMoments, scale: bool, tally: Tally) -> BlockedSummary:
    """Summarise a table of which the moments of blocks of rows are known."""
    whole = summary_of_moments(moments.sum(), scale)
    all_vary = len(whole.varying) == len(whole.std)
    used = moments if all_vary else moments.of_columns(whole.varying)
    return _with_blocks(whole, MomentBlocks(used, scale), tally)


def summary_of_numbered(X: Any, numbers: Indices, scale: bool, tally: Tally) -> BlockedSummary:
    """Summarise a table with more columns than rows, each row with the number of its block."""
    whole = summary_of_rows(X, scale)
    samples = whole.gram.samples
    assert samples is not None
    # Centred and scaled rows serve: a part of them is centred and scaled anew.
    return _with_blocks(whole, RowBlocks(samples.rows, numbers, scale), tally)


def _with_blocks(whole: TableSummary, blocks: Blocks, tally: Tally) -> BlockedSummary:
    known = {item.name: getattr(whole, item.name) for item in fields(whole)}
    return BlockedSummary(**{**known, "tally": tally}, blocks=blocks)
