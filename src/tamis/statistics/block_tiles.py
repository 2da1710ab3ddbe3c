"""Moments of blocks of rows, made where the parts of a table are and brought home in tiles.

A row's block follows from its values, so it is the same in whatever part the row lies.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Arrays, PartedSource, Source
from tamis.sources.wrapping import HashingSource
from tamis.statistics.block_moments import BlockMoments, affordable_blocks, fits_in
from tamis.statistics.fold_fills import Fills
from tamis.statistics.means_beside import MeansBeside
from tamis.statistics.missing import RunningMeans, Tally, clean_batches
from tamis.statistics.missing_cells import finite
from tamis.statistics.row_hash import Hashes, are_coded, number_hashes, row_hashes
from tamis.statistics.tiles import (
    ALL,
    CODES,
    PROBLEM,
    count_codes,
    count_tally,
    cut_tiles,
    give_means,
    join_codes,
    join_tiles,
    sum_cleaned,
)


def gather_blocks(
    source: PartedSource, columns: Sequence[int], missing: MissingPolicy, tally: Tally
) -> tuple[BlockMoments, Fills | None, Arrays | None]:
    """Find the moments of blocks of rows where the parts of a table are, and add them up.

    Give also what was filled in: its marks follow the columns, as where a table is read here; and
    the rows that differ, with their hashes and how many there are of each, if these are few.
    """
    n_blocks = affordable_blocks(len(columns))
    work = partial(part_blocks, n_blocks=n_blocks, named=source.named)
    sums, means = sum_cleaned(source, columns, work, missing, tally)
    fills = affordable_fills(means, n_blocks)
    width = len(columns) if fills is None else fills.total
    found = BlockMoments.empty(width, n_blocks)
    for block in range(n_blocks):
        if f"{block} {ALL}" in sums:
            head = sums[f"{block} {ALL}"]
            found.put(block, join_tiles(sums, width, head, f"{block} "))
    codes = sums.get(CODES)
    few = codes is not None and len(codes["rows"]) and are_coded(len(codes["rows"]))
    return found, fills, codes if few else None


def affordable_fills(means: RunningMeans | None, n_blocks: int) -> Fills | None:
    """Note what was filled in, unless its marks are too many to be summed up by block."""
    fills = None if means is None else Fills.of(means)
    return fills if fills is not None and fits_in(fills.total, n_blocks) else None


def part_blocks(
    number: int,  # noqa: ARG001
    part: Source,
    *,
    names: Sequence[str],
    policy: MissingPolicy,
    fill: RunningMeans | None,
    n_blocks: int,
    named: bool,
) -> dict[str, Arrays]:
    """Find the moments of the blocks of rows of one part, and cut them into tiles."""
    fills, tally = affordable_fills(fill, n_blocks), Tally(len(names))
    width = len(names) if fills is None else fills.total
    moments = BlockMoments.empty(width, n_blocks)
    held: list[tuple[Any, Any]] = []
    codes: list[Arrays] = []
    rows = RowsRead(part, range(len(part.names)), names if named else None)
    beside = MeansBeside(policy, fill, tally)
    try:
        batches = beside.watch(rows.batches())
        for batch in clean_batches(batches, names, policy, tally, give_means(fill)):
            held.append(rows.mark(batch, fills))
            if not codes or len(codes[0]["rows"]):
                codes = [join_codes([*codes, count_codes(*held[-1])])]
            if sum(len(numbers) for _, numbers in held) >= n_blocks * width:
                held = _add_held(moments, held)
    except TamisError as error:  # raised at home: an engine may bring only a text of it
        return {PROBLEM: {"sentence": np.array(str(error))}}
    found: dict[str, Arrays] = {ALL: count_tally(tally), **beside.give()}
    if policy.fills and fill is None and tally.counts.any():
        return found  # sums of some of the rows are of no use
    _add_held(moments, held)
    if codes:
        found[CODES] = codes[0]
    for block, own in enumerate(moments.every()):
        if own.count:
            found |= cut_tiles(own, f"{block} ")
    return found


class RowsRead:
    """Rows on their way from a table, of which the last batch is known as it came.

    The block of a row follows from that: means that are filled in depend on the order of the
    batches in their last digit, and how rows are encoded on all of them.
    """

    def __init__(self, source: Source, columns: Sequence[int], names: Sequence[str] | None) -> None:
        self._source, self._columns, self._names = source, columns, names
        self.raw: Any = None
        self._hashes: Hashes | None = None

    def batches(self) -> Iterator[Any]:
        """Yield the numbers of the columns."""
        every = list(self._columns) == list(range(len(self._source.names)))
        if isinstance(self._source, HashingSource) and every:
            for batch, hashes in self._source.hashed_batches():
                self.raw, self._hashes = batch, hashes
                yield batch
            return
        for batch in self._source.batches(self._columns):
            self.raw = batch
            yield batch

    def mark(self, batch: Any, fills: Fills | None) -> tuple[Any, Hashes]:
        """Give what is left of the last batch with marks of what was filled in, and its hashes."""
        raw, same = self.raw, self.raw.shape[0] == batch.shape[0]
        if self._hashes is None:
            hashes = row_hashes(raw if same else batch, self._names)
        else:
            hashes = self._hashes[slice(None) if same else ~np.isnan(finite(raw)).any(axis=1)]
        return batch if fills is None else fills.add_marks(batch, raw), hashes


def _add_held(moments: BlockMoments, held: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Sum up the rows that are held, of which there are then none left."""
    if held:
        numbers = number_hashes(np.concatenate([own for _, own in held])) % len(moments.count)
        moments.add_batches([rows for rows, _ in held], numbers)
    return []
