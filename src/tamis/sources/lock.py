"""One process at a time changes a file: read, change and replace it under a lock."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from tamis.errors import TamisError
from tamis.sources.draft import explain_unwritable

fcntl: Any = None
with suppress(ImportError):  # not every system has such locks
    fcntl = import_module("fcntl")

__all__ = ["lock_file"]

_LOCK_POLL_SECONDS = 0.05  # seconds between two tries
_STALE = 600.0  # seconds after which a lock file is that of a process that was killed


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Wait until no other process holds this file, and hold it while the block runs."""
    target = path.resolve()  # a link and its file have one lock
    try:
        handle = _lock_file(target) if fcntl is not None else None
        beside = _lock_beside(target) if handle is None else None
    except OSError as error:
        raise TamisError(explain_unwritable(path, error)) from error
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)  # the lock ends with it, and with the process
        if beside is not None:
            beside.unlink(missing_ok=True)


def _lock_file(path: Path) -> int | None:
    """Lock the file itself; None where the system or the disk has no such locks."""
    while True:
        handle = os.open(path, os.O_RDWR)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:
            os.close(handle)
            return None
        except BaseException:
            os.close(handle)
            raise
        # Whoever held the lock has put another file in its place: wait for that one.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        os.close(handle)


def _lock_beside(path: Path) -> Path:
    """Make a file that only one process can make; a very old one is taken away."""
    lock = path.with_name(f".{path.name}.lock")
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            _take_away(lock)
            time.sleep(_LOCK_POLL_SECONDS)
        else:
            return lock


def _take_away(lock: Path) -> None:
    """Remove the lock of a process that was killed; of several that see it, one does."""
    with suppress(FileNotFoundError):
        if time.time() - lock.stat().st_mtime > _STALE:
            aside = lock.with_name(f"{lock.name}.{os.getpid()}")
            lock.rename(aside)
            aside.unlink(missing_ok=True)
