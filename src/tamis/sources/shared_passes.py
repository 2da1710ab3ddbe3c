"""Text files parsed once: what all passes over a file share while one question is answered.

A table is read several times: to see what its columns are, for their levels and limits, for the
sums. Parsing text is the slowest of it. Where the parsed columns fit, they are held until the
question is answered; a file that is too large is read again, as often as it takes.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from typing import Any, TypeVar

from tamis.memory import get_budget

MAX_SHARED_BYTES = 1 << 28
MAX_SMALL_FILE = 1 << 24  # bytes: all of it is parsed even if only its first rows are asked for
_HELD_BUDGET_PART = 8  # of the memory budget may be held

Shared = TypeVar("Shared")


class SharedPasses:
    """Columns of files as they were parsed, and files as they were opened."""

    def __init__(self) -> None:
        self._columns: dict[Hashable, list[Any]] = {}
        self._opened: dict[Hashable, Any] = {}
        self._bytes = 0

    @property
    def room(self) -> int:
        """Bytes that may still be held."""
        return min(MAX_SHARED_BYTES, get_budget() // _HELD_BUDGET_PART) - self._bytes

    def find(self, keys: Sequence[Hashable], names: list[str]) -> Iterator[Any] | None:
        """Give the batches of these columns, None if any of them is not held."""
        import pyarrow as pa  # not loaded before a table is

        parts = [self._columns.get(key) for key in keys]
        known = [part for part in parts if part is not None]
        if not parts or len(known) < len(parts):
            return None
        return (pa.RecordBatch.from_arrays(list(some), names) for some in zip(*known, strict=True))

    def hold(self, keys: Sequence[Hashable], batches: list[Any]) -> None:
        """Keep the columns of all batches of a file."""
        for j, key in enumerate(keys):
            if key not in self._columns:
                self._columns[key] = [batch.column(j) for batch in batches]
                self._bytes += sum(part.nbytes for part in self._columns[key])

    def open(self, key: Hashable, make: Callable[[], Shared]) -> Shared:
        """Open a file, or give it as it was when it was opened before."""
        if key not in self._opened:
            self._opened[key] = make()
        found: Shared = copy(self._opened[key])  # what is learnt of one is not known of the other
        return found


_shared: ContextVar[SharedPasses | None] = ContextVar("tamis_shared_passes", default=None)


@contextmanager
def share_passes() -> Iterator[None]:
    """Let all that is read while the block runs share what was parsed; a block within joins it."""
    if _shared.get() is not None:
        yield
        return
    token = _shared.set(SharedPasses())
    try:
        yield
    finally:
        _shared.reset(token)


def open_once(key: Hashable, make: Callable[[], Shared]) -> Shared:
    """Open a file, once for all that share it."""
    shared = _shared.get()
    return make() if shared is None else shared.open(key, make)


def read_once(
    keys: Sequence[Hashable], names: list[str], size: int, read: Callable[[], Iterator[Any]]
) -> Iterator[Any]:
    """Yield the batches of some columns, parsed once for all that share them.

    `keys` say what each column is: of which file of `size` bytes, and how it is parsed.
    """
    shared = _shared.get()
    if shared is None:
        yield from read()
        return
    found = shared.find(keys, names)
    if found is not None:
        yield from found
        return
    room, batches = shared.room, read()
    if size <= min(MAX_SMALL_FILE, room):
        first = _read_up_to(room, batches)
        if sum(batch.nbytes for batch in first) <= room:
            shared.hold(keys, first)
            yield from first
            return
        batches = _follow(first, batches)  # small only as it is packed
        room = 0
    held: list[Any] = []
    total = 0
    for batch in batches:
        total += batch.nbytes
        if total <= room:
            held.append(batch)
        else:
            held.clear()
        yield batch
    if total <= room:
        shared.hold(keys, held)


def _read_up_to(size: int, batches: Iterator[Any]) -> list[Any]:
    """Read batches to the end, or until they take more than so many bytes."""
    found: list[Any] = []
    for batch in batches:
        found.append(batch)
        size -= batch.nbytes
        if size < 0:
            break
    return found


def _follow(first: list[Any], others: Iterator[Any]) -> Iterator[Any]:
    """Yield the first batches, which are let go, and those that follow."""
    while first:
        yield first.pop(0)
    yield from others
