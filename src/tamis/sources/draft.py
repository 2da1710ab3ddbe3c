"""Write a file whole or not at all: to a draft beside it, which then takes its place."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tamis.errors import TamisError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a draft to write to, and put it in the place of `path` when all went well."""
    try:
        target = path.resolve()  # a link stays one
        handle, name = tempfile.mkstemp(prefix=".tamis-", dir=target.parent)
        os.close(handle)
    except OSError as error:
        raise TamisError(unwritable(path, error)) from error
    draft = Path(name)
    try:
        yield draft
        draft.chmod(0o666 & ~_umask())
        draft.replace(target)
    except OSError as error:
        raise TamisError(unwritable(path, error)) from error
    finally:
        draft.unlink(missing_ok=True)


def unwritable(path: Path, error: OSError) -> str:
    """Say why a file cannot be written."""
    reason = (error.strerror or str(error)).lower()
    return f"Cannot write {str(path)!r}: {reason}."


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
