"""A table read once into blocks of rows, by their moments or, if they are few, by their rows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.memory import batch_rows
from tamis.numerics.row_chunks import lay_in_rows
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.search import MOST_DEALT, N_BLOCKS
from tamis.sources.source import Arrays, PartedSource, Source
from tamis.sources.wrapping import HashingSource
from tamis.statistics.block_moments import BlockMoments, affordable_blocks, fits_in
from tamis.statistics.column_spread import Weights
from tamis.statistics.linear import len_of, stack_batches
from tamis.statistics.missing import (
    MeansOnDemand,
    RunningMeans,
    Tally,
    clean_batches,
    find_missing,
    finite,
    without_missing,
)
from tamis.statistics.ranks import rank_columns
from tamis.statistics.row_blocks import (
    Fills,
    summary_of_blocks,
    summary_of_numbered,
)
from tamis.statistics.row_hash import (
    Hashes,
    are_coded,
    deal_rows,
    is_dealt,
    number_hashes,
    row_hashes,
)
from tamis.statistics.row_patterns import LeadingRows
from tamis.statistics.row_rules import RowRules, RulesInOrder, reduce_numbers
from tamis.statistics.summary import Summary
from tamis.statistics.tiles import (
    ALL,
    CODES,
    PROBLEM,
    MeansBeside,
    count_codes,
    count_tally,
    cut_tiles,
    give_means,
    join_codes,
    join_tiles,
    sum_cleaned,
)

_WAITING_BATCHES = 4  # batches that wait for each other
FEW_ROWS = N_BLOCKS  # so many rows for every two columns: fewer come home from an engine


def collect_blocks(
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: MissingPolicy = MissingPolicy.ERROR,
    kind: str = "pearson",
    rules: RowRules | None = None,
) -> Summary:
    """Read the table once and summarise it as a whole and by block of rows.

    `rules` say which rows make a block and how much each counts, where that is known.
    """
    tally = Tally(len(columns))
    ranks = kind == "spearman"
    comes_home = ranks or rules is not None or _has_few_rows(source, len(columns))
    parted = None if comes_home else source.in_parts()
    if parted is not None:
        moments, fills, codes = gather_blocks(parted, columns, missing, tally)
        if codes is not None:
            held = HeldRows(len(columns), names=_own_names(source, columns))
            held.fills = fills
            held.add(codes["rows"], codes["hashes"], weights=codes["copies"])
            return replace(held.summary(scale, tally), successive=None)  # they are in no order
        if not is_dealt(int(moments.count.sum()), len(columns)):
            return summary_of_blocks(moments, scale, tally, fills)
        tally = Tally(len(columns))
    held = _read(source, columns, missing, tally, ranks=ranks, refill=not ranks, rules=rules)
    return held.summary(scale, tally)


def _own_names(source: Source, columns: Sequence[int]) -> list[str] | None:
    return [source.names[j] for j in columns] if source.named else None


def _has_few_rows(source: Source, width: int) -> bool:
    """Whether the rows of a table are known to be few: fewer numbers than its sums by block."""
    rows = source.n_rows
    return rows is not None and (2 * rows < FEW_ROWS * width or is_dealt(rows, width))


def collect_block_moments(
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    tally: Tally,
    rules: RowRules | None = None,
) -> BlockMoments:
    """Read the table once into the moments of blocks of rows, also where there are few rows."""
    if rules is None and (parted := source.in_parts()) is not None:
        own = Tally(len(columns))
        moments, fills, codes = gather_blocks(parted, columns, missing, own)
        if codes is None and not is_dealt(int(moments.count.sum()), len(columns)):
            tally.join(own)
            return moments if fills is None else moments.of_columns(np.arange(fills.width))
    return _read(source, columns, missing, tally, rules=rules).moments()


def _read(
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    tally: Tally,
    *,
    ranks: bool = False,
    refill: bool = False,
    rules: RowRules | None = None,
) -> "HeldRows":
    names = [source.names[j] for j in columns]
    own_names = _own_names(source, columns)
    rows = RowsRead(source, columns, own_names)

    def read() -> Iterator[Any]:
        return track("rows read", rows.batches(), source.n_rows, size=len_of)

    weights = None if rules is None else rules.weights
    means = MeansOnDemand(lambda: source.batches(columns), names, missing, weights)
    ordered = rules is not None and rules.ordered
    held = HeldRows(len(columns), ranks=ranks, ordered=ordered, names=own_names)
    ahead = RulesInOrder(rules)
    for batch in without_missing(read, names, missing, tally, fill=means):
        if refill and means.found is not None:
            held.mark_from_here(means.found)
        own = _rules_of(ahead.take(len_of(rows.raw)), rows.raw, batch, names)
        held.add(*rows.mark(batch, held.fills), own.numbers, own.weights)
    ahead.check_all_read(source.label)
    if not held.n_rows:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    return held


def _rules_of(rules: RowRules, raw: Any, batch: Any, names: Sequence[str]) -> RowRules:
    """Give the rules of the rows of a batch that are left once those with missing values went."""
    if rules.n_rows is None or len_of(raw) == len_of(batch):
        return rules
    lost = find_missing(finite(raw), names)
    assert lost is not None
    return rules.of_rows(~lost.rows)


class HeldRows:
    """Rows on their way into moments by block; they stay while fewer than columns, or few.

    With `fills` the marks of filled values follow the columns, unless they are too many to sum up.
    """

    def __init__(
        self,
        width: int,
        *,
        ranks: bool = False,
        ordered: bool = False,
        names: Sequence[str] | None = None,
    ) -> None:
        self._width, self._ranks, self._ordered, self._names = width, ranks, ordered, names
        # Every block is summed up in a product of its own: of many rows these run at full speed.
        most = max(N_BLOCKS * width, _WAITING_BATCHES * batch_rows(width))
        self._most = max(most, MOST_DEALT // max(width, 1) + 1)
        self.leading = LeadingRows(width)
        self.fills: Fills | None = None
        self._decided = False
        self._rows: list[Any] = []
        self._hashes: list[Hashes] = []
        self._numbers: list[Any] = []  # of blocks, where rules say them
        self._weights: list[Weights] = []
        self._moments: BlockMoments | None = None
        self._is_coded: bool | None = None  # whether distinct rows are held with their counts
        self.n_rows = 0

    def add(
        self,
        batch: Any,
        hashes: Hashes,
        numbers: Any = None,
        weights: Weights | None = None,
    ) -> None:
        """Take a batch; sums are made only of so many rows that all blocks have enough of them."""
        if weights is not None and not weights.all():  # a row of weight 0 is none
            left = weights > 0
            batch, hashes, weights = batch[left], hashes[left], weights[left]
            numbers = None if numbers is None else numbers[left]
        self.leading.add(batch)
        self.n_rows += len(hashes)
        if weights is None and self._is_coded is not None and self._weights:
            weights = np.ones(len(hashes), dtype=np.int64)  # beside rows with their counts
        held, first = sum(map(len, self._hashes)), 0
        while first < len(hashes):
            # Always after so many rows: where batches end is in no digit of the sums.
            part = slice(first, len(hashes) if self._ranks else first + self._most - held)
            self._rows.append(batch[part])
            self._hashes.append(hashes[part])
            self._numbers += [] if numbers is None else [numbers[part]]
            self._weights += [] if weights is None else [weights[part]]
            held, first = held + len(self._hashes[-1]), first + len(self._hashes[-1])
            if held >= self._most and not self._ranks:
                if self._hold_codes():
                    if weights is None:
                        weights = np.ones(len(hashes), dtype=np.int64)
                else:
                    self._sum_up()
                held = sum(map(len, self._hashes))

    def _hold_codes(self) -> bool:
        """Hold the rows that differ with their counts, if these are few."""
        whole = not self._weights or self._weights[0].dtype.kind != "f"
        if self._is_coded is False or self._numbers or self._moments is not None or not whole:
            return False
        hashes, first, place = np.unique(
            np.concatenate(self._hashes), return_index=True, return_inverse=True
        )
        self._is_coded = are_coded(len(hashes))
        if self._is_coded:
            counts = np.bincount(place, self._all_weights()).astype(np.int64)
            self._rows = [stack_batches(self._rows)[first]]
            self._hashes, self._weights = [hashes], [counts]
        return self._is_coded

    def _deal_rows(self) -> None:
        """Put the rows in order and deal out blocks, where all are held and no rules say them."""
        n_rows = self.n_rows
        if self._numbers or self._moments is not None or not self._hashes:
            return
        if not is_dealt(n_rows, self._width) and not self._hold_codes():
            return
        rows, hashes = stack_batches(self._rows), np.concatenate(self._hashes)
        taken, numbers, weights = deal_rows(
            rows[:, : self._width], hashes, self._names, self._all_weights()
        )
        self._rows, self._numbers = [rows[taken]], [numbers]
        self._weights = [] if weights is None else [weights]

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
            counts = self._weights[0].dtype if self._weights else np.intp
            self._moments = BlockMoments.empty(width, n_blocks, counts)
        if self._rows:
            numbers, n_blocks = self._all_numbers(), len(self._moments.count)
            numbers = reduce_numbers(numbers, n_blocks, ordered=self._ordered)
            for i, rows in enumerate(self._rows):  # one by one: no batch is there in both orders
                self._rows[i] = lay_in_rows(rows) if isinstance(rows, np.ndarray) else rows
            self._moments.add_batches(self._rows, numbers, self._all_weights())
        self._rows, self._hashes, self._numbers, self._weights = [], [], [], []

    def _all_numbers(self) -> Any:
        if self._numbers:
            return np.concatenate(self._numbers)
        return number_hashes(np.concatenate(self._hashes))

    def _all_weights(self) -> Weights | None:
        return np.concatenate(self._weights) if self._weights else None

    def moments(self) -> BlockMoments:
        """Give the moments of all rows that came."""
        self._deal_rows()
        self._sum_up()
        assert self._moments is not None
        return self._moments

    def summary(self, scale: bool, tally: Tally) -> Summary:
        """Summarise all rows that came."""
        if self._ranks:
            self._rows = [rank_columns(stack_batches(self._rows))]
        if self.n_rows < self._width:
            self._deal_rows()
            numbers = self._all_numbers()
            rows, weights = stack_batches(self._rows), self._all_weights()
            known = (scale, tally, self.fills, weights)
            found = summary_of_numbered(rows, numbers, *known, ordered=self._ordered)
        else:
            sums = self.moments()
            found = summary_of_blocks(sums, scale, tally, self.fills, ordered=self._ordered)
        return replace(found, successive=self.leading.correlate())


# Moments of blocks of rows, made where the parts of a table are and brought home in tiles.
#
# A row's block follows from its values, so it is the same in whatever part the row lies.
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
