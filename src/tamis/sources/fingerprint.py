"""Which files went into a summary: a short hash of what each holds, whatever it is called."""

import hashlib
from functools import lru_cache
from pathlib import Path

from tamis.sources.files import explain_unreadable
from tamis.sources.source import Source

__all__ = ["hash_files"]

_HASH_LETTERS = (
    16  # of a hash, 64 bits: enough to tell files apart, and little to learn about what is in them
)


def hash_files(source: Source) -> tuple[str, ...]:
    """Give the hash of every file that a table is read from; none for what is no file."""
    return tuple(sorted({_hash_file(path) for path in source.info.files or ()}))


def _hash_file(path: Path) -> str:
    with explain_unreadable(path):
        state = path.stat()
        return _hash_of(path.resolve(), state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=4096)
def _hash_of(path: Path, size: int, changed: int) -> str:  # noqa: ARG001
    """Hash a file once, as long as its size and its time of change stay what they are."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:_HASH_LETTERS]
