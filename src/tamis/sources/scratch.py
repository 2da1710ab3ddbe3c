"""Folders for tables that must be copied to be read; they are deleted when the process ends."""

import atexit
import errno
import secrets
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tamis.errors import TamisError

__all__ = ["scratch_folder", "with_room"]

# What a folder that is full, forbidden or not there answers; all else is no matter of the folder.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.ENOENT,
            errno.ENOTDIR)  # fmt: skip


def scratch_folder() -> Path:
    """Make an empty folder, for this user alone, that lasts as long as this process."""
    with with_room():
        folder = Path(tempfile.gettempdir()) / f"tamis-{secrets.token_hex(8)}"
        # Before it is made: whenever the process is stopped, nothing is left behind.
        atexit.register(_delete, folder)
        folder.mkdir(mode=0o700)
    return folder


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
