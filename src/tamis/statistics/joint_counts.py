"""How often the levels of two columns occur together, for all pairs, by products of one-hot blocks.

Counting is a matrix product: with a column of zeros and ones for every level of every column, the
entries of Z'Z are the joint counts. It runs in float32, some thousand rows at a time and exactly.
Only a tile of the product is held: the number of columns does not set the memory, the budget does.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tamis.numerics.tolerances import NEGLIGIBLE
from tamis.numerics.types import Floats
from tamis.progress import track

Codes = NDArray[Any]
OneHot = NDArray[np.float32]

MAX_COUNT_BYTES = 1 << 28
_COUNT_BITS = 12  # of a count: two of them fit into float32, of so many rows less one at a time
_STRIPS = 8  # of a block with itself: so many parts of it end at the diagonal


@dataclass(frozen=True, eq=False)
class Block:
    """Neighbouring columns, and where the levels of each begin among those of the block."""

    columns: slice
    starts: NDArray[np.intp]
    width: int

    def one_hot(self, codes: Codes) -> OneHot:
        """Write rows of codes as zeros and ones, a column for every level."""
        part = codes[:, self.columns]
        Z = np.zeros((len(part), self.width), dtype=np.float32)
        rows = np.arange(len(part), dtype=np.intp) * self.width
        flat = Z.ravel()
        for j, start in enumerate(self.starts):
            flat[rows + (part[:, j] + start)] = 1.0
        return Z


@dataclass(frozen=True, eq=False)
class JointCounts:
    """Joint counts of the levels of two blocks of columns; of a block with itself, one triangle."""

    counts: Floats

    @classmethod
    def from_batch(cls, codes: Codes, left: Block, right: Block) -> Self:
        """Count some rows."""
        total = np.zeros((left.width, right.width))
        same, most = right is left, (1 << _COUNT_BITS) - 1
        step = 2 * -(-left.width // (2 * _STRIPS)) if same else left.width
        for start in range(0, len(codes), most):
            rows = codes[start : start + most]
            Z = left.one_hot(rows)
            packed = _pack_pairs(Z if same else right.one_hot(rows))
            for first in range(0, left.width, step):
                # Of a block with itself, what is below the diagonal is known from above it.
                at, strip = first if same else 0, slice(first, first + step)
                found = (Z[:, strip].T @ packed[:, at // 2 :]).astype(np.int32)
                total[strip, at::2] += found & most
                total[strip, at + 1 :: 2] += (found >> _COUNT_BITS)[:, : (right.width - at) // 2]
        return cls(total)

    def merge(self, other: "JointCounts") -> Self:
        """Join the counts of two parts of a table."""
        return type(self)(self.counts + other.counts)

    def concentration(self, left: Block, right: Block) -> Floats:
        """Give the sum of c log c over the joint counts c of every pair of columns."""
        logs = np.log(np.maximum(self.counts, 1.0))
        logs *= self.counts
        return _by_pair(logs, left, right)

    def occupied(self, left: Block, right: Block) -> Floats:
        """Give how many cells of every pair of columns have rows."""
        return _by_pair((self.counts > 0).astype(float), left, right)


def _pack_pairs(Z: OneHot) -> OneHot:
    """Put two neighbouring columns into one: the first plus 2^12 times the second.

    While no count reaches 2^12, a product with it has two counts in its 24 bits, all of which
    float32 holds: half as many products.
    """
    packed = Z[:, ::2].copy()
    packed[:, : Z.shape[1] // 2] += np.float32(1 << _COUNT_BITS) * Z[:, 1::2]
    return packed


def _by_pair(cells: Floats, left: Block, right: Block) -> Floats:
    """Add up what is given for every pair of levels, by pair of columns."""
    by_row = np.add.reduceat(cells, left.starts, axis=0)
    return np.asarray(np.add.reduceat(by_row, right.starts, axis=1))


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


def information_matrix(
    read: Callable[[], Iterable[Codes]],
    counts: list[NDArray[np.intp]],
    *,
    budget: int = MAX_COUNT_BYTES,
) -> Floats:
    """Give the normalised mutual information I / sqrt(H H') of all pairs of columns.

    `read` gives the codes again and again, in batches of rows; `counts` how often every level of
    every column occurs. A column with one level has no information: its row is 0, diagonal too.
    Batches are read once for every group of tiles that fits the budget of bytes.
    """
    return relate_pairs(lambda tiles: count_tiles(read(), tiles), counts, budget=budget)


def relate_pairs(
    count: "Callable[[list[Tile]], list[JointCounts]]",
    counts: list[NDArray[np.intp]],
    *,
    budget: int = MAX_COUNT_BYTES,
    tile_budget: int | None = None,
) -> Floats:
    """Do the same where `count` counts the pairs of some tiles, none above `tile_budget` bytes."""
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
            whole = JointCounts(np.asarray(sum(one.counts for one in own)))
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


def count_tiles(batches: Iterable[Codes], tiles: Sequence[Tile]) -> list[JointCounts]:
    """Count the pairs of levels of every tile in one pass; none where there are no rows."""
    found: list[JointCounts] = []
    for codes in batches:
        fresh = [JointCounts.from_batch(codes, *tile) for tile in tiles]
        found = [a.merge(b) for a, b in zip(found, fresh, strict=True)] if found else fresh
    return found


def level_counts(batches: Iterable[Codes], sizes: Sequence[int]) -> list[NDArray[np.intp]]:
    """Count the rows of every level of every column."""
    counts = [np.zeros(size, dtype=np.intp) for size in sizes]
    for codes in batches:
        for j, size in enumerate(sizes):
            counts[j] += np.bincount(codes[:, j], minlength=size)
    return counts


def _blocks(counts: list[NDArray[np.intp]], budget: int) -> list[Block]:
    """Cut the columns into blocks so narrow that the tile of two fits the budget with its logs."""
    sizes = np.array([len(column) for column in counts])
    widest = max(int(np.sqrt(budget / 32)), int(sizes.max()))
    blocks, first = [], 0
    while first < len(sizes):
        ends = np.cumsum(sizes[first:])
        count = max(int(np.searchsorted(ends, widest, side="right")), 1)
        starts = np.concatenate([[0], ends[: count - 1]])
        blocks.append(Block(slice(first, first + count), starts, int(ends[count - 1])))
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
