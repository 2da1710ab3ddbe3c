"""Report the progress of long work to a listener; silent without one."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[str, int, int | None], None]
ByteListener = Callable[[int, int], None]

_listener: ContextVar[Listener | None] = ContextVar("tamis_progress", default=None)
_byte_listener: ContextVar[ByteListener | None] = ContextVar("tamis_bytes", default=None)


@dataclass
class Meter:
    """How many bytes of a table have been read, of how many."""

    total: int
    done: int = 0


@contextmanager
def send_progress(listener: Listener, bytes_read: ByteListener | None = None) -> Iterator[None]:
    """Send `(label, done, total)` to `listener` while the block runs.

    Where a table is read whose size is known, `bytes_read` hears of `(bytes, of bytes)` before.
    """
    tokens = _listener.set(listener), _byte_listener.set(bytes_read)
    try:
        yield
    finally:
        _listener.reset(tokens[0])
        _byte_listener.reset(tokens[1])


@contextmanager
def check_at_progress(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` whenever progress is reported while the block runs; it may raise to end it."""
    outer = _listener.get()

    def checked(label: str, done: int, total: int | None) -> None:
        check()
        if outer is not None:
            outer(label, done, total)

    with send_progress(checked):
        yield


def track(
    label: str,
    items: Iterable[T],
    total: int | None = None,
    size: Callable[[T], int] = lambda _: 1,
    meter: Meter | None = None,
) -> Iterator[T]:
    """Yield `items`, reporting after each how much is done."""
    bytes_read = _byte_listener.get()
    done = 0
    for item in items:
        yield item
        done += size(item)
        if bytes_read is not None and meter is not None:
            bytes_read(meter.done, meter.total)
        report_progress(label, done, total)


def report_progress(label: str, done: int, total: int | None = None) -> None:
    """Report how much is done, for work that is no plain loop."""
    listener = _listener.get()
    if listener is not None:
        listener(label, done, total)
