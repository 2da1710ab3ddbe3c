"""Which block a row belongs to, whatever its place, its batch or the engine.

Rows that can be held are put in the order of a weighed sum of their columns, each between its
smallest and its largest value, and blocks are dealt out by the place in that order: another unit,
another zero and fewer digits leave it as it is. Of a table that is larger, or that is read only
once, the block is a hash of the values: with so many rows, folds decide little.

Equal rows of measurements are copies of one unit and share a block. Where no column has many values
and few rows differ, or no more are equal than such values give by chance, equal rows are different
units with the same codes: these are dealt out one by one, so that no fold is judged on combinations
that it has never seen.

Where rows of one patient or plate belong together, a group of rows is put into one block; where
rows follow one another in time, a block is a stretch of the table. A weight says how much a row
counts: an integer as so many rows.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from heapq import heapify, heapreplace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.hashing import GOLDEN, hash_bits
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices
from tamis.rules.search import BY_CHANCE, CODE_ROWS, FINE, MOST_CODED, MOST_DEALT, N_BLOCKS
from tamis.statistics.column_spread import Weights
from tamis.values import dataclass

Hashes = NDArray[np.uint64]


_HASHED_BYTES = 1 << 18
_NAN = np.uint64(0x7FF8_0000_0000_0000)


def is_dealt(n_rows: int, width: int) -> bool:
    """Whether the rows of a table are held to be put in order."""
    return n_rows < width or n_rows * width <= MOST_DEALT


def are_coded(n_distinct: int) -> bool:
    """Whether a table of any length is held by the rows that differ."""
    return n_distinct <= MOST_CODED


def number_rows(
    X: Any, names: Sequence[str] | None = None, hashes: Hashes | None = None
) -> Indices:
    """Give every row of a full table, dense or sparse, without missing values, its block.

    `hashes` say which rows are equal, where these have been changed since.

    Examples
    --------
    >>> rows = np.random.default_rng(0).normal(size=(90, 3))
    >>> found, other = number_rows(rows), number_rows(2.54 * rows[::-1].astype("f4") + 1000)
    >>> np.bincount(found, minlength=20).tolist() == 10 * [5] + 10 * [4]
    True
    >>> bool((other[::-1] == found).all())
    True
    """
    hashes = row_hashes(X, names) if hashes is None else hashes
    if not is_dealt(*X.shape) and not are_coded(len(np.unique(hashes))):
        return number_hashes(hashes)
    return deal_rows(X, hashes, names)[1]


def number_hashes(hashes: Hashes) -> Indices:
    """Give the blocks of rows that are too many to be put in order."""
    return (hashes % np.uint64(N_BLOCKS)).astype(np.intp)


def deal_rows(
    X: Any, hashes: Hashes, names: Sequence[str] | None = None, weights: Weights | None = None
) -> tuple[Any, Indices, Weights | None]:
    """Give which rows to take, the block of each and its weight, where all rows are at hand.

    A row whose weight is an integer stands for so many; where equal rows are dealt out one by one
    it is taken once for each of their blocks.
    """
    order = np.argsort(hashes, kind="stable")
    starts = np.flatnonzero(np.diff(hashes[order], prepend=~hashes[order[:1]]))
    first, copies = order[starts], np.diff(starts, append=len(order))
    ranked = _rank_rows(X, first, hashes, names)
    turns = np.arange(1, len(first) + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        dealt = np.argsort(hash_bits(turns * GOLDEN), kind="stable")
    block = np.empty(len(first), dtype=np.intp)
    block[ranked[dealt]] = np.arange(len(first)) % N_BLOCKS
    numbers = np.empty(len(order), dtype=np.intp)
    counts = copies if weights is None else np.add.reduceat(weights[order], starts)
    if counts.dtype.kind == "f" or not _are_codes(X, first, counts):
        numbers[order] = np.repeat(block, copies)
        return slice(None), numbers, weights
    if weights is None:
        turn = np.arange(len(order)) - np.repeat(starts, copies)
        numbers[order] = (np.repeat(block, copies) + turn) % N_BLOCKS
        return slice(None), numbers, None
    after = (np.arange(N_BLOCKS) - block[:, None]) % N_BLOCKS  # blocks after a row's first one
    shares = counts[:, None] // N_BLOCKS + (after < counts[:, None] % N_BLOCKS)
    rows, numbers = np.nonzero(shares)
    return first[rows], numbers, shares[rows, numbers]


def _rank_rows(X: Any, first: Indices, hashes: Hashes, names: Sequence[str] | None) -> Indices:
    """Put rows that differ in an order that depends on no unit or sign, and hardly on names.

    A column counts by where the mean of these rows is between its smallest and its largest value,
    and from the nearer of both. Where that leaves rows equal, as in designs, names decide, and at
    last the hash.
    """
    sparse, whole = scipy.sparse.issparse(X), len(first) == X.shape[0]
    low, high, mean = X.min(axis=0), X.max(axis=0), (X if whole else X[first]).mean(axis=0)
    if sparse:
        low, high = (np.ravel(side.toarray()) for side in (low, high))
    factors = _factors(X.shape[1]) if names is None else _name_factors(tuple(names))
    with np.errstate(all="ignore"):  # a column whose range is no number does not count
        share = (np.ravel(mean) - low) / (high - low)
        each = np.stack([1.0 + np.minimum(share, 1.0 - share), 0.5 + factors / 2.0**64])
        each /= np.where(share > 0.5, low - high, high - low)
    each[:, ~np.isfinite(each).all(axis=0)] = 0.0
    found = np.empty((2, X.shape[0]))
    if sparse:
        found[:] = (X @ each.T).T - (each @ low)[:, None]
    else:
        for part in row_blocks(*X.shape, room=_HASHED_BYTES):
            apart = X[part] - low
            for one, weights in zip(found, each, strict=True):
                np.einsum("ij,j->i", apart, weights, out=one[part])
    sums, named = found[:, first]
    sums = sums - sums.min()
    sums = np.rint(sums / (sums.max() or 1.0) * FINE)  # what is rounding is a tie
    return np.lexsort((hashes[first], named, sums))


def _are_codes(X: Any, first: Indices, counts: Any) -> bool:
    """Whether rows that are equal, each so many times, are different units with the same codes.

    No column has more values than the root of the number of rows then. And there are several times
    as many rows as differ, or equal ones are not much more than chance makes of such values.
    """
    total = int(counts.sum())
    if len(first) in (total, 1) or len(first) * X.shape[1] > MOST_DEALT:
        return False
    rows = X[first].toarray() if scipy.sparse.issparse(X) else X[first]
    values = 1 + np.count_nonzero(np.diff(np.sort(rows, axis=0), axis=0), axis=0)
    if not (values**2 <= total).all():
        return False
    if CODE_ROWS * len(first) <= total:
        return True
    chance = 0.0  # that two rows are equal, as a logarithm
    for column in rows.T:
        places = np.unique(column, return_inverse=True)[1]
        chance += float(np.log(np.square(np.bincount(places, counts) / total).sum()))
    equal = float((counts * (counts - 1.0)).sum())
    return np.exp(chance) * float(total) ** 2 >= BY_CHANCE * equal


def row_hashes(X: Any, names: Sequence[str] | None = None) -> Hashes:
    """Give every row of a dense or sparse table a number that follows from its values."""
    return hash_bits(sum_bits(X, names))


def sum_bits(X: Any, names: Sequence[str] | None = None) -> Hashes:
    """Give what the hashes of rows are made of: the sums over any two sets of columns add up."""
    factors = _factors(X.shape[1]) if names is None else _name_factors(tuple(names))
    return (_sparse_sums if scipy.sparse.issparse(X) else _dense_sums)(X, factors)


def text_bits(values: Any, name: str) -> Hashes:
    """Give what a column of texts, an Arrow array, adds; all missing values are alike."""
    coded = values.dictionary_encode()
    known = (blake2b(str(text).encode(), digest_size=8) for text in coded.dictionary.to_pylist())
    bits = [*(int.from_bytes(one.digest(), "little") for one in known), int(_NAN)]
    places = np.asarray(coded.indices.fill_null(len(bits) - 1))
    with np.errstate(over="ignore"):
        return np.array(bits, dtype=np.uint64)[places] * _name_factors((name,))[0]


def _dense_sums(X: Any, factors: Hashes) -> Hashes:
    n, d = X.shape
    sums = np.empty(n, dtype=np.uint64)
    parts = row_blocks(n, d, room=_HASHED_BYTES)
    # Fresh memory for every part takes longer than all that is done in it.
    room, shifted = (np.empty((parts[0].stop if n else 0, d), kind) for kind in ("f8", "u8"))
    for part in parts:
        rows = part.stop - part.start
        bits = _bits(X[part], room[:rows], shifted[:rows])
        np.einsum("ij,j->i", bits, factors, out=sums[part])
    return sums


def _sparse_sums(X: Any, factors: Hashes) -> Hashes:
    X = scipy.sparse.csr_array(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    products = _bits(X.data) * factors[X.indices]  # that of a zero is 0
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(products, dtype=np.uint64)])
    return sums[X.indptr[1:]] - sums[X.indptr[:-1]]  # right modulo 2^64


def _bits(values: Any, room: Floats | None = None, shifted: Hashes | None = None) -> Hashes:
    """Give numbers as integers whose low bits vary too; 0 for a zero.

    They are written into `room`, if there is one, with the help of `shifted`.
    """
    with np.errstate(invalid="ignore"):  # a NaN of a damaged file may be one that signals
        numbers = np.add(values, 0.0, out=room, dtype=np.float64, order="C")  # -0.0 + 0.0 is 0.0
    bits: Hashes = numbers.view(np.uint64)
    missing = np.isnan(numbers)
    if missing.any():
        bits[missing] = _NAN
    bits ^= np.right_shift(bits, np.uint64(32), out=shifted)
    return bits


def hash_name(name: str) -> bytes:
    """Give some bytes for the name of a column, the same on every machine."""
    return blake2b(name.encode(), digest_size=8).digest()


@lru_cache(maxsize=4)
def _name_factors(names: tuple[str, ...]) -> Hashes:
    """Give an odd number for every name of a column, the same on every machine."""
    digests = b"".join(map(hash_name, names))
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64) | np.uint64(1)


@lru_cache(maxsize=4)
def _factors(count: int) -> Hashes:
    """Give those of columns without names: they are called x0, x1, ... everywhere."""
    return _name_factors(tuple(f"x{j}" for j in range(count)))


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
    order = sorted(range(len(names)), key=lambda group: (-sizes[group], hash_name(names[group])))
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
