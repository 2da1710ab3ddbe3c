"""Random sums of the rows, for tables too wide for a scatter matrix and too long for memory.

Every row is added to one of `s` sums, with a random sign (CountSketch; Charikar, Chen,
Farach-Colton 2002). The products of the sums are on average those of the rows. Which sum and which
sign follows from the number of the row and of its part, so neither batches nor workers matter.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Self

import numpy as np
import scipy.sparse

from tamis.numerics.hashing import GOLDEN, hash_bits
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats
from tamis.sources.stored_summary import MOST_COLUMNS
from tamis.statistics.column_spread import compute_level, compute_spread, find_varying
from tamis.statistics.gram.row_gram import SketchGram
from tamis.values import dataclass

SUMS = 8192
MAX_SCATTER_BYTES = (
    8 * MOST_COLUMNS**2
)  # what a scatter matrix may take, and rows held in its place
_MIN_SUMS = 1024
_MAX_SKETCH_BYTES = 1 << 33
_STRIP = 128  # columns of 8,192 sums: 8 MB, as a tile
_CANCELLED = 0.1  # of the length that a column has


def affordable_sums(width: int) -> int:
    """Give how many sums of so many columns fit: 8,192, or a smaller power of two.

    >>> affordable_sums(100_000), affordable_sums(1_000_000)
    (8192, 1024)
    """
    sums = SUMS
    while sums > _MIN_SUMS and 8 * sums * width > _MAX_SKETCH_BYTES:
        sums //= 2
    return sums


@dataclass(eq=False)
class RowSketch:
    """Random sums of rows less a reference row, and what the columns need to be standardised.

    `signs` are the same sums of ones; `total` and `squares` the sums of the columns and of their
    squares, less the reference. `add` takes rows in place; `merge` joins another part of the table.
    """

    reference: Floats
    sums: Floats
    signs: Floats
    count: int
    total: Floats
    squares: Floats
    part: int = 0

    @classmethod
    def about(cls, reference: Floats, n_sums: int = SUMS, part: int = 0) -> Self:
        """Make room for the sums of rows less a row near them."""
        d = len(reference)
        sums, signs = np.zeros((n_sums, d)), np.zeros(n_sums)
        return cls(np.asarray(reference, float), sums, signs, 0, np.zeros(d), np.zeros(d), part)

    def add(self, X: Any) -> None:
        """Add the next rows of this part."""
        for rows in row_blocks(*X.shape):
            block = X[rows].toarray() if scipy.sparse.issparse(X) else np.asarray(X[rows])
            block = block - self.reference
            places, signs = _hash_rows(np.arange(self.count, self.count + len(block)), self)
            self.total += block.sum(axis=0)
            self.squares += np.einsum("ij,ij->j", block, block)
            self.count += len(block)
            for row, place, sign in zip(block, places, signs, strict=True):
                if sign > 0:
                    self.sums[place] += row
                else:
                    self.sums[place] -= row
                self.signs[place] += sign

    def merge(self, other: Self) -> Self:
        """Give the sums of both parts, about the reference of this one."""
        shift = other.reference - self.reference
        return type(self)(
            self.reference,
            self.sums + other.sums + np.outer(other.signs, shift),
            self.signs + other.signs,
            self.count + other.count,
            self.total + other.total + other.count * shift,
            self.squares + other.squares + 2 * shift * other.total + other.count * shift**2,
            self.part,
        )

    def strips(self) -> "Iterator[tuple[int, RowSketch]]":
        """Cut the sketch into strips of columns, each with the place of the first."""
        for start in range(0, len(self.reference), _STRIP):
            at = slice(start, start + _STRIP)
            sums = np.ascontiguousarray(self.sums[:, at])
            own = (self.total[at], self.squares[at], self.part)
            yield start, RowSketch(self.reference[at], sums, self.signs, self.count, *own)

    @classmethod
    def of_strips(cls, strips: "Iterable[RowSketch]") -> Self:
        """Put strips of columns side by side."""
        parts = list(strips)

        def join(name: str) -> Floats:
            return np.concatenate([getattr(part, name) for part in parts], axis=-1)

        signs, count = parts[0].signs, parts[0].count
        return cls(join("reference"), join("sums"), signs, count, join("total"), join("squares"))

    def gram(self, *, scale: bool) -> tuple[Floats, Floats, Any, SketchGram]:
        """Give mean, standard deviation, varying columns and Gram matrix; the sums are used up."""
        shift = self.total / self.count
        mean = self.reference + shift
        std = compute_spread(self.squares - self.count * shift**2, mean, self.count)
        varying = find_varying(std, scale=scale)
        rows = self.sums
        for at in row_blocks(len(self.signs), len(shift)):
            rows[at] -= self.signs[at, None] * shift
        rows = rows if len(varying) == len(std) else rows[:, varying]
        lengths = np.sqrt(np.einsum("ij,ij->j", rows, rows))
        # The few values of a rare column may have cancelled: it then has a place of its own.
        lost = np.flatnonzero(lengths < _CANCELLED * std[varying] * self.count**0.5)
        rows[:, lost] = 0.0
        rows[lost % len(rows), lost] = lengths[lost] = 1.0
        rows /= lengths if scale else lengths * (compute_level(std) / std[varying])
        return mean, std, varying, SketchGram(rows)


def _hash_rows(numbers: Any, sketch: RowSketch) -> tuple[Any, Any]:
    """Give the sum and the sign of every row, by its number and that of the part."""
    seeds = hash_bits(np.array([sketch.part + 1], dtype=np.uint64))
    bits = hash_bits((numbers.astype(np.uint64) + np.uint64(1)) * GOLDEN ^ seeds)
    signs = np.where(bits >> np.uint64(63), 1.0, -1.0)
    return (bits % np.uint64(len(sketch.signs))).astype(np.intp), signs
