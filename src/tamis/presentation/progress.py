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

    def show(self, label: str, done: int, total: int | None) -> None:
        """Draw the bar, not before a second has passed and not too often."""
        now = time.monotonic()
        if now - self._start < _WAIT or (now - self._last < _EVERY and done != total):
            return
        self._last, self._drawn = now, True
        self._stream.write(f"\r\x1b[K{line(label, done, total)}")
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
