"""The page of `--open` without a name: in a folder that only this user can look into."""

import atexit
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tamis.errors import TamisError

__all__ = ["temporary_page"]

_PAGE_PREFIX = "tamis-page-"
_KEPT_SECONDS = 24 * 3600  # a browser may load the page again, but not after a day


def temporary_page() -> Path:
    """Make a folder for a page and give the page's path; folders of earlier days are deleted.

    If no page is written, the folder goes with the process.
    """
    try:
        _delete_old(Path(tempfile.gettempdir()))
        folder = Path(tempfile.mkdtemp(prefix=_PAGE_PREFIX))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise TamisError(
            f"--open: there is no temporary folder for the page ({reason}), name it with --report."
        ) from error
    atexit.register(_delete_empty, folder)
    return folder / "report.html"


def _delete_old(place: Path) -> None:
    """Delete what an earlier `--open` of this user left: real folders of theirs, not links."""
    for folder in place.glob(f"{_PAGE_PREFIX}*"):
        with suppress(OSError):
            found = folder.lstat()
            mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
            if mine and time.time() - found.st_mtime > _KEPT_SECONDS:
                shutil.rmtree(folder)  # which refuses a link


def _delete_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
