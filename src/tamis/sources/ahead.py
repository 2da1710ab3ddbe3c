"""Read ahead: one thread makes the next batches while the last one is worked on."""

import contextvars
import threading
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, Full, Queue
from typing import TypeVar

from tamis.numerics.threads import leave_a_core

T = TypeVar("T")

_POLL = 0.05
_END_MARK = object()


class _Failure:
    def __init__(self, error: BaseException) -> None:
        self.error = error


def read_ahead(read: Callable[[], Iterable[T]], depth: int = 1) -> Iterator[T]:
    """Yield what `read()` gives, in its order, made by a thread at most `depth` items ahead.

    What goes wrong there is raised here. The thread ends before this generator does, also when the
    reader stops half-way or is interrupted.

    >>> list(read_ahead(lambda: range(3)))
    [0, 1, 2]
    """
    ready: Queue[object] = Queue(maxsize=depth)
    stopped = threading.Event()
    context = contextvars.copy_context()  # the memory budget and how messages spell options
    thread = threading.Thread(
        target=context.run, args=(_fill, read, ready, stopped), name="tamis-reader", daemon=True
    )
    try:
        with leave_a_core():  # which looks for libraries, and must not while the thread loads one
            thread.start()
            while (item := ready.get()) is not _END_MARK:
                if isinstance(item, _Failure):
                    raise item.error
                yield item  # type: ignore[misc]  # the queue holds nothing else
                del item  # or it would live on while the next one is waited for
    finally:
        stopped.set()
        _empty(ready)
        if thread.ident is not None:  # it was started
            thread.join()


def _fill(
    read: Callable[[], Iterable[T]], ready: "Queue[object]", stopped: threading.Event
) -> None:
    """Put every item into the queue, then the end or what went wrong."""
    last: object = _END_MARK
    items: Iterable[T] = ()
    try:
        items = read()
        for item in items:
            if not _put(item, ready, stopped):
                break
            del item
    except BaseException as error:  # an interrupt, too, is for the one who reads
        last = _Failure(error)
    finally:
        close = getattr(items, "close", None)
        if close is not None:
            close()  # files are closed by the thread that opened them
    _put(last, ready, stopped)


def _put(item: object, ready: "Queue[object]", stopped: threading.Event) -> bool:
    """Wait for room; give False once nobody reads any more."""
    while not stopped.is_set():
        try:
            ready.put(item, timeout=_POLL)
        except Full:
            continue
        return True
    return False


def _empty(ready: "Queue[object]") -> None:
    try:
        while True:
            ready.get_nowait()
    except Empty:
        return
