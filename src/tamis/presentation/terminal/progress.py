"""A progress bar for a person at a terminal, and nothing for anybody else."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from tamis.progress import send_progress

_WAIT = 1.0
_EVERY = 0.1
_TICK = 0.5
_SILENT = 1.0
_PROGRESS_LETTERS = 24
_LONG_SECONDS = 2.0


@contextmanager
def progress_bar(stream: TextIO | None = None, label: str = "working") -> Iterator[None]:
    """Draw on `stream` how far work has come, once it has taken more than a second.

    Where nothing is heard of the work for a second, its last state or else its `label` is drawn
    with the time it has taken.
    """
    stream = stream or sys.stderr
    if stream is None or not stream.isatty():  # None: standard error is closed
        yield
        return
    bar = _Bar(stream, label)
    over = threading.Event()
    clock = threading.Thread(target=_tick, args=(bar, over), daemon=True)
    clock.start()
    try:
        with send_progress(bar.show, bar.hear_bytes):
            yield
    finally:
        over.set()
        clock.join()
        bar.clear()


def _tick(bar: "_Bar", over: threading.Event) -> None:
    while not over.wait(_TICK):
        bar.wait()


class _Bar:
    def __init__(self, stream: TextIO, label: str) -> None:
        self._stream = stream
        self._start = self._last = time.monotonic()
        self._drawn = False
        self._label, self._done, self._since = "", 0, self._start
        self._bytes = (0, 0)
        self._line = label
        self._lock = threading.Lock()  # the clock draws, too

    def hear_bytes(self, done: int, total: int) -> None:
        """Note how much of a table has been read, for the line that is drawn next."""
        self._bytes = (done, total)

    def show(self, label: str, done: int, total: int | None) -> None:
        """Draw the bar, not before a second has passed and not too often."""
        now = time.monotonic()
        work = label.partition(",")[0]  # what follows a comma is news of the same work
        if work != self._label or done < self._done:  # other work, or the same once more
            self._label, self._since = work, now
        self._done = done
        if now - self._start < _WAIT or (now - self._last < _EVERY and done != total):
            return
        read, self._bytes = self._bytes, (0, 0)
        left = time_left(now - self._since, *(read if read[1] and not total else (done, total)))
        self._line = line(label, done, total, *read)
        self._draw(f"{self._line}{left}", now)

    def wait(self) -> None:
        """Draw how long the work has taken, if nothing was heard of it for a second."""
        now = time.monotonic()
        if now - self._last >= _SILENT:
            self._draw(f"{self._line}, {now - self._start:.0f} s", self._last)

    def _draw(self, text: str, last: float) -> None:
        with self._lock:
            self._last, self._drawn = last, True
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()

    def clear(self) -> None:
        """Take the bar off the screen."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def line(label: str, done: int, total: int | None, read: int = 0, size: int = 0) -> str:
    """Write one state of the bar; `read` bytes of `size` where a table is read.

    >>> line("columns taken", 5, 20)
    '[######                  ] 5 of 20 columns taken'
    >>> line("rows read", 5000, None, 3_000_000, 12_000_000)
    '[######                  ] 5,000 rows read, 3 of 12 MB'
    """
    part = f", {_of(read, size)}" if size else ""
    if not total and not size:
        return f"{done:,} {label}"
    have, whole = (done, total) if total else (read, size)
    filled = _PROGRESS_LETTERS * min(have, whole) // whole
    count = f"{done:,} of {total:,}" if total else f"{done:,}"
    return f"[{'#' * filled}{' ' * (_PROGRESS_LETTERS - filled)}] {count} {label}{part}"


def _of(read: int, size: int) -> str:
    """Write bytes in the unit of their total.

    >>> _of(1_250_000_000, 10_000_000_000), _of(0, 800)
    ('1.2 of 10.0 GB', '0.0 of 0.8 kB')
    """
    unit, name = next(
        (u, n) for u, n in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")) if size >= u or u == 10**3
    )
    digits = 0 if size / unit >= 11 and name != "GB" else 1
    return f"{read / unit:.{digits}f} of {size / unit:.{digits}f} {name}"


def time_left(seconds: float, done: int, total: int | None) -> str:
    """Say how long work will take that has taken this long, once that is more than a moment.

    >>> time_left(30.0, 5, 20), time_left(600.0, 5, 20), time_left(1.0, 5, 20)
    (', about 90 s left', ', about 30 min left', '')
    """
    if seconds < _LONG_SECONDS or not total or not 0 < done < total:
        return ""
    left = seconds * (total - done) / done
    return f", about {left:.0f} s left" if left < 120 else f", about {left / 60:.0f} min left"
