"""Folders for tables that must be copied to be read; they are deleted when the process ends.

A process holds a lock on each of its folders, which ends with it however it ends: a folder without
one was left by a process that was killed, and the next one deletes it.
"""

import atexit
import errno
import os
import re
import secrets
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from tamis.errors import TamisError
from tamis.sources.draft import fcntl

__all__ = ["scratch_folder", "with_room"]

# What a folder that is full, forbidden or not there answers; all else is no matter of the folder.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.ENOENT,
            errno.ENOTDIR)  # fmt: skip


_NAME = re.compile(r"tamis-copy-[0-9a-f]{16}")


def scratch_folder() -> Path:
    """Make an empty folder, for this user alone, that lasts as long as this process."""
    with with_room():
        place, key = Path(tempfile.gettempdir()), secrets.token_hex(8)
        if fcntl is not None:
            _delete_left(place)
        folder, draft = place / f"tamis-copy-{key}", place / f".tamis-copy-{key}"
        # Before it is made: whenever the process is stopped, nothing is left behind.
        atexit.register(_delete, folder)
        atexit.register(_delete, draft)
        draft.mkdir(mode=0o700)
        if fcntl is not None:
            # It has its name only once it is locked; the lock ends with the process.
            with suppress(OSError):
                fcntl.flock(os.open(draft, os.O_RDONLY), fcntl.LOCK_SH)
        draft.rename(folder)
    return folder


@cache  # once a process
def _delete_left(place: Path) -> None:
    """Delete the folders of this user that no process holds any more."""
    names: list[str] = []
    with suppress(OSError), os.scandir(place) as entries:
        names += [entry.name for entry in entries if _NAME.fullmatch(entry.name)]
    for name in names:
        # Another process may delete it at the same time, or it is somebody else's.
        with suppress(OSError):
            handle = os.open(place / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                if os.fstat(handle).st_uid == os.getuid():
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(place / name, ignore_errors=True)
            finally:
                os.close(handle)


def _delete(folder: Path) -> None:
    """Delete a folder as the process ends; Ctrl-C does not leave half of it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def with_room() -> Iterator[None]:
    """Say in one sentence that there is no room for a copy."""
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        reason = (error.strerror or str(error)).lower()
        raise TamisError(
            f"The table cannot be copied to the temporary folder ({reason}): free some room there, "
            "or name another folder in the environment variable TMPDIR."
        ) from error
