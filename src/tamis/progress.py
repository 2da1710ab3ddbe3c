"""Report the progress of long work to a listener; silent without one."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[str, int, int | None], None]

_listener: ContextVar[Listener | None] = ContextVar("tamis_progress", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Send `(label, done, total)` to `listener` while the block runs."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def track(
    label: str,
    items: Iterable[T],
    total: int | None = None,
    size: Callable[[T], int] = lambda _: 1,
) -> Iterator[T]:
    """Yield `items`, reporting after each how much is done."""
    done = 0
    for item in items:
        yield item
        done += size(item)
        tell(label, done, total)


def tell(label: str, done: int, total: int | None = None) -> None:
    """Report how much is done, for work that is no plain loop."""
    listener = _listener.get()
    if listener is not None:
        listener(label, done, total)
