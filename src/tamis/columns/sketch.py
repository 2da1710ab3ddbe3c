"""How many different values a column has, and how often each comes: exact up to a limit.

The values with the smallest hashes are kept, each with its exact count: once a value is among
them at the end, it was so from its first row on. Up to `room` different values that is all of
them; beyond, it is a random sample of the different values that no order of the rows changes.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tamis.numerics.hashing import GOLDEN, hash_bits
from tamis.rules.kinds import MAX_TEXT_LETTERS
from tamis.sources.arrow import as_arrow

Hashes = NDArray[np.uint64]

_HASH_BASE = 0x0000_0100_0000_01B3  # odd: its powers stay odd modulo 2^64
_SECOND = np.uint64(0xD6E8_FEB8_6659_FD93)
_SECOND_INVERSE, _GOLDEN_INVERSE = (
    np.uint64(pow(int(one), -1, 1 << 64)) for one in (_SECOND, GOLDEN)
)


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
    if longest <= MAX_TEXT_LETTERS:
        return texts
    return pc.utf8_slice_codeunits(texts, 0, MAX_TEXT_LETTERS)


PickTexts = Callable[[NDArray[np.bool_]], list[str]]  # gives some of the texts
Counted = tuple[Hashes, NDArray[np.int64]]

_ALL_HASHES = 2.0**64
_FIRST_TAKEN = 3  # times the room, of the first numbers: enough if each comes twice or thrice


def _find_bounds(ordered: Hashes) -> NDArray[np.intp]:
    """Give where each run of equal hashes begins, and at last where all end."""
    differs = np.ones(ordered.size + 1, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=differs[1:-1])
    return np.flatnonzero(differs)


def _count_ordered(ordered: Hashes) -> Counted:
    """Give the different ones among hashes in rising order, and how often each comes."""
    bounds = _find_bounds(ordered)
    return ordered[bounds[:-1]], bounds[1:] - bounds[:-1]


def _sum_equal(
    hashes: Hashes, counts: NDArray[np.int64]
) -> tuple[Hashes, NDArray[np.int64], NDArray[np.intp]]:
    """Put hashes in order and add up the counts of equal ones; say where each came first."""
    order = np.argsort(hashes, kind="stable")
    hashes = hashes[order]
    starts = _find_bounds(hashes)[:-1]
    if starts.size == hashes.size:
        return hashes, counts[order], order
    return hashes[starts], np.add.reduceat(counts[order], starts), order[starts]


def _insert(held: Any, stay: Any, added: Any, fresh: Any) -> Any:
    """Put values where they belong among those held, as `np.insert` does in twice the time."""
    found = np.empty(stay.size, dtype=held.dtype)
    found[stay], found[added] = held, fresh
    return found


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
        self._texts: Any = None  # numbers follow from their hashes
        # Hashes of numbers that may be among those kept: they are counted when there are many.
        self._waiting: list[Hashes] = []
        self._overflown: tuple[NDArray[np.float64], NDArray[np.int64]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Give what a worker sends: counts are small, and what overflowed is not asked for."""
        self._settle()
        counts = self._counts.astype(np.min_scalar_type(self._counts.max(initial=0)))
        return {**vars(self), "_counts": counts, "_overflown": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was sent."""
        vars(self).update(state)
        self._counts = self._counts.astype(np.int64)

    @property
    def empty(self) -> bool:
        """Whether nothing was counted yet."""
        return not self._counts.size

    def add_numbers(
        self, values: NDArray[np.float64], counts: NDArray[np.int64] | None = None
    ) -> None:
        """Count finite numbers, with `counts` each so often."""
        if not values.size:
            return
        if counts is None and self.whole:
            if self.empty and self._take_smallest(values):
                return
            found = pc.value_counts(as_arrow(values + 0.0))
            values = np.asarray(np.from_dlpack(found.field("values")), dtype=np.float64)
            counts = np.asarray(np.from_dlpack(found.field("counts")), dtype=np.int64)
        hashes = hash_numbers(values)
        if counts is None:
            self._waiting += self._keep_near(hashes)
            if sum(map(len, self._waiting)) > self.room:
                self._settle()
        else:
            self._settle()
            self._merge(*_sum_equal(*self._keep_near(hashes, counts))[:2])

    def _take_smallest(self, values: NDArray[np.float64]) -> bool:
        """Take the first numbers by their smallest hashes, if these show that they are too many."""
        share = _FIRST_TAKEN * self.room / values.size
        if share >= 1.0:
            return False
        found = hash_numbers(values)
        smallest = found.compress(found <= np.uint64(share * _ALL_HASHES))
        smallest.sort()
        hashes, counts = _count_ordered(smallest)
        if hashes.size <= self.room:
            return False
        self._hashes, self._counts = hashes[: self.room], counts[: self.room]
        self.whole = False
        self._overflown = values, np.ones(values.size, dtype=np.int64)
        return True

    def _keep_near(self, hashes: Hashes, *others: Any) -> tuple[Any, ...]:
        """Give the hashes that may be among those kept, and what stands beside them."""
        if self.whole:
            return hashes, *others
        near = hashes <= self._hashes[-1]
        return tuple(one.compress(near) for one in (hashes, *others))

    def _settle(self) -> None:
        """Count the numbers that wait."""
        if self._waiting:
            waiting, self._waiting = np.concatenate(self._waiting), []
            waiting.sort()
            self._merge(*_count_ordered(waiting))

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
        hashes = self.hashes
        return unhash_numbers(hashes) if self._texts is None else self._texts

    def add_texts(self, texts: Any, counts: NDArray[np.int64]) -> None:
        """Count texts, each so often; an Arrow array without nulls, cut."""
        hashes = hash_texts(texts)
        hashes, counts, near = self._keep_near(hashes, counts, np.arange(hashes.size))
        if hashes.size:
            hashes, counts, first = _sum_equal(hashes, counts)
            first = near[first]
            self._merge(hashes, counts, lambda one: texts.take(as_arrow(first[one])).to_pylist())
            self._overflown = None

    def join(self, other: "DistinctSketch") -> None:
        """Count the values of other rows, of which there is a sketch with the same room."""
        self._settle()
        if other.counts.size:
            texts = other._texts
            pick = None if texts is None else lambda one: texts[one].tolist()
            self._merge(other.hashes, other.counts, pick)
            self._overflown = None
        # One that is not whole has `room` smaller hashes than any it has lost.
        self.whole = self.whole and other.whole

    def _merge(
        self, hashes: Hashes, counts: NDArray[np.int64], pick_texts: PickTexts | None = None
    ) -> None:
        """Count values that differ, in the order of their hashes; of texts, pick what is kept."""
        places = np.searchsorted(self._hashes, hashes)
        fresh = np.ones(hashes.size, dtype=bool)
        if self._hashes.size:
            fresh = self._hashes[np.minimum(places, self._hashes.size - 1)] != hashes
            self._counts[places[~fresh]] += counts[~fresh]
        if not self.whole:
            fresh &= places < self._hashes.size
        if not fresh.any():
            return
        added = places[fresh] + np.arange(np.count_nonzero(fresh))
        stay = np.ones(self._hashes.size + added.size, dtype=bool)
        stay[added] = False
        if pick_texts is not None:
            held = np.zeros(0, dtype=object) if self._texts is None else self._texts
            self._texts = _insert(held, stay, added, pick_texts(fresh))[: self.room]
        hashes = _insert(self._hashes, stay, added, hashes[fresh])
        counts = _insert(self._counts, stay, added, counts[fresh])
        if self.whole and hashes.size > self.room:
            self.whole = False
            self._overflown = None if pick_texts else (unhash_numbers(hashes), counts)
        self._hashes, self._counts = hashes[: self.room], counts[: self.room]

    def take_overflown(self) -> tuple[NDArray[np.float64], NDArray[np.int64]] | None:
        """Give all numbers with their counts, once, when they have just become too many."""
        found, self._overflown = self._overflown, None
        return found

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
