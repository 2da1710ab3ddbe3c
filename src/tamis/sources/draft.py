"""Write a file whole or not at all: to a draft beside it, which then takes its place."""

import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from tamis.errors import TamisError

_GROUP_PERMISSIONS = 0o070


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Give a draft to write to, and put it in the place of `path` when all went well.

    A file that was there before leaves its mode and, where the system allows it, its owner and
    group to the new one; a new file has what the umask says.
    """
    target = resolve_path(path)
    # The name is known before there is a file: whenever the process is stopped, it is deleted.
    draft = target.with_name(f".tamis-{secrets.token_hex(8)}")
    try:
        before = target.stat() if target.exists() else None
        mode = 0o666 if before is None else 0o600
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        yield draft
        if before is not None:
            _pass_on(before, draft)
        draft.replace(target)
    except OSError as error:
        raise TamisError(explain_unwritable(path, error)) from error
    finally:
        with suppress(OSError):
            draft.unlink()


def resolve_path(path: Path) -> Path:
    """Follow links, so that a link stays one; refuse what is no path or leads nowhere."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a loop is a RuntimeError
        raise TamisError(explain_unwritable(path, error)) from error


def explain_unwritable(path: Path, error: Exception) -> str:
    """Say why a file cannot be written."""
    if isinstance(error, OSError):
        reason = (error.strerror or str(error)).lower()
    elif isinstance(error, RuntimeError):
        reason = "its links lead in a circle"
    else:
        reason = "the system has no such name for a file"
    return f"Cannot write {str(path)!r}: {reason}."


def _pass_on(before: os.stat_result, draft: Path) -> None:
    """Give a draft the owner, group and mode of the file whose place it takes."""
    mode, made = stat.S_IMODE(before.st_mode), draft.stat()
    if hasattr(os, "chown"):
        for owner, group in ((before.st_uid, -1), (-1, before.st_gid)):
            with suppress(OSError):  # only root may give files away
                os.chown(draft, owner, group)
        made = draft.stat()
    # What one group may read is not for another.
    draft.chmod(mode if made.st_gid == before.st_gid else mode & ~_GROUP_PERMISSIONS)


fcntl: Any = None
with suppress(ImportError):  # not every system has such locks
    fcntl = import_module("fcntl")


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
            # A lock of a process that was killed: of several that see it, one removes it.
            with suppress(FileNotFoundError):
                if time.time() - lock.stat().st_mtime > _STALE:
                    aside = lock.with_name(f"{lock.name}.{os.getpid()}")
                    lock.rename(aside)
                    aside.unlink(missing_ok=True)
            time.sleep(_LOCK_POLL_SECONDS)
        else:
            return lock
