"""A progress bar for a person at a terminal, and nothing for anybody else."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from tamis.progress import listening

_WAIT = 1.0
_EVERY = 0.1
_WIDTH = 24
_LONG = 5.0


@contextmanager
def progress_bar(stream: TextIO | None = None) -> Iterator[None]:
    """Draw on `stream` how far work has come, once it has taken more than a second."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield
        return
    bar = _Bar(stream)
    try:
        with listening(bar.show):
            yield
    finally:
        bar.clear()


class _Bar:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._start = self._last = time.monotonic()
        self._drawn = False
        self._label, self._done, self._since = "", 0, self._start

    def show(self, label: str, done: int, total: int | None) -> None:
        """Draw the bar, not before a second has passed and not too often."""
        now = time.monotonic()
        if label != self._label or done < self._done:  # other work, or the same once more
            self._label, self._since = label, now
        self._done = done
        if now - self._start < _WAIT or (now - self._last < _EVERY and done != total):
            return
        self._last, self._drawn = now, True
        left = time_left(now - self._since, done, total)
        self._stream.write(f"\r\x1b[K{line(label, done, total)}{left}")
        self._stream.flush()

    def clear(self) -> None:
        """Take the bar off the screen."""
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def line(label: str, done: int, total: int | None) -> str:
    """Write one state of the bar.

    >>> line("columns taken", 5, 20)
    '[######                  ] 5 of 20 columns taken'
    """
    if not total:
        return f"{done:,} {label}"
    filled = _WIDTH * min(done, total) // total
    return f"[{'#' * filled}{' ' * (_WIDTH - filled)}] {done:,} of {total:,} {label}"


def time_left(seconds: float, done: int, total: int | None) -> str:
    """Say how long work will take that has taken this long, once that is more than a moment.

    >>> time_left(30.0, 5, 20), time_left(600.0, 5, 20), time_left(2.0, 5, 20)
    (', about 90 s left', ', about 30 min left', '')
    """
    if seconds < _LONG or not total or not 0 < done < total:
        return ""
    left = seconds * (total - done) / done
    return f", about {left:.0f} s left" if left < 120 else f", about {left / 60:.0f} min left"
