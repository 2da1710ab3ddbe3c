"""A table read once into blocks of rows, by their moments or, if they are few, by their rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
import scipy.sparse

from tamis.errors import TamisError
from tamis.memory import batch_rows
from tamis.numerics.row_chunks import lay_in_rows
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.search import MOST_DEALT, N_BLOCKS
from tamis.sources.source import Source
from tamis.statistics.column_spread import Weights
from tamis.statistics.fills import FillValues, MarkedFills
from tamis.statistics.linear import len_of, stack_batches
from tamis.statistics.missing import (
    CleanRows,
    CleanSums,
    Tally,
    as_float64,
    find_missing,
    finite,
    read_clean,
)
from tamis.statistics.moments import Moments
from tamis.statistics.ranks import rank_columns
from tamis.statistics.row_blocks import (
    MomentBlocks,
    affordable_blocks,
    fits_in,
    summary_of_blocks,
    summary_of_numbered,
)
from tamis.statistics.row_hash import (
    Hashes,
    RowRules,
    are_coded,
    deal_rows,
    is_dealt,
    number_hashes,
    reduce_numbers,
    row_hashes,
)
from tamis.statistics.row_patterns import MAX_PATTERN_ROWS, choose_columns, correlate_successive
from tamis.statistics.summary import Summary
from tamis.values import dataclass

_WAITING_BATCHES = 4  # batches that wait for each other
FEW_ROWS = N_BLOCKS  # so many rows for every two columns: fewer come back from an engine


def collect_blocks(
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: MissingPolicy = MissingPolicy.ERROR,
    kind: str = "pearson",
    rules: RowRules | None = None,
    first: CleanRows | None = None,
) -> Summary:
    """Read the table once and summarise it as a whole and by block of rows.

    `rules` say which rows make a block and how much each counts, where that is known. `first` is a
    pass that was made before.
    """
    if first is not None:
        rows: HeldRows = first.sums
        return rows.summary(scale, first.tally)
    width, tally, ranks, n_rows = (
        len(columns),
        Tally(len(columns)),
        kind == "spearman",
        source.n_rows,
    )
    few = n_rows is not None and (2 * n_rows < FEW_ROWS * width or is_dealt(n_rows, width))
    if not (ranks or rules is not None or few) and source.in_parts() is not None:
        held = _read(source, columns, missing, tally, refill=True)
        if held.is_coded or not is_dealt(held.n_rows, width):
            return held.summary(scale, tally)
        tally = Tally(width)
    held = _read(
        source, columns, missing, tally, ranks=ranks, refill=not ranks, rules=rules, here=True
    )
    return held.summary(scale, tally)


def collect_block_moments(
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    tally: Tally,
    rules: RowRules | None = None,
) -> MomentBlocks:
    """Read the table once into the moments of blocks of rows, also where there are few rows."""
    if rules is None and source.in_parts() is not None:
        own = Tally(len(columns))
        held = _read(source, columns, missing, own)
        if not held.is_coded and not is_dealt(held.n_rows, len(columns)):
            tally.merge(own)
            return held.moments()
    return _read(source, columns, missing, tally, rules=rules, here=True).moments()


def _read(
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    tally: Tally,
    *,
    ranks: bool = False,
    refill: bool = False,
    rules: RowRules | None = None,
    here: bool = False,
) -> "HeldRows":
    names = [source.names[j] for j in columns]
    sums = HeldRows(
        len(columns),
        ranks=ranks,
        refill=refill,
        rules=rules,
        columns=names,
        names=names if source.named else None,
        parts=not here and source.in_parts() is not None,
    )
    weights = None if rules is None else rules.weights
    held = read_clean(source, columns, sums, missing, tally, here=here, weights=weights)
    if rules is not None:
        rules.check_rows(held.n_read, source.label)
    if not held.n_rows:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    return held


@dataclass(frozen=True, eq=False)
class RowCodes:
    """The rows that differ, with their hashes and how many there are of each; none of many."""

    rows: Floats
    hashes: Hashes
    copies: Any

    @classmethod
    def of(cls, rows: Any, hashes: Hashes, copies: Any = None) -> Self:
        """Find the rows that differ."""
        found, first, place = np.unique(hashes, return_index=True, return_inverse=True)
        if not are_coded(len(found)):
            return cls(np.zeros((0, rows.shape[1])), hashes[:0], np.zeros(0, dtype=np.int64))
        some = rows[first].toarray() if scipy.sparse.issparse(rows) else rows[first]
        copies = np.bincount(place, copies).astype(np.int64)
        return cls(np.asarray(some, dtype=np.float64), found, copies)

    @property
    def few(self) -> bool:
        """Whether rows that differ are few."""
        return len(self.rows) > 0

    def merge(self, other: Self) -> Self:
        """Put those of two parts together."""
        if not (self.few and other.few):
            return other if self.few else self
        return type(self).of(
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.hashes, other.hashes]),
            np.concatenate([self.copies, other.copies]),
        )


def _can_move(fills: MarkedFills, n_blocks: int) -> bool:
    """Whether so many blocks of sums can be filled anew: otherwise the fill of all rows serves."""
    return fills.kind.follows_moments and fits_in(fills.total, n_blocks)


class HeldRows(CleanSums):
    """Rows on their way into moments by block; they stay while fewer than columns, or few.

    With `fills` the marks of filled values follow the columns, unless they are too many to sum up.
    The block of a row follows from the row as it came: means that are filled in depend on the order
    of the batches in their last digit, and how rows are encoded on all of them. So it is the same
    in whatever part of a table the row lies (`parts`).
    """

    def __init__(
        self,
        width: int,
        *,
        ranks: bool = False,
        refill: bool = False,
        rules: RowRules | None = None,
        columns: Sequence[str] = (),
        names: Sequence[str] | None = None,
        parts: bool = False,
    ) -> None:
        self._width, self._ranks, self._names, self._parts = width, ranks, names, parts
        self._columns, self._refill = columns, refill
        self._rules, self._ordered = rules, rules is not None and rules.ordered
        self.n_read = self.n_rows = 0  # rows as they came, and those that are held or summed up
        # Every block is summed up in a product of its own: of many rows these run at full speed.
        most = max(N_BLOCKS * width, _WAITING_BATCHES * batch_rows(width))
        self._most = max(most, MOST_DEALT // max(width, 1) + 1)
        self._leading: list[Floats] = []  # the first rows, of many columns some
        self.fills: MarkedFills | None = None
        self._decided = False
        self._rows: list[Any] = []
        self._hashes: list[Hashes] = []
        self._numbers: list[Any] = []  # of blocks, where rules say them
        self._weights: list[Weights] = []
        self._moments: MomentBlocks | None = None
        self._row_blocks: Any = None if rules is None else rules.numbers  # in the order of the rows
        self.is_coded: bool | None = None  # whether distinct rows are held with their counts

    def add(self, rows: Any, raw: tuple[Any, Any] = (None, None)) -> None:
        """Take a batch, as it came and with its hashes if these are known."""
        came, hashes = raw
        own = slice(self.n_read, self.n_read + len_of(came))
        self.n_read, lost, numbers, weights = own.stop, None, None, None
        if self._rules is not None:
            numbers, weights = (
                None if known is None else known[own]
                for known in (self._rules.numbers, self._rules.weights)
            )
        if len_of(came) != len_of(rows):
            missing = find_missing(finite(came), self._columns)
            assert missing is not None
            _, lost = missing
            numbers = None if numbers is None else numbers[~lost]
            weights = None if weights is None else weights[~lost]
        if hashes is None:
            hashes = row_hashes(came if lost is None else rows, self._names)
        elif lost is not None:
            hashes = hashes[~lost]
        if self.fills is not None:
            rows = self.fills.add_marks(rows, came)
        self._hold(rows, hashes, numbers, weights)

    def _hold(
        self, batch: Any, hashes: Hashes, numbers: Any = None, weights: Weights | None = None
    ) -> None:
        """Hold rows; sums are made only of so many that all blocks have enough of them."""
        if weights is not None and not weights.all():  # a row of weight 0 is none
            left = weights > 0
            batch, hashes, weights = batch[left], hashes[left], weights[left]
            numbers = None if numbers is None else numbers[left]
        if not self._parts and (wanted := MAX_PATTERN_ROWS - self.n_rows) > 0:
            self._leading.append(as_float64(batch[:wanted][:, choose_columns(self._width)]))
        self.n_rows += len(hashes)
        if weights is None and self.is_coded is not None and self._weights:
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
        if self.is_coded is False or self._numbers or self._moments is not None or not whole:
            return False
        hashes, first, place = np.unique(
            np.concatenate(self._hashes), return_index=True, return_inverse=True
        )
        self.is_coded = are_coded(len(hashes))
        if self.is_coded:
            counts = np.bincount(place, self._all_weights()).astype(np.int64)
            self._rows = [stack_batches(self._rows)[first]]
            self._hashes, self._weights = [hashes], [counts]
        return self.is_coded

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
        self._row_blocks = numbers if weights is None else None
        self._weights = [] if weights is None else [weights]

    def note_fills(self, values: FillValues) -> None:
        """Add marks of filled values to the rows from now on; none was filled before."""
        if self._decided or not self._refill:
            return
        self._decided, fills = True, MarkedFills.of(values)
        if fills is not None and self._parts:  # all parts have the same columns
            fills = fills if _can_move(fills, affordable_blocks(self._width)) else None
        if fills is None or self._moments is None:
            self.fills = fills
        elif _can_move(fills, len(self._moments.count)):
            self.fills, self._moments = fills, self._moments.widened(fills.total)
        if self.fills is not None:
            more = self.fills.total - self._width
            self._rows = [np.pad(rows, ((0, 0), (0, more))) for rows in self._rows]

    def split(self) -> dict[Any, Any]:
        """Give the rows that differ, if these are few, and the moments of every block in tiles."""
        if not self.n_rows:
            return {}
        codes = RowCodes(np.zeros((0, 1)), np.zeros(0, dtype=np.uint64), np.zeros(0, np.int64))
        if self._hold_codes():
            rows, hashes = stack_batches(self._rows), np.concatenate(self._hashes)
            codes = RowCodes.of(rows, hashes, self._all_weights())
        found: dict[Any, Any] = {("codes", ""): codes}
        self._sum_up()
        assert self._moments is not None
        for block, own in enumerate(self._moments.every()):
            if own.count:
                found |= {(block, name): tile for name, tile in own.cut().items()}
        return found

    def join(self, values: Mapping[Any, Any]) -> None:
        """Put the rows that differ, or else the tiles, together."""
        codes = values.get(("codes", ""))
        if codes is not None and codes.few:
            self.is_coded, self.n_rows = True, int(codes.copies.sum())
            self._rows, self._hashes = [codes.rows], [codes.hashes]
            self._weights = [codes.copies]
            return
        width = self._width if self.fills is None else self.fills.total
        self._moments = MomentBlocks.empty(width, affordable_blocks(self._width))
        for block in range(len(self._moments.count)):
            tiles = {name: tile for (own, name), tile in values.items() if own == block}
            if tiles:
                self._moments.put(block, Moments.join(tiles, width))
        self.n_rows = int(self._moments.count.sum())

    def _sum_up(self) -> None:
        if self._moments is None:
            n_blocks = affordable_blocks(self._width)
            if self.fills is not None and not _can_move(self.fills, n_blocks):
                self.fills, self._rows = None, [rows[:, : self._width] for rows in self._rows]
            width = self._width if self.fills is None else self.fills.total
            counts = self._weights[0].dtype if self._weights else np.intp
            self._moments = MomentBlocks.empty(width, n_blocks, counts)
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

    def moments(self) -> MomentBlocks:
        """Give the moments of all rows that came."""
        self._deal_rows()
        self._sum_up()
        assert self._moments is not None
        return self._moments

    def summary(self, scale: bool, tally: Tally) -> Summary:
        """Summarise all rows that came."""
        if self._ranks:
            self._rows = [rank_columns(stack_batches(self._rows))]
        if self.n_rows < self._width and self._moments is None:
            self._deal_rows()
            numbers = self._all_numbers()
            rows, weights = stack_batches(self._rows), self._all_weights()
            known = (scale, tally, self.fills, weights)
            found = summary_of_numbered(rows, numbers, *known, ordered=self._ordered)
        else:
            sums = self.moments()
            found = summary_of_blocks(sums, scale, tally, self.fills, ordered=self._ordered)
        rows = np.concatenate(self._leading) if self._leading else np.zeros((0, 1))
        blocks = self._row_blocks if self.n_read == self.n_rows else None
        return replace(found, successive=correlate_successive(rows), row_blocks=blocks)
