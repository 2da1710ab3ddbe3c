"""What all files share: what goes wrong, what must not change, reading ahead, standard input."""

import contextvars
import errno
import hashlib
import sys
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Any, Concatenate, ParamSpec, TypeVar

from tamis.errors import TamisError, Unreadable, spell, spell_name
from tamis.numerics.threads import leave_a_core
from tamis.progress import report_progress
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.source import Source


@contextmanager
def explain_unreadable(path: Path | str, unit: str = "") -> Iterator[None]:
    """Turn what goes wrong while reading into one sentence; `unit` says where in the file."""
    label = path.name if isinstance(path, Path) else path
    place = f"{label}, {unit}," if unit else label
    hint = f", or pass {spell('skip_corrupt', True)} to do without it" if unit else ""
    try:
        yield
    except TamisError:
        raise
    except MemoryError as error:
        raise TamisError(
            f"{place} asks for more memory than there is: it is damaged, or you must choose fewer "
            f"columns with {spell_name('columns')}."
        ) from error
    # What readers raise on damaged bytes has no list: struct.error, SyntaxError, KeyError, ...
    except Exception as error:
        # A position before the beginning of a file, which damage asks for, is an OSError, too.
        if isinstance(error, OSError) and error.strerror and error.errno != errno.EINVAL:
            reason = error.strerror.lower()
            raise TamisError(
                f"{label} cannot be opened: {reason}, check it and its folder."
            ) from error
        # Some readers say nothing, some an expression of Python.
        first = error.args[0] if error.args else ""
        told = first if isinstance(first, str) and " " in first else str(error)
        reason = " ".join(told.split())[:200].rstrip(".")
        raise Unreadable(
            f"{place} cannot be read, it is damaged or not what its suffix says"
            f"{f' ({reason})' if reason else ''}: copy or export it again{hint}.",
            str(path),
            unit,
        ) from error


# A file as it was when somebody looked at it, and no other: its path, size and time of change.
FileState = tuple[str, int, int]


def look_at_file(path: Path) -> FileState:
    """Name this state of this file."""
    found = path.stat()
    return str(path.resolve()), found.st_size, found.st_mtime_ns


def check_unchanged(path: Path, before: FileState) -> None:
    """Refuse a file that is no longer what it was: one answer cannot rest on two tables."""
    try:
        same = look_at_file(path) == before
    except FileNotFoundError as error:
        raise TamisError(
            f"{path.name} has been removed while it was read: put it back and run again."
        ) from error
    if not same:
        raise TamisError(
            f"{path.name} has changed while it was read: run again once nothing writes to it."
        )


T = TypeVar("T")
P = ParamSpec("P")

_MAX_FILES_KNOWN = 4096


def once_per_file(make: Callable[Concatenate[Path, P], T]) -> Callable[Concatenate[Path, P], T]:
    """Let a function work once for each state of a file: a table is opened several times."""
    known: dict[tuple[object, ...], T] = {}

    @wraps(make)
    def find(path: Path, /, *how: P.args, **named: P.kwargs) -> T:
        key = (*look_at_file(path), *how, *named.items())
        if key not in known:
            known[key] = make(path, *how, **named)
            if len(known) > _MAX_FILES_KNOWN:
                del known[next(iter(known))]
        return known[key]

    return find


_HASH_LETTERS = 16  # 64 bits: enough to tell files apart, and little to learn of what is in them


def hash_files(source: Source) -> tuple[str, ...]:
    """Give a short hash of every file that a table is read from; none for what is no file."""
    found = set()
    for path in source.info.files or ():
        with explain_unreadable(path):
            found.add(_hash_file(path))
    return tuple(sorted(found))


@once_per_file
def _hash_file(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:_HASH_LETTERS]


_POLL = 0.05


def read_ahead(read: Callable[[], Iterable[T]], depth: int = 1) -> Iterator[T]:
    """Yield what `read()` gives, in its order, made by a thread at most `depth` items ahead.

    What goes wrong there is raised here. The thread ends before this generator does, also when the
    reader stops half-way or is interrupted.

    >>> list(read_ahead(lambda: range(3)))
    [0, 1, 2]
    """
    ready: Queue[tuple[bool, Any]] = Queue(maxsize=depth)
    stopped = threading.Event()
    context = contextvars.copy_context()  # the memory budget and how messages spell options
    thread = threading.Thread(
        target=context.run, args=(_fill, read, ready, stopped), name="tamis-reader", daemon=True
    )
    try:
        with leave_a_core():  # which looks for libraries, and must not while the thread loads one
            thread.start()
            while (found := ready.get())[0]:
                yield found[1]
                del found  # or it would live on while the next one is waited for
            if found[1] is not None:
                raise found[1]
    finally:
        stopped.set()
        with suppress(Empty):
            while True:
                ready.get_nowait()
        if thread.ident is not None:  # it was started
            thread.join()


def _fill(
    read: Callable[[], Iterable[Any]], ready: "Queue[tuple[bool, Any]]", stopped: threading.Event
) -> None:
    """Put every item into the queue as (True, item), then (False, what went wrong or None)."""
    failed: BaseException | None = None
    items: Iterator[Any] = iter(())
    try:
        items = iter(read())
        for item in items:
            if not _put((True, item), ready, stopped):
                break
            del item
    except BaseException as error:  # an interrupt, too, is for the one who reads
        failed = error
    finally:
        close = getattr(items, "close", None)
        if close is not None:
            close()  # files are closed by the thread that opened them
    _put((False, failed), ready, stopped)


def _put(
    found: tuple[bool, Any], ready: "Queue[tuple[bool, Any]]", stopped: threading.Event
) -> bool:
    """Wait for room; give False once nobody reads any more."""
    while not stopped.is_set():
        with suppress(Full):
            ready.put(found, timeout=_POLL)
            return True
    return False


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
