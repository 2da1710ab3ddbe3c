"""How the command ends early: asked to by a signal, or with nobody to write to."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TextIO

__all__ = ["Ended", "end_by_signals", "silence"]

_SIGNAL_NAMES = ("SIGTERM", "SIGHUP")  # the second where a terminal is closed; not on every system


class Ended(KeyboardInterrupt):
    """The system asks the command to end: as at Ctrl-C, all that was begun is cleaned up."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def end_by_signals(*, last: bool = False) -> Iterator[None]:
    """Raise `Ended` when a signal asks the process to end, while the block runs.

    A signal that was ignored on purpose (`nohup`) stays so. After the `last` block of a process
    there is only cleaning up left, which is not stopped half-way.
    """
    changed = {}
    if threading.current_thread() is threading.main_thread():
        for number in signal.Signals:
            if number.name in _SIGNAL_NAMES and signal.getsignal(number) == signal.SIG_DFL:
                changed[number] = signal.signal(number, _end)
    try:
        yield
    finally:
        for number, before in changed.items():
            signal.signal(number, signal.SIG_IGN if last else before)
        if last and changed:
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as Python calls it
    raise Ended(number)


def silence(*streams: TextIO | None) -> None:
    """Send what is left in these streams nowhere: Python would complain about it as it ends."""
    for stream in streams:
        if stream is None:
            continue
        with suppress(OSError, ValueError):  # closed, or none of the system's
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
