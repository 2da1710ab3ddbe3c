"""A limit on time: long work checks the clock whenever it reports progress."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tamis.progress import check_at_progress

_WITHOUT = 30.0  # seconds for all repeats of one method where there is no budget


class OutOfTime(Exception):
    """The time is over; what is done is kept."""


class Deadline:
    """So many seconds from now on, or no limit."""

    def __init__(self, seconds: float | None) -> None:
        self.budget = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def part(self, share: float) -> "Deadline":
        """Give the deadline of work that may take this share of the time left."""
        return Deadline(None if self._end is None else share * self.left)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return float("inf") if self._end is None else self._end - time.monotonic()

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return self.left <= 0

    def affords(self, seconds: float) -> bool:
        """Whether one method's repeats may take so long: half of what is left, or half a minute."""
        return seconds <= (_WITHOUT if self._end is None else self.left / 2)

    @contextmanager
    def limit_share(self, share: float = 1.0) -> Iterator[None]:
        """Let the block have this share of the time that is left, and raise `OutOfTime` then."""
        if self._end is None:
            yield
            return
        end = time.monotonic() + share * self.left

        def check() -> None:
            if time.monotonic() > end:
                raise OutOfTime

        with check_at_progress(check):
            check()
            yield
