"""Rows that belong together, follow one another, or count more than others.

Folds are made of blocks of rows. By default a row's block is a hash of its values. Where rows of
one patient or plate belong together, a group of rows is put into one block; where rows follow one
another in time, a block is a stretch of the table. A weight says how much a row counts: an integer
as so many rows.
"""

from collections.abc import Sequence
from hashlib import blake2b
from heapq import heapify, heapreplace

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.rules.search import N_BLOCKS
from tamis.statistics.column_spread import Weights
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class RowRules:
    """The block of every row of a table and how much it counts, None where nothing is said.

    `ordered` says that blocks are stretches of the table, `groups` how many groups of rows there
    are.
    """

    numbers: NDArray[np.uint8] | None = None
    weights: Weights | None = None
    ordered: bool = False
    groups: int | None = None

    @property
    def n_rows(self) -> int | None:
        """How many rows the rules are for."""
        known = self.weights if self.numbers is None else self.numbers
        return None if known is None else len(known)

    def check_rows(self, n_rows: int, label: str) -> None:
        """Refuse rules for more or fewer rows than the table has."""
        if self.n_rows not in (None, n_rows):
            raise TamisError(
                f"{label} has {n_rows:,} rows, and {self.n_rows:,} values say what groups or "
                "weights they have: give one for each row."
            )


def number_stretches(n_rows: int) -> NDArray[np.uint8]:
    """Give every row of an ordered table its block: stretches of equal length.

    Examples
    --------
    >>> number_stretches(40)[:8].tolist()
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    return (np.arange(n_rows) * N_BLOCKS // max(n_rows, 1)).astype(np.uint8)


def number_groups(codes: Indices, names: Sequence[str]) -> NDArray[np.uint8]:
    """Give every row the block of its group; blocks get about as many rows each.

    `codes` says which of the `names` the group of a row has. The largest group goes first, each
    into the block with the fewest rows so far, so the order of the rows does not matter.

    Examples
    --------
    >>> number_groups(np.array([0, 1, 1, 2, 0, 1]), ["a", "b", "c"]).tolist()
    [1, 0, 0, 2, 1, 0]
    """
    sizes = np.bincount(codes, minlength=len(names)).tolist()
    marks = [blake2b(name.encode(), digest_size=8).digest() for name in names]
    order = sorted(range(len(names)), key=lambda group: (-sizes[group], marks[group]))
    filled = [(0, block) for block in range(N_BLOCKS)]
    heapify(filled)
    found = np.zeros(len(names), dtype=np.uint8)
    for group in order:
        rows, block = filled[0]
        found[group] = block
        heapreplace(filled, (rows + sizes[group], block))
    return found[codes]


def reduce_numbers(numbers: Indices, n_blocks: int, *, ordered: bool = False) -> Indices:
    """Give the blocks of rows where memory has room for fewer of them.

    Examples
    --------
    >>> numbers = number_stretches(20)
    >>> reduce_numbers(numbers, 4, ordered=True).tolist()[:10]
    [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    """
    if ordered:  # by their remainders rows far apart would be put together
        return np.asarray(numbers.astype(np.intp) * n_blocks // N_BLOCKS)
    return numbers % n_blocks


def settle_weights(values: Floats, what: str) -> Weights:
    """Check weights, and give integers as such; others are divided by their mean.

    Only how weights relate to each other matters then, and the rows count as many as there are.

    Examples
    --------
    >>> settle_weights(np.array([2.0, 0.0, 1.0]), "w"), settle_weights(np.array([0.2, 0.6]), "w")
    (array([2, 0, 1]), array([0.5, 1.5]))
    """
    for wrong, why in ((~np.isfinite(values), "missing"), (values < 0, "below 0")):
        if wrong.any():
            raise TamisError(
                f"{what}: the weight of row {int(np.argmax(wrong)) + 1:,} is {why}, give a number "
                "of at least 0 for each row."
            )
    if not values.any():
        raise TamisError(f"{what}: all weights are 0, give some that are above.")
    if (values == np.floor(values)).all() and values.sum() < 2**53:
        return values.astype(np.int64)
    return values * (np.count_nonzero(values) / values.sum())
