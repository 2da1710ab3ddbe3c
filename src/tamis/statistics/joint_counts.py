"""How often the levels of two columns occur together, for all pairs, by products of one-hot blocks.

Only a tile of the product is held: the number of columns does not set the memory, the budget does.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.values import dataclass

# Counts of the pairs of levels of two blocks of columns, by products with four counts in each.
#
# With a row of zeros and ones for every level, the entries of ZZ' are the joint counts. Four of
# them fit into the 24 bits that float32 holds exactly, while none exceeds six bits: rows are taken
# a few hundred at a time, fewer where a level has more of them than that. What is found adds up in
# slots of twelve bits, and is written out when these are full. The most frequent level of a column
# is omitted, as the others and the totals give it: fewer products, and smaller counts.
Codes = NDArray[Any]
Counts = NDArray[np.integer[Any]]
OneHot = NDArray[np.float32]

_PACKED, _BITS = 4, 6  # counts in one product, and the bits of each
_MAX_PACKED_COUNT = (1 << _BITS) - 1
_MAX_SLOT_COUNT = (1 << 2 * _BITS) - 1
_EVERY_OTHER = _MAX_PACKED_COUNT << 2 * _BITS | _MAX_PACKED_COUNT  # the bits of two of the four
_ROWS = 360  # at a time: a tenth of them exceeds six bits hardly ever
_STRIP_LEVELS = 256  # levels, about: of a block with itself, what a strip has before it is known


@dataclass(frozen=True, eq=False)
class Block:
    """Neighbouring columns, and their levels but the most frequent one of each.

    `owners` gives the column of each level, from 0 in the block, `starts` the first of each column.
    """

    columns: slice
    owners: NDArray[np.intp]
    levels: NDArray[np.intp]
    starts: NDArray[np.intp]

    @classmethod
    def of(cls, first: int, counts: Sequence[NDArray[np.intp]]) -> "Block":
        """Put columns from `first` on together, given the rows of every level of each.

        A column with one level gets a second one, which no row has.
        """
        levels = [np.delete(np.arange(max(len(column), 2)), np.argmax(column)) for column in counts]
        sizes = [len(one) for one in levels]
        starts = np.cumsum([0, *sizes[:-1]])
        owners = np.repeat(np.arange(len(sizes)), sizes)
        return cls(slice(first, first + len(sizes)), owners, np.concatenate(levels), starts)

    @property
    def width(self) -> int:
        """The number of levels."""
        return len(self.levels)

    @cached_property
    def strips(self) -> int:
        """Into how many strips of equal width the levels are cut."""
        return max(1, round(self.width / _STRIP_LEVELS))

    @cached_property
    def packed_strip(self) -> int:
        """The width of a strip whose levels are packed by four."""
        return -(-self.width // (_PACKED * self.strips))

    def one_hot(self, codes: Codes) -> OneHot:
        """Write codes as zeros and ones, a row for every level, up to the end of the last strip."""
        owners, levels = self._filled_up
        part = codes[:, self.columns].T[owners]
        return (part == levels.astype(codes.dtype)).astype(np.float32)

    @cached_property
    def _filled_up(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Repeat the last level up to the end of the last strip: its counts are left alone."""
        extra = (0, _PACKED * self.strips * self.packed_strip - self.width)
        return np.pad(self.owners, extra, "edge"), np.pad(self.levels, extra, "edge")[:, None]

    def pack(self, Z: OneHot) -> OneHot:
        """Put the quarters of each strip into one, 2^6 apart."""
        parts = Z.reshape(self.strips, _PACKED, self.packed_strip, Z.shape[1])
        packed = parts[:, -1].copy()
        for place in reversed(range(_PACKED - 1)):
            packed *= np.float32(1 << _BITS)
            packed += parts[:, place]
        return packed.reshape(-1, Z.shape[1])


