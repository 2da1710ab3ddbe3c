"""Write a file whole or not at all: to a draft beside it, which then takes its place."""

import os
import tempfile
from pathlib import Path

from tamis.errors import TamisError


def write_text(path: Path, text: str) -> Path:
    """Put the text in the place of the file, and give its path."""
    draft = None
    try:
        target = path.resolve()  # a link stays one
        handle, name = tempfile.mkstemp(prefix=".tamis-", dir=target.parent)
        draft = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        draft.chmod(0o666 & ~_read_umask())
        draft.replace(target)
    except OSError as error:
        raise TamisError(describe_failure(path, error)) from error
    finally:
        if draft is not None:
            draft.unlink(missing_ok=True)
    return path


def describe_failure(path: Path, error: OSError) -> str:
    """Say why a file cannot be written."""
    reason = (error.strerror or str(error)).lower()
    return f"Cannot write {str(path)!r}: {reason}."


def _read_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
