"""A table on standard input: kept in a temporary file, since it is read more than once."""

import sys
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tamis.errors import TamisError
from tamis.progress import report_progress
from tamis.sources.scratch import scratch_folder, with_room

__all__ = ["LABEL", "NAME", "standard_input"]

NAME = "-"
LABEL = "standard input"

_COPY_BLOCK_BYTES = 1 << 20
_STARTS_OF_FILES = {
    b"PAR1": ".parquet",
    b"ARROW1": ".arrow",
    b"\x1f\x8b": ".csv.gz",
    b"BZh": ".csv.bz2",
    b"PK\x03\x04": ".npz",
}

_kept: list[tuple[Any, Path]] = []  # the stream that was read, with its file


def standard_input() -> Path:
    """Give a file with all that standard input has; it is read at the first call."""
    stream = sys.stdin
    for known, path in _kept:
        if known is stream:
            return path
    if stream is None or stream.isatty():
        raise TamisError(
            f"{NAME} stands for standard input, and nothing is piped into it: give a file instead, "
            "or pipe a table into the command."
        )
    path = _copy_stream(getattr(stream, "buffer", stream), scratch_folder())
    _kept[:] = [(stream, path)]
    return path


def _copy_stream(stream: Any, folder: Path) -> Path:
    draft, done = folder / "draft", 0
    with with_room(), draft.open("wb") as copy:
        for block in _blocks(stream):
            done += copy.write(block)
            report_progress("MB of standard input read", done >> 20)
    return draft.rename(folder / f"{LABEL}{_suffix(draft)}")


def _blocks(stream: Any) -> Iterator[bytes]:
    """Read all there is."""
    try:
        while block := stream.read(_COPY_BLOCK_BYTES):
            yield block
    except OSError as error:  # a folder, or a device that fails
        reason = (error.strerror or str(error)).lower()
        raise TamisError(f"Standard input cannot be read: {reason}.") from error


def _suffix(path: Path) -> str:
    """Find out by the first bytes what a file holds; text is the most common."""
    with path.open("rb") as file:
        first = file.read(8)
    suffix = next(
        (kind for start, kind in _STARTS_OF_FILES.items() if first.startswith(start)), ".csv"
    )
    if suffix == ".npz":
        # A damaged archive is for its reader to refuse. What can be wrong with one has no list.
        with suppress(Exception), zipfile.ZipFile(path) as archive:
            return ".xlsx" if "xl/workbook.xml" in archive.namelist() else suffix
    return suffix
