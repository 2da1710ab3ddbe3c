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


# Columns of files as they were parsed (arrays, batch by batch), and files as they were opened.
_columns: ContextVar[dict[Hashable, list[Any]] | None] = ContextVar("tamis_columns", default=None)
_opened: ContextVar[dict[Hashable, Any] | None] = ContextVar("tamis_opened", default=None)


@contextmanager
def share_passes() -> Iterator[None]:
    """Let all that is read while the block runs share what was parsed; a block within joins it."""
    if _columns.get() is not None:
        yield
        return
    tokens = _columns.set({}), _opened.set({})
    try:
        yield
    finally:
        _columns.reset(tokens[0])
        _opened.reset(tokens[1])


def open_once(key: Hashable, make: Callable[[], Shared]) -> Shared:
    """Open a file, or give it as it was when it was opened before, for all that share it."""
    opened = _opened.get()
    if opened is None:
        return make()
    if key not in opened:
        opened[key] = make()
    found: Shared = copy(opened[key])  # what is learnt of one is not known of the other
    return found


def read_once(
    keys: Sequence[Hashable], names: list[str], size: int, read: Callable[[], Iterator[Any]]
) -> Iterator[Any]:
    """Yield the batches of some columns, parsed once for all that share them.

    `keys` say what each column is: of which file of `size` bytes, and how it is parsed.
    """
    columns = _columns.get()
    if columns is None:
        yield from read()
        return
    if keys and all(key in columns for key in keys):
        import pyarrow as pa  # not loaded before a table is

        for some in zip(*(columns[key] for key in keys), strict=True):
            yield pa.RecordBatch.from_arrays(list(some), names)
        return
    taken = sum(part.nbytes for parts in columns.values() for part in parts)
    room, batches = min(MAX_SHARED_BYTES, get_budget() // _HELD_BUDGET_PART) - taken, read()
    held: list[Any] = []
    if size <= min(MAX_SMALL_FILE, room):
        left = room
        while left >= 0 and (batch := next(batches, None)) is not None:
            held.append(batch)
            left -= batch.nbytes
        if left >= 0:
            _hold(columns, keys, held)
            yield from held
            return
        batches = _follow(held, batches)  # small only as it is packed
        room = 0
    total, held = 0, []
    for batch in batches:
        total += batch.nbytes
        if total <= room:
            held.append(batch)
        else:
            held.clear()
        yield batch
    if total <= room:
        _hold(columns, keys, held)


def _hold(columns: dict[Hashable, list[Any]], keys: Sequence[Hashable], batches: list[Any]) -> None:
    for j, key in enumerate(keys):
        columns.setdefault(key, [batch.column(j) for batch in batches])


def _follow(first: list[Any], others: Iterator[Any]) -> Iterator[Any]:
    """Yield the first batches, which are let go, and those that follow."""
    while first:
        yield first.pop(0)
    yield from others
