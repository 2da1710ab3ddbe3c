"""The answers of cells in a file, one line each, from which a killed run goes on.

A line is written with one call and flushed to the disk as soon as its cell is done, so a run that
is killed loses at most the cells it was at. What the kill cut off is not JSON and is ignored.
"""

import functools
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis_papers.laboratory.drafts import describe_failure
from tamis_papers.laboratory.fingerprint import hash_parts
from tamis_papers.laboratory.protocol import Cell

__all__ = ["Answer", "CellFile", "list_sources", "make_plain", "mark_cell"]

_SHOWN = ("presentation", "cli")  # of tamis: they change no number
_COMPUTE = ("laboratory", "protocols")  # of this package
_PACKAGES = ("numpy", "scipy", "scikit-learn")


@dataclass(frozen=True, eq=False)
class Answer:
    """What a cell gave, or in `failed` why it did not; `seconds` of processor time it took."""

    protocol: str
    cell: str
    mark: str
    answer: Mapping[str, Any] | None = None
    seconds: float = 0.0
    failed: str = ""


class CellFile:
    """A file of answers that only grows; without a path, nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        """Read what is there."""
        self._path, self.known = path, dict[str, Answer]()
        self._start = b""
        if path is not None:
            self._read(path)

    def keep(self, answer: Answer) -> None:
        """Add an answer and see that it is on the disk."""
        if self._path is None:
            return
        line = self._start + _line(asdict(answer)) + b"\n"
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            try:
                os.write(handle, line)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise TamisError(describe_failure(self._path, error)) from error
        self._start = b""

    def _read(self, path: Path) -> None:
        try:
            text = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise TamisError(describe_failure(path, error)) from error
        if text and not text.endswith(b"\n"):
            self._start = b"\n"  # the line that was cut off ends here
        for line in text.splitlines():
            answer = _answer(line)
            if answer is not None:
                self.known[answer.mark] = answer


def _line(fields: dict[str, Any]) -> bytes:
    """Write an answer with its digest, by which a damaged line is known."""
    text = json.dumps(fields, ensure_ascii=True)
    return json.dumps({"digest": _digest(text), **fields}, ensure_ascii=True).encode()


def _answer(line: bytes) -> Answer | None:
    """Read an answer; None where the line is damaged, so that the cell is computed again."""
    try:
        fields = json.loads(line)
        digest = fields.pop("digest")
        whole = digest == _digest(json.dumps(fields, ensure_ascii=True))
        return Answer(**fields) if whole else None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def mark_cell(protocol: str, cell: Cell, contents: Mapping[str, str]) -> str:
    """Give a text that differs whenever the answer of a cell may: its work, tables and the code."""
    tables = [contents[name] for name in cell.tables]
    return hash_parts(protocol, cell.key, *_describe(cell.compute), *tables, _hash_code())


def make_plain(value: Any) -> Any:
    """Give the answer as JSON would return it, NumPy's numbers and arrays as plain ones.

    >>> make_plain({"a": (np.float64(0.5), 1), 2: np.arange(2)})
    {'a': [0.5, 1], '2': [0, 1]}
    """
    return json.loads(json.dumps(value, default=_plain_one))


def _plain_one(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"an answer must be plain values, not {type(value).__name__}")


def _describe(compute: Callable[..., Any]) -> list[Any]:
    """Name the function and what it was given in advance."""
    if isinstance(compute, functools.partial):
        given = [one for name in sorted(compute.keywords) for one in (name, compute.keywords[name])]
        return [*_describe(compute.func), *compute.args, *given]
    return [compute.__module__, compute.__qualname__]


def list_sources() -> list[Path]:
    """List the modules that may change an answer: of tamis all but those that only show it."""
    tamis, papers = Path(str(files("tamis"))), Path(str(files("tamis_papers")))
    core = [p for p in tamis.rglob("*.py") if p.relative_to(tamis).parts[0] not in _SHOWN]
    return sorted([*core, *(path for part in _COMPUTE for path in (papers / part).rglob("*.py"))])


@functools.cache
def _hash_code() -> str:
    """Give a text that differs whenever the code that computes does, ours or NumPy's."""
    digest = hashlib.sha256(" ".join(version(name) for name in _PACKAGES).encode())
    for path in list_sources():
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
