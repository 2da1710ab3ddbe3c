"""Hashes of numbers, which give them back, and of texts: the same in every process."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tamis.numerics.hashing import GOLDEN, hash_bits

__all__ = ["Hashes", "cut_texts", "hash_numbers", "hash_texts", "list_bytes", "unhash_numbers"]

Hashes = NDArray[np.uint64]

_HASH_BASE = 0x0000_0100_0000_01B3  # odd: its powers stay odd modulo 2^64
_SECOND = np.uint64(0xD6E8_FEB8_6659_FD93)
_SECOND_INVERSE, _GOLDEN_INVERSE = (
    np.uint64(pow(int(one), -1, 1 << 64)) for one in (_SECOND, GOLDEN)
)
_LONGEST_BYTES = 200  # of a text that are hashed and kept


def hash_numbers(values: NDArray[np.float64]) -> Hashes:
    """Give every number a hash; both zeros have the same."""
    bits = (values + 0.0).view(np.uint64)
    with np.errstate(over="ignore"):  # in place: every value of a long column comes by here
        bits ^= bits >> np.uint64(29)
        bits *= GOLDEN
        bits ^= bits >> np.uint64(32)
        bits *= _SECOND
    return bits


def unhash_numbers(hashes: Hashes) -> NDArray[np.float64]:
    """Give the numbers that have these hashes: no two numbers share one.

    >>> unhash_numbers(hash_numbers(np.array([1.5, -0.0, -2e300]))).tolist()
    [1.5, 0.0, -2e+300]
    """
    with np.errstate(over="ignore"):
        bits = hashes * _SECOND_INVERSE
        bits ^= bits >> np.uint64(32)
        bits *= _GOLDEN_INVERSE
        bits ^= (bits >> np.uint64(29)) ^ (bits >> np.uint64(58))
    return bits.view(np.float64)


def hash_texts(texts: Any) -> Hashes:
    """Give every text of an Arrow array without nulls a hash, the same in every process.

    It is a polynomial in the bytes modulo 2^64: the texts may be cut first, see `cut_texts`.
    """
    ends, data = list_bytes(texts)
    sizes = np.diff(ends)
    longest = int(sizes.max(initial=0))
    with np.errstate(over="ignore"):
        powers = np.full(longest + 1, _HASH_BASE, dtype=np.uint64)
        powers[0] = 1
        terms = np.multiply.accumulate(powers)[np.arange(data.size) - np.repeat(ends[:-1], sizes)]
        terms *= data.astype(np.uint64) + np.uint64(1)
        summed = np.zeros(data.size + 1, dtype=np.uint64)
        np.cumsum(terms, out=summed[1:])
        return hash_bits(summed[ends[1:]] - summed[ends[:-1]] + GOLDEN)


def list_bytes(texts: Any) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Give where each text begins, and at last where all end, and the bytes of all."""
    plain = texts.cast(pa.large_string())
    _, starts, data = plain.buffers()
    if starts is None:
        return np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.uint8)
    ends = np.frombuffer(starts, dtype=np.int64)[plain.offset : plain.offset + len(plain) + 1]
    whole = np.frombuffer(data or b"", dtype=np.uint8)
    return ends - ends[0], whole[ends[0] : ends[-1]]


def cut_texts(texts: Any) -> Any:
    """Cut texts after so many characters: what differs only beyond is free text in any case."""
    longest = pc.max(pc.binary_length(texts)).as_py() or 0
    return texts if longest <= _LONGEST_BYTES else pc.utf8_slice_codeunits(texts, 0, _LONGEST_BYTES)
