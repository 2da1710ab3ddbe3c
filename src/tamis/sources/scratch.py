"""Folders for tables that must be copied to be read; they are deleted when the process ends."""

import atexit
import shutil
from pathlib import Path
from tempfile import mkdtemp

__all__ = ["scratch_folder"]


def scratch_folder() -> Path:
    """Make an empty folder that lasts as long as this process."""
    folder = mkdtemp(prefix="tamis-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
