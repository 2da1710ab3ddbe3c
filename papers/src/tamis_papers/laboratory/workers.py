"""Processes that compute cells: they end when the one that started them does."""

import os
import threading
import time

__all__ = ["end_with"]

_SECONDS = 1.0  # between two looks


def end_with(parent: int) -> None:
    """Let this process end soon after its `parent` has; in the parent itself nothing changes.

    A parent that is killed cannot say so: its workers would wait for minutes for more work.
    """
    if os.getpid() == parent or os.name != "posix":
        return
    if any(thread.name == _name(parent) for thread in threading.enumerate()):
        return
    threading.Thread(target=_watch, args=(parent,), name=_name(parent), daemon=True).start()


def _name(parent: int) -> str:
    return f"tamis-papers-watch-{parent}"


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS)
    os._exit(1)
