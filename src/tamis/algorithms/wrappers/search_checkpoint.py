"""The scores of a search in a file, from which a killed run goes on."""

import errno
import hashlib
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tamis.algorithms.wrappers.identity import describe
from tamis.errors import TamisError, spell, spell_name
from tamis.sources.draft import replace_file

_FORMAT = "tamis wrapper search, 1"
_FORMAT_BYTES = 200  # bytes at its start that name the format
_MIN_SECONDS_BETWEEN_WRITES = 1.0  # seconds between two writings at least
_MIN_WRITE_RATIO = 20  # of the time that a writing took, between it and the next

Columns = frozenset[int]


class SearchCheckpoint:
    """A JSON file with the score of every set of columns that was tried.

    The fingerprint says for which rows, labels, splits, learner and scorer they hold. A search that
    is run again asks the same questions in the same order, so known answers bring it to where it
    was; another search on the same rows can use them, too.
    """

    def __init__(self, path: str | os.PathLike[str], fingerprint: str) -> None:
        """Read the file if there is one, and see that it can be written."""
        self.path, self._fingerprint = Path(path), fingerprint
        self.scores = self._read()
        self._last, self._took = time.monotonic(), 0.0
        self.write(self.scores)

    def due(self) -> bool:
        """Say whether it is time to write again."""
        return time.monotonic() - self._last >= max(
            _MIN_SECONDS_BETWEEN_WRITES, _MIN_WRITE_RATIO * self._took
        )

    def write(self, scores: Mapping[Columns, float]) -> None:
        """Put the scores in the place of the file's, whole or not at all."""
        start = time.monotonic()
        known = {" ".join(map(str, sorted(columns))): score for columns, score in scores.items()}
        text = json.dumps(
            {"format": _FORMAT, "fingerprint": self._fingerprint, "scores": known}, indent=0
        )
        with replace_file(self.path) as draft:
            draft.write_text(text, encoding="utf-8")
        self._last = time.monotonic()
        self._took = self._last - start

    def _read(self) -> dict[Columns, float]:
        """Give the scores in the file, none if there is no file."""
        given = spell("checkpoint", str(self.path))
        try:
            if not self.path.exists():
                return {}
            found = json.loads(self.path.read_text(encoding="utf-8"))
            if found["format"] != _FORMAT:
                raise KeyError
            same = found["fingerprint"] == self._fingerprint
            scores = {_columns(key): float(score) for key, score in found["scores"].items()}
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise TamisError(f"{given} cannot be read: {why}.") from error
        except (
            ValueError,
            ArithmeticError,
            LookupError,
            TypeError,
            AttributeError,
            RecursionError,
        ):
            raise _no_checkpoint(self.path) from None
        if not same:
            names = ("learner", "scoring", "cv", "test_size", "random_state")
            raise TamisError(
                f"{given} belongs to another table or other settings "
                f"({', '.join(map(spell_name, names))}; a function with other code or values is "
                "another one): give those, or another name."
            )
        return scores


def check_place(path: str | os.PathLike[str]) -> None:
    """Refuse a file that cannot be written or is no checkpoint, before there is any to write."""
    place = Path(path)
    try:
        if not place.resolve().parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        start = None
        if place.exists():
            with place.open("rb") as stream:
                start = stream.read(_FORMAT_BYTES)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise TamisError(f"Cannot write the checkpoint {str(path)!r}: {why}.") from error
    if start is not None and _FORMAT.encode() not in start:
        raise _no_checkpoint(place)


def _no_checkpoint(path: Path) -> TamisError:
    return TamisError(
        f"{spell('checkpoint', str(path))} is not a checkpoint of a wrapper search, and is left "
        "as it is: give another name."
    )


def _columns(key: str) -> Columns:
    return frozenset(map(int, key.split()))


def hash_inputs(*parts: Any) -> str:
    """Give a text that differs whenever what the scores depend on does.

    >>> hash_inputs([1, 2], "accuracy") == hash_inputs([1, 2], "accuracy")
    True
    >>> hash_inputs([1, 2], "accuracy") == hash_inputs([1, 3], "accuracy")
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        digest.update(describe(part).encode() + b"\n")
    return digest.hexdigest()
