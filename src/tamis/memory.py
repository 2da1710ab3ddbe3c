"""How much memory a table may take while it is read: a budget for batches and what is held."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tamis.errors import TamisError, spell

LEAST = 1 << 26
_DEFAULT_BYTES = 1 << 30
_BATCH_BYTES = 1 << 25
_BATCHES_IN_BUDGET = (
    32  # of the budget that a batch may take: some are on their way at the same time
)
_MIB, _GIB = 1 << 20, 1 << 30
_BYTES_BY_UNIT = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)I?B?\s*", re.IGNORECASE)
_LIMIT_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")

_given: ContextVar[int | None] = ContextVar("tamis_memory", default=None)


def get_budget() -> int:
    """Give the bytes that reading may take; without a limit a quarter of the machine's, or 1 GB."""
    given = _given.get()
    return max(_DEFAULT_BYTES, machine_bytes() // 4) if given is None else given


@contextmanager
def limit_memory(size: int | None) -> Iterator[None]:
    """Keep to a budget of so many bytes while the block runs; None changes nothing."""
    if size is None:
        yield
        return
    token = _given.set(size)
    try:
        yield
    finally:
        _given.reset(token)


def batch_rows(n_columns: int) -> int:
    """Give how many rows of float64 make a batch of moderate size."""
    return max(1, batch_bytes() // (8 * max(n_columns, 1)))


def batch_bytes() -> int:
    """Give the size of a batch: moderate, and a small share of the memory budget."""
    return min(_BATCH_BYTES, get_budget() // _BATCHES_IN_BUDGET)


def as_bytes(text: str) -> int | None:
    """Read a size with or without a unit; None if it is none.

    >>> as_bytes("1.5GB"), as_bytes("300 MiB"), as_bytes("much")
    (1610612736, 314572800, None)
    """
    found = _SIZE.fullmatch(text)
    return int(float(found[1]) * _BYTES_BY_UNIT[found[2].upper()]) if found else None


def machine_bytes() -> int:
    """Give the memory of the machine, or of the container if that has less."""
    from pathlib import Path  # help and lists of methods do without

    try:
        found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    except (AttributeError, OSError, ValueError):  # not on this system
        found = [4 * _DEFAULT_BYTES]
    for name in _LIMIT_FILES:
        try:
            text = Path(name).read_text().strip()
        except OSError:
            continue
        found += [int(text)] if text.isdigit() else []
    return min(found)


def check_size(size: int, what: str) -> None:
    """Refuse what would take more memory than allowed, once unpacked; `what` begins the sentence.

    The advice is rounded up to what is enough.
    """
    if size <= get_budget():
        return
    unit, name = (_GIB, "GB") if size >= _GIB else (_MIB, "MB")
    enough = spell("memory", f"{-(-size // unit)}{name}")
    raise TamisError(
        f"{what} takes {size / unit:,.1f} {name} once unpacked, more than the memory allowed: pass "
        f"{enough}, or omit the column if you do not need it."
    )


def check_room(size: int, what: str, advice: str = "") -> None:
    """Refuse what takes more bytes than reading may, before it is unpacked."""
    limit = get_budget()
    if size > limit:
        more = spell("memory", write_size(2 * size))
        raise TamisError(
            f"{what} would take {write_size(size)} of memory and the limit is {write_size(limit)}: "
            f"{advice}if the file is sound, raise the limit ({more})."
        )


def write_size(size: int) -> str:
    """Write a number of bytes, rounded up.

    >>> write_size(3 << 30), write_size(5 << 19)
    ('3GB', '3MB')
    """
    shift, unit = (30, "GB") if size >= 2 << 30 else (20, "MB")
    return f"{-(-size >> shift)}{unit}"
