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
from tamis.statistics.block_moments import N_BLOCKS, BlockMoments, affordable_blocks, fits_in
from tamis.statistics.fold_fills import Fills
from tamis.statistics.linear import stack_batches
from tamis.statistics.missing import RunningMeans, Tally, cleaned
from tamis.statistics.row_hash import block_numbers
from tamis.statistics.tiles import (
    ALL,
    PROBLEM,
    count_tally,
    cut_tiles,
    give_means,
    join_tiles,
    read_part,
    sum_cleaned,
)


def gather_blocks(
    source: PartedSource, columns: Sequence[int], missing: MissingPolicy, tally: Tally
) -> tuple[BlockMoments, Fills | None]:
    """Find the moments of blocks of rows where the parts of a table are, and add them up.

    Give also what was filled in: its marks follow the columns, as where a table is read here.
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
    return found, fills


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
    fills, tally, last = affordable_fills(fill, n_blocks), Tally(len(names)), [None]
    width = len(names) if fills is None else fills.total
    moments = BlockMoments.empty(width, n_blocks)
    held: list[tuple[Any, Any]] = []

    def read() -> Iterator[Any]:
        for batch in read_part(part):
            last[0] = batch
            yield batch

    try:
        for batch in cleaned(read(), names, policy, tally, give_means(fill)):
            held.append(number_rows(batch, last[0], names if named else None, fills))
            if sum(len(numbers) for _, numbers in held) >= n_blocks * width:
                held = _add_held(moments, held)
    except TamisError as error:  # raised at home: an engine may bring only a text of it
        return {PROBLEM: {"sentence": np.array(str(error))}}
    _add_held(moments, held)
    found: dict[str, Arrays] = {ALL: count_tally(tally)}
    for block, own in enumerate(moments.every()):
        if own.count:
            found |= cut_tiles(own, f"{block} ")
    return found


def number_rows(
    batch: Any, raw: Any, names: Sequence[str] | None, fills: Fills | None
) -> tuple[Any, Any]:
    """Give rows with the marks of what was filled in them, and the block of each.

    It follows from the row as it came: means that are filled in depend on the order of the batches
    in their last digit.
    """
    rows = raw if raw.shape[0] == batch.shape[0] else batch
    numbers = block_numbers(rows, N_BLOCKS, names)
    return batch if fills is None else fills.add_marks(batch, raw), numbers


def _add_held(moments: BlockMoments, held: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Sum up the rows that are held, of which there are then none left."""
    if held:
        numbers = np.concatenate([numbers for _, numbers in held]) % len(moments.count)
        moments.add(stack_batches([rows for rows, _ in held]), numbers)
    return []
