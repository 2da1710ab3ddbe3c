"""A table read once into blocks of rows, by their moments or, if they are few, by their rows."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.numerics.types import Indices
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.block_moments import N_BLOCKS, BlockMoments, affordable_blocks, fits_in
from tamis.statistics.block_tiles import RowsRead, gather_blocks
from tamis.statistics.fold_fills import Fills
from tamis.statistics.linear import len_of, stack_batches
from tamis.statistics.missing import MeansOnDemand, RunningMeans, Tally, without_missing
from tamis.statistics.ranks import rank_columns
from tamis.statistics.row_blocks import BlockedSummary, summary_of_blocks, summary_of_numbered

FEW_ROWS = N_BLOCKS  # so many rows for every two columns: fewer come home from an engine


def collect_blocks(
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: MissingPolicy = MissingPolicy.ERROR,
    kind: str = "pearson",
) -> BlockedSummary:
    """Read the table once and summarise it as a whole and by block of rows."""
    tally = Tally(len(columns))
    ranks = kind == "spearman"
    parted = None if ranks or _has_few_rows(source, len(columns)) else source.in_parts()
    if parted is not None:
        moments, fills = gather_blocks(parted, columns, missing, tally)
        return summary_of_blocks(moments, scale, tally, fills)
    held = _read(source, columns, missing, tally, ranks=ranks, refill=not ranks)
    return held.summary(scale, tally)


def _has_few_rows(source: Source, width: int) -> bool:
    """Whether the rows of a table are known to be fewer numbers than its sums by block of rows."""
    return source.n_rows is not None and 2 * source.n_rows < FEW_ROWS * width


def collect_block_moments(
    source: Source, columns: Sequence[int], missing: MissingPolicy, tally: Tally
) -> BlockMoments:
    """Read the table once into the moments of blocks of rows, also where there are few rows."""
    if (parted := source.in_parts()) is not None:
        moments, fills = gather_blocks(parted, columns, missing, tally)
        return moments if fills is None else moments.of_columns(np.arange(fills.width))
    return _read(source, columns, missing, tally).moments()


def _read(
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    tally: Tally,
    *,
    ranks: bool = False,
    refill: bool = False,
) -> "_HeldRows":
    names = [source.names[j] for j in columns]
    rows = RowsRead(source, columns, names if source.named else None)

    def read() -> Iterator[Any]:
        return track("rows read", rows.batches(), source.n_rows, size=len_of)

    means = MeansOnDemand(lambda: source.batches(columns), names, missing)
    held = _HeldRows(len(columns), ranks=ranks)
    for batch in without_missing(read, names, missing, tally, fill=means):
        if refill and means.found is not None:
            held.mark_from_here(means.found)
        held.add(*rows.number(batch, held.fills))
    if not held.n_rows:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    return held


class _HeldRows:
    """Rows on their way into moments by block; they stay while fewer than columns.

    With `fills` the marks of filled values follow the columns, unless they are too many to sum up.
    """

    def __init__(self, width: int, *, ranks: bool) -> None:
        self._width, self._ranks = width, ranks
        self.fills: Fills | None = None
        self._decided = False
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

    def mark_from_here(self, means: RunningMeans) -> None:
        """Add marks of filled values to the rows from now on; none was filled before."""
        if self._decided:
            return
        self._decided, fills = True, Fills.of(means)
        if fills is None or self._moments is None:
            self.fills = fills
        elif fits_in(fills.total, len(self._moments.count)):
            self.fills, self._moments = fills, self._moments.widened(fills.total)
        if self.fills is not None:
            more = self.fills.total - self._width
            self._rows = [np.pad(rows, ((0, 0), (0, more))) for rows in self._rows]

    def _sum_up(self) -> None:
        if self._moments is None:
            n_blocks = affordable_blocks(self._width)
            width = self._width if self.fills is None else self.fills.total
            if not fits_in(width, n_blocks):
                width, self.fills = self._width, None
                self._rows = [rows[:, : self._width] for rows in self._rows]
            self._moments = BlockMoments.empty(width, n_blocks)
        if self._rows:
            numbers = np.concatenate(self._numbers) % len(self._moments.count)
            self._moments.add(stack_batches(self._rows), numbers)
        self._rows, self._numbers = [], []

    def moments(self) -> BlockMoments:
        """Give the moments of all rows that came."""
        self._sum_up()
        assert self._moments is not None
        return self._moments

    def summary(self, scale: bool, tally: Tally) -> BlockedSummary:
        """Summarise all rows that came."""
        if self._ranks:
            self._rows = [rank_columns(stack_batches(self._rows))]
        if self.n_rows < self._width:
            numbers = np.concatenate(self._numbers)
            return summary_of_numbered(stack_batches(self._rows), numbers, scale, tally, self.fills)
        return summary_of_blocks(self.moments(), scale, tally, self.fills)
