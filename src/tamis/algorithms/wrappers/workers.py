"""Processes that compute for another: they end when it does, however it ends."""

import os
import threading
import time

__all__ = ["end_with"]

_POLL_SECONDS = 1.0  # seconds between two looks
_watched: set[int] = set()


def end_with(parent: int) -> None:
    """Let this process end soon after its `parent` has; in the parent itself nothing changes.

    A parent that is killed cannot say so: its workers would wait for minutes for more work.
    """
    if os.getpid() == parent or parent in _watched or os.name != "posix":
        return
    _watched.add(parent)
    threading.Thread(target=_watch, args=(parent,), name="tamis-watch", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL_SECONDS)
    os._exit(1)
