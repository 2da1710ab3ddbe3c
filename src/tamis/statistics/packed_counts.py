"""Counts of the pairs of levels of two blocks of columns, by products with four counts in each.

With a row of zeros and ones for every level, the entries of ZZ' are the joint counts. Four of them
fit into the 24 bits that float32 holds exactly, while none exceeds six bits: rows are taken a few
hundred at a time, fewer where a level has more of them than that. What is found adds up in slots of
twelve bits, and is written out when these are full. The most frequent level of a column is omitted,
as the others and the totals give it: fewer products, and smaller counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
