"""How many different values a column has, and how often each comes: exact up to a limit.

The values with the smallest hashes are kept, each with its exact count: once a value is among
them at the end, it was so from its first row on. Up to `room` different values that is all of
them; beyond, it is a random sample of the different values that no order of the rows changes.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tamis.numerics.hashing import GOLDEN, hash_bits

__all__ = ["DistinctSketch", "hash_numbers", "hash_texts"]

Hashes = NDArray[np.uint64]

_ALL_HASHES = 2.0**64
_HASH_BASE = 0x0000_0100_0000_01B3  # odd: its powers stay odd modulo 2^64
_SECOND = np.uint64(0xD6E8_FEB8_6659_FD93)
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


def hash_texts(texts: Any) -> Hashes:
    """Give every text of an Arrow array without nulls a hash, the same in every process.

    It is a polynomial in the bytes modulo 2^64: the texts may be cut first, see `cut_texts`.
    """
    plain = texts.cast(pa.large_binary())
    sizes = np.from_dlpack(pc.binary_length(plain)).astype(np.int64)
    data = np.frombuffer(b"".join(plain.to_pylist()), dtype=np.uint8).astype(np.uint64) + np.uint64(
        1
    )
    ends = np.cumsum(sizes)
    within = np.arange(data.size) - np.repeat(ends - sizes, sizes)
    longest = int(sizes.max(initial=0))
    with np.errstate(over="ignore"):
        powers = np.concatenate([[np.uint64(1)], np.full(longest, _HASH_BASE, dtype=np.uint64)])
        terms = data * np.multiply.accumulate(powers)[within]
        summed = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms, dtype=np.uint64)])
        return hash_bits(summed[ends] - summed[ends - sizes] + GOLDEN)


def _as_arrow(values: NDArray[np.float64]) -> Any:
    """Give numbers to Arrow as they are; `pa.array` would load pandas where there is one."""
    return pa.Array.from_buffers(pa.float64(), values.size, [None, pa.py_buffer(values)])


def cut_texts(texts: Any) -> Any:
    """Cut texts after so many characters: what differs only beyond is free text in any case."""
    return pc.utf8_slice_codeunits(texts, 0, _LONGEST_BYTES)


class DistinctSketch:
    """The different values of a column with their counts, or a random sample of them.

    `values` are floats or texts, by hash; `whole` is whether they are all.

    Examples
    --------
    >>> sketch = DistinctSketch(room=100)
    >>> sketch.add_numbers(np.array([3.0, 1.0, 3.0]))
    >>> sketch.distinct, sketch.whole, sorted(zip(sketch.values, sketch.counts.tolist()))
    (2, True, [(np.float64(1.0), 1), (np.float64(3.0), 2)])
    """

    def __init__(self, room: int) -> None:
        self.room = room
        self.whole = True
        self._hashes: Hashes = np.zeros(0, dtype=np.uint64)
        self._counts = np.zeros(0, dtype=np.int64)
        self._values: Any = np.zeros(0)
        # Numbers that may be among those kept: they are put in order when there are many.
        self._waiting: list[NDArray[np.float64]] = []
        self._overflown: tuple[Any, NDArray[np.int64]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Give what a worker sends: hashes of numbers follow from them, and counts are small."""
        self._settle()
        counts = self._counts.astype(np.min_scalar_type(self._counts.max(initial=0)))
        hashes = None if self._values.dtype == np.float64 else self._hashes
        return {**vars(self), "_hashes": hashes, "_counts": counts, "_overflown": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was sent."""
        vars(self).update(state)
        self._counts = self._counts.astype(np.int64)
        if state["_hashes"] is None:
            self._hashes = hash_numbers(self._values)

    def take_overflown(self) -> tuple[Any, NDArray[np.int64]] | None:
        """Give once all values and counts up to the batch with which they were too many."""
        overflown, self._overflown = self._overflown, None
        return overflown

    def add_numbers(
        self, values: NDArray[np.float64], counts: NDArray[np.int64] | None = None
    ) -> None:
        """Count finite numbers; with `counts` they are different ones, each so often."""
        if not values.size:
            return
        if counts is not None:
            self._settle()
            self._merge(hash_numbers(values), values + 0.0, counts)
            return
        if self.whole:
            self._count(values)
            return
        self._waiting.append(values[hash_numbers(values) <= self._hashes[-1]])
        if sum(map(len, self._waiting)) > self.room:
            self._settle()

    def _settle(self) -> None:
        """Count the numbers that wait."""
        if self._waiting:
            waiting, self._waiting = np.concatenate(self._waiting), []
            self._count(waiting)

    def _count(self, values: NDArray[np.float64]) -> None:
        if not values.size:
            return
        found = pc.value_counts(_as_arrow(values + 0.0))
        different: Any = np.from_dlpack(found.field("values"))
        times: Any = np.from_dlpack(found.field("counts"))
        self._merge(hash_numbers(different), different, times)

    @property
    def hashes(self) -> Hashes:
        """The hashes of the values that are kept, in rising order."""
        self._settle()
        return self._hashes

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each of them comes."""
        self._settle()
        return self._counts

    @property
    def values(self) -> Any:
        """The values that are kept, by hash."""
        self._settle()
        return self._values

    def add_texts(self, texts: Any, counts: NDArray[np.int64]) -> None:
        """Count different texts, each so often; an Arrow array without nulls, cut."""
        if len(texts):
            kept = np.asarray(texts.to_pylist(), dtype=object)
            self._merge(hash_texts(texts), kept, counts)
            self._overflown = None

    def join(self, other: "DistinctSketch") -> None:
        """Count the values of other rows, of which there is a sketch with the same room."""
        self._settle()
        if other.counts.size:
            self._merge(other.hashes, other.values, other.counts)
            self._overflown = None
        # One that is not whole has `room` smaller hashes than any it has lost.
        self.whole = self.whole and other.whole

    def _merge(self, hashes: Hashes, values: Any, counts: NDArray[np.int64]) -> None:
        if not self.whole:
            there = hashes <= self._hashes[-1]
            hashes, values, counts = hashes[there], values[there], counts[there]
        if self._counts.size:
            hashes = np.concatenate([self._hashes, hashes])
            values = np.concatenate([self._values, values])
            counts = np.concatenate([self._counts, counts])
        order = np.argsort(hashes, kind="stable")
        hashes = hashes[order]
        starts = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1]]))
        counts = np.add.reduceat(counts[order], starts).astype(np.int64)
        hashes, values = hashes[starts], values[order[starts]]
        if self.whole and hashes.size > self.room:
            self.whole = False
            self._overflown = values, counts
        self._hashes, self._counts = hashes[: self.room], counts[: self.room]
        self._values = values[: self.room]

    @property
    def distinct(self) -> int:
        """How many different values there are; an estimate where they are not kept whole."""
        if self.whole:
            return int(self.counts.size)
        largest = (float(self.hashes[-1]) + 1.0) / _ALL_HASHES
        return round((self.room - 1) / largest)

    @property
    def unique(self) -> float:
        """The share of the different values that come once."""
        return float((self.counts == 1).mean()) if self.counts.size else 0.0