def count_pairs_of_levels(codes: Codes, left: Block, right: Block) -> tuple[Counts, Counts, Counts]:
    """Count the rows of each pair of levels, of each level of `left` and of each of `right`.

    Of a block with itself, pairs are counted on the diagonal and above.
    """
    sums, same = _PackedSums(left, right), right is left
    ours, theirs = np.zeros(left.width, np.int32), np.zeros(right.width, np.int32)
    waiting = list(_cut(0, len(codes), _ROWS))[::-1]
    while waiting:
        start, stop = waiting.pop()
        Z = left.one_hot(codes[start:stop])
        other = Z if same else right.one_hot(codes[start:stop])
        one = np.ones(stop - start, dtype=np.float32)
        totals = Z @ one, other @ one
        most = min(int(found.max()) for found in totals)
        if most > _MAX_PACKED_COUNT:
            waiting += list(_cut(start, stop, -(-(stop - start) // 2)))[::-1]
            continue
        sums.add(Z, right.pack(other), most)
        ours += totals[0][: left.width].astype(np.int32)
        theirs += totals[1][: right.width].astype(np.int32)
    return sums.write_out(), ours, theirs


def _cut(start: int, stop: int, step: int) -> Iterator[tuple[int, int]]:
    for first in range(start, stop, step):
        yield first, min(first + step, stop)


class _PackedSums:
    """Sums of packed products: as they come, and two of their four counts in slots of 12 bits."""

    def __init__(self, left: Block, right: Block) -> None:
        self._left, self._right, self._same = left, right, right is left
        self._step = _PACKED * left.packed_strip
        shape = left.strips * self._step, right.strips, _PACKED, right.packed_strip
        self._counts = np.zeros(shape, dtype=np.int32)
        self._filled = 0
        self._sums = [
            tuple(np.zeros((self._step, width), dtype=np.int32) for _ in range(2))
            for width in (
                (right.strips - self._first(strip)) * right.packed_strip
                for strip in range(left.strips)
            )
        ]

    def _first(self, strip: int) -> int:
        """Give the first strip of the right block that is needed."""
        return strip if self._same else 0

    def add(self, Z: OneHot, packed: OneHot, most: int) -> None:
        """Add the pairs of some rows, of which none has more than `most`."""
        if self._filled + most > _MAX_SLOT_COUNT:
            self.write_out()
        self._filled += most
        for strip, (whole, odd) in enumerate(self._sums):
            rows = Z[strip * self._step : (strip + 1) * self._step]
            columns = packed[self._first(strip) * self._right.packed_strip :]
            found = (rows @ columns.T).astype(np.int32)
            whole += found
            found >>= _BITS
            found &= _EVERY_OTHER
            odd += found

    def write_out(self) -> Counts:
        """Empty the slots into the counts and give these."""
        for strip, (whole, odd) in enumerate(self._sums):
            first = self._first(strip)
            target = self._counts[strip * self._step : (strip + 1) * self._step, first:]
            whole -= odd << _BITS
            for place, slots in enumerate((whole, odd)):
                found = slots.reshape(self._step, -1, self._right.packed_strip)
                target[:, :, place] += found & _MAX_SLOT_COUNT
                target[:, :, place + 2] += found >> 2 * _BITS
                slots[:] = 0
        self._filled = 0
        counts = self._counts.reshape(len(self._counts), -1)
        return counts[: self._left.width, : self._right.width]


MAX_COUNT_BYTES = 1 << 28
_MAX_INT32 = (1 << 31) - 1
_SUMMED_COLUMNS = 32  # whose counts are looked at together


@dataclass(frozen=True, eq=False)
class JointCounts:
    """Joint counts of the levels of two blocks of columns; of a block with itself, one triangle.

    `left` and `right` are the rows of their levels, `n_rows` all. The level of each column that
    a block omits has the rest of the rows.
    """

    counts: Counts
    left: Counts
    right: Counts
    n_rows: int

    @classmethod
    def from_batch(cls, codes: Codes, left: Block, right: Block) -> Self:
        """Count some rows."""
        return cls(*count_pairs_of_levels(codes, left, right), len(codes))

    def merge(self, other: "JointCounts") -> Self:
        """Join the counts of two parts of a table."""
        n_rows = self.n_rows + other.n_rows
        kind = np.int32 if n_rows <= _MAX_INT32 else np.int64

        def add(ours: Counts, theirs: Counts) -> Counts:
            return np.asarray(np.add(ours, theirs, dtype=kind))

        counts = add(self.counts, other.counts)
        return type(self)(counts, add(self.left, other.left), add(self.right, other.right), n_rows)

    def concentration(self, left: Block, right: Block) -> Floats:
        """Give the sum of c log c over the joint counts c of every pair of columns."""
        return self._sum_up(_concentrate, left, right)

    def occupied(self, left: Block, right: Block) -> Floats:
        """Give how many cells of every pair of columns have rows."""
        return self._sum_up(lambda cells: (cells > 0).astype(float), left, right)

    def _sum_up(self, measure: Callable[[Counts], Floats], left: Block, right: Block) -> Floats:
        """Add up a measure of every cell, by pair of columns."""
        found = np.zeros((len(left.starts), len(right.starts)))
        for first in range(0, len(left.starts), _SUMMED_COLUMNS):
            some = slice(first, first + _SUMMED_COLUMNS)
            skipped = first if left is right else 0
            found[some, skipped:] = self._sum_some(measure, left, right, some, skipped)
        return found

    def _sum_some(
        self,
        measure: Callable[[Counts], Floats],
        left: Block,
        right: Block,
        some: slice,
        skipped: int,
    ) -> Floats:
        """Do so for some columns of the left block and all but the first of the right one."""
        ends = np.append(left.starts, left.width)[some.start : some.stop + 1]
        at = right.starts[skipped]
        rows, columns = ends[:-1] - ends[0], right.starts[skipped:] - at
        cells = self.counts[ends[0] : ends[-1], at:]
        ours, theirs = self.left[ends[0] : ends[-1]], self.right[at:]
        # What the others leave of every level: the cells of the level omitted.
        beside = ours[:, None] - np.add.reduceat(cells, columns, axis=1, dtype=cells.dtype)
        below = theirs - np.add.reduceat(cells, rows, axis=0, dtype=cells.dtype)
        corner = (self.n_rows - np.add.reduceat(theirs, columns)) - np.add.reduceat(
            beside, rows, axis=0
        )
        by_row = np.add.reduceat(measure(cells), columns, axis=1) + measure(beside)
        by_column = np.add.reduceat(measure(below), columns, axis=1) + measure(corner)
        return np.asarray(np.add.reduceat(by_row, rows, axis=0) + by_column)


def _concentrate(cells: Counts) -> Floats:
    logs = np.maximum(cells, 1, dtype=float)
    np.log(logs, out=logs)
    logs *= cells
    return logs


def compute_entropies(counts: list[NDArray[np.intp]]) -> Floats:
    """Give the entropy of every column from the counts of its levels.

    >>> compute_entropies([np.array([2, 2]), np.array([4])]) / np.log(2)
    array([1., 0.])
    """
    found = np.zeros(len(counts))
    for j, column in enumerate(counts):
        share = column[column > 0] / column.sum()
        found[j] = abs(float(share @ np.log(share)))
    return found


def relate_pairs(
    count: "Callable[[list[Tile]], list[JointCounts]]",
    counts: list[NDArray[np.intp]],
    *,
    budget: int = MAX_COUNT_BYTES,
    tile_budget: int | None = None,
) -> Floats:
    """Give the normalised mutual information I / sqrt(H H') of all pairs of columns.

    `count` counts the pairs of some tiles, none above `tile_budget` bytes, for every group of them
    that fits the budget of bytes; `counts` says how often every level of every column occurs. A
    column with one level has no information: its row is 0, diagonal too.
    """
    n, d = int(counts[0].sum()), len(counts)
    alone = compute_entropies(counts)
    M = np.zeros((d, d))
    groups = list(_groups(_blocks(counts, tile_budget or budget), budget))
    for group in track("blocks of pairs", groups, len(groups)):
        for (left, right), tile in zip(group, count(group), strict=True):
            joint = np.log(n) - tile.concentration(left, right) / n
            shared = alone[left.columns, None] + alone[right.columns] - joint
            M[left.columns, right.columns] = np.triu(shared) if left is right else shared
    M = np.triu(M) + np.triu(M, 1).T
    size = np.sqrt(np.multiply.outer(alone, alone))
    np.divide(M, size, out=M, where=size > 0)
    np.clip(M, 0.0, 1.0, out=M)
    M[NEGLIGIBLE > M] = 0.0
    M[alone == 0] = 0.0
    M[:, alone == 0] = 0.0
    np.fill_diagonal(M, (alone > 0).astype(float))
    return M


def pairs_with_class(
    count: "Callable[[list[Tile]], list[list[JointCounts]]]",
    counts: list[NDArray[np.intp]],
    n_classes: int,
    *,
    budget: int = MAX_COUNT_BYTES,
) -> Iterator["PairTile"]:
    """Give what every two columns together say about the class, tile by tile.

    `count` counts the pairs of some tiles class by class; what pairs share with the class is the
    entropy of the class less its mean entropy given both columns.
    """
    groups = list(_groups(_blocks(counts, budget // (n_classes + 1)), budget // (n_classes + 1)))
    for group in track("blocks of pairs", groups, len(groups)):
        parts = count(group)
        for place, (left, right) in enumerate(group):
            own = [part[place] for part in parts if part]
            whole = reduce(JointCounts.merge, own)
            within = sum(one.concentration(left, right) for one in own)
            yield PairTile(
                left.columns,
                right.columns,
                np.asarray(within - whole.concentration(left, right)),
                whole.occupied(left, right),
            )


@dataclass(frozen=True, eq=False)
class PairTile:
    """Pairs of two blocks of columns: sums of c log c by class less those of all, and cells.

    Divided by the rows and added to the entropy of the class, the first is the information that a
    pair shares with the class. A block with itself has meaning above the diagonal only.
    """

    rows: slice
    columns: slice
    excess: Floats
    cells: Floats


Tile = tuple[Block, Block]


def _blocks(counts: list[NDArray[np.intp]], budget: int) -> list[Block]:
    """Cut the columns into blocks so narrow that the tile of two fits the budget with its logs."""
    sizes = np.array([max(len(column) - 1, 1) for column in counts])
    widest = max(int(np.sqrt(budget / 32)), int(sizes.max()))
    blocks, first = [], 0
    while first < len(sizes):
        ends = np.cumsum(sizes[first:])
        count = max(int(np.searchsorted(ends, widest, side="right")), 1)
        blocks.append(Block.of(first, counts[first : first + count]))
        first += count
    return blocks


def _groups(blocks: list[Block], budget: int) -> Iterator[list[Tile]]:
    """Gather tiles of the upper triangle whose counts together fit the budget."""
    group: list[Tile] = []
    held = 0
    for i, left in enumerate(blocks):
        for right in blocks[i:]:
            size = 16 * left.width * right.width
            if group and held + size > budget:
                yield group
                group, held = [], 0
            group.append((left, right))
            held += size
    yield group
