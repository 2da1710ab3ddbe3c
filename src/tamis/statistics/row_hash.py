"""Which block a row belongs to: a hash of its values, whatever its place, batch or engine."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.numerics.hashing import hash_bits
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices

Hashes = NDArray[np.uint64]

_HASHED_BYTES = 1 << 18
_NAN = np.uint64(0x7FF8_0000_0000_0000)


def block_numbers(X: Any, n_blocks: int, names: Sequence[str] | None = None) -> Indices:
    """Give every row of a dense or sparse table its block, from 0 to `n_blocks - 1`.

    Equal rows have the same number, whether stored as integers, float32 or float64; all missing
    values are alike, and so are both zeros. With `names` the order of the columns does not matter.

    Examples
    --------
    >>> rows = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])
    >>> first, second, third = block_numbers(rows, 20)
    >>> bool(first == third), block_numbers(rows[::-1], 20).tolist() == [third, second, first]
    (True, True)
    """
    return (row_hashes(X, names) % np.uint64(n_blocks)).astype(np.intp)


def row_hashes(X: Any, names: Sequence[str] | None = None) -> Hashes:
    """Give every row of a dense or sparse table a number that follows from its values."""
    return hash_bits(sum_bits(X, names))


def sum_bits(X: Any, names: Sequence[str] | None = None) -> Hashes:
    """Give what the hashes of rows are made of: the sums over any two sets of columns add up."""
    factors = _factors(X.shape[1]) if names is None else _name_factors(tuple(names))
    return (_sparse_sums if scipy.sparse.issparse(X) else _dense_sums)(X, factors)


def text_bits(values: Any, name: str) -> Hashes:
    """Give the same of a column of texts, an Arrow array; all missing values are alike."""
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
