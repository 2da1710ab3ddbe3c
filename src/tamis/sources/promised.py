"""Two works in one pass over an engine's table: one that is asked for, and one that will be.

An engine may compute a table anew for every pass. So work that is likely to be asked for next is
done while the parts are read for something else, and what it found is kept beside the table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tamis.sources.source import Add, Arrays, PartedSource, Source, Work
from tamis.sources.wrapping import choose_view
from tamis.values import dataclass

__all__ = ["HeldPart", "Promise", "PromisedParts", "PromisedSums"]

MAX_HELD_BYTES = 1 << 28  # of a part that goes by once and is to be read twice
_AHEAD, _MISSED = "ahead ", "missed"


@dataclass(frozen=True, eq=False)
class Promise:
    """Work on some columns that is likely to be asked for; `key` says what it is."""

    key: Any
    columns: tuple[int, ...]
    work: Work
    add: Add


@dataclass(frozen=True, eq=False)
class PromisedSums:
    """What promised work has found."""

    key: Any
    columns: tuple[int, ...]
    sums: dict[str, Arrays]


class PromisedParts(PartedSource):
    """An engine's table of which the next pass over enough columns does promised work, too.

    What that finds is in `sums_ahead` of the table itself; nothing where a part was too large.
    """

    def __init__(self, inner: PartedSource, promise: Promise) -> None:
        self._inner, self._promise = inner, promise
        self._kept = False
        self.info = inner.info

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Bring the numbers of these columns home."""
        return self._inner.batches(columns)

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Bring these columns home as Arrow tables."""
        return self._inner.tables(columns, mark_missing=mark_missing)

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the table with these columns only, in the form it came in."""
        return self._inner.pick(columns)

    def head(self, columns: Sequence[int], rows: int) -> Any:
        """Bring the first rows of these columns home."""
        return self._inner.head(columns, rows)

    def gather(self, columns: Sequence[int], work: Work, add: Add) -> dict[str, Arrays]:
        """Do this work, and with it what was promised."""
        promise, place_of = self._promise, {j: place for place, j in enumerate(columns)}
        if self._kept or not place_of.keys() >= {*promise.columns}:
            return self._inner.gather(columns, work, add)
        self._kept = True
        places = [place_of[j] for j in promise.columns]
        both = partial(_do_both, work=work, ahead=promise.work, places=places)
        sums = self._inner.gather(columns, both, partial(_add_either, add=add, ahead=promise.add))
        marked = [name for name in sums if name.startswith(_AHEAD)]
        ahead = {name.removeprefix(_AHEAD): _unmark(sums.pop(name)) for name in marked}
        if _MISSED not in ahead:
            self._inner.sums_ahead = PromisedSums(promise.key, promise.columns, ahead)
        return sums


def _do_both(
    number: int, part: Source, *, work: Work, ahead: Work, places: Sequence[int]
) -> dict[str, Arrays]:
    held = HeldPart(part) if part.info.once else part
    found = work(number, held)
    if isinstance(held, HeldPart) and not held.whole:
        return {**found, _AHEAD + _MISSED: {_AHEAD: np.array(1)}}
    more = ahead(number, choose_view(held, places))
    return {**found, **{_AHEAD + name: _mark(arrays) for name, arrays in more.items()}}


def _mark(arrays: Arrays) -> Arrays:
    """Mark the arrays of promised work, which are added in another way."""
    return {_AHEAD + name: values for name, values in arrays.items()}


def _unmark(arrays: Arrays) -> Arrays:
    return {name.removeprefix(_AHEAD): values for name, values in arrays.items()}


def _add_either(parts: Sequence[Arrays], *, add: Add, ahead: Add) -> Arrays:
    if not all(name.startswith(_AHEAD) for name in parts[0]):
        return add(parts)
    if _AHEAD in parts[0]:
        return parts[0]
    return _mark(ahead([_unmark(one) for one in parts]))


class HeldPart(Source):
    """A part that goes by once, held while it is read first; `whole` is whether all of it is."""

    def __init__(self, inner: Source) -> None:
        self._inner, self.whole = inner, False
        self._held: list[Any] = []
        self.info = replace(inner.info, once=False)

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:
        """Yield these columns as Arrow tables."""
        for table in self._held if self.whole else self._hold(mark_missing=mark_missing):
            yield table.select(list(columns))

    def _hold(self, *, mark_missing: bool) -> Iterator[Any]:
        size = 0
        for table in self._inner.tables(range(len(self.names)), mark_missing=mark_missing):
            size += table.nbytes
            if size <= MAX_HELD_BYTES:
                self._held.append(table)
            else:
                self._held = []
            yield table
        self.whole = size <= MAX_HELD_BYTES

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns."""
        from tamis.sources.arrow import as_floats

        for table in self.tables(columns):
            if table.num_rows:
                yield as_floats(*table.to_batches())

    def pick(self, columns: Sequence[int]) -> Any:
        """Give these columns as one Arrow table."""
        import pyarrow as pa

        return pa.concat_tables(self.tables(columns))
