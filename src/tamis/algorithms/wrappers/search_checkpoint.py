"""Scores in a file, from which a killed search or comparison goes on."""

import errno
import inspect
import json
import os
import pickle
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tamis.errors import TamisError, spell, spell_name
from tamis.sources.draft import replace_file

_FORMAT_BYTES = 200  # bytes at its start that name the format
_MIN_SECONDS_BETWEEN_WRITES = 1.0
_MIN_WRITE_RATIO = 20  # of the time that a writing took, between it and the next

Columns = frozenset[int]


class Checkpoint:
    """A JSON file of everything measured so far, by key; `of` says what measures it.

    The fingerprint says for which rows and settings it holds. What is run again asks the same
    questions in the same order, so known answers bring it to where it was.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        fingerprint: str,
        of: str = "wrapper search",
        decode: Callable[[Any], Any] = float,
    ) -> None:
        """Read the file if there is one, and see that it can be written."""
        self._path, self._of = Path(path), of
        self._head = {"format": f"tamis {of}, 1", "fingerprint": fingerprint}
        self.scores: dict[str, Any] = self._read(decode)
        self._last, self._took = time.monotonic(), 0.0
        self.write(self.scores)

    def due(self) -> bool:
        """Say whether it is time to write again."""
        return time.monotonic() - self._last >= max(
            _MIN_SECONDS_BETWEEN_WRITES, _MIN_WRITE_RATIO * self._took
        )

    def write(self, scores: Mapping[str, Any]) -> None:
        """Put the scores in the place of the file's, whole or not at all."""
        start = time.monotonic()
        text = json.dumps({**self._head, "scores": scores}, indent=0)
        with replace_file(self._path) as draft:
            draft.write_text(text, encoding="utf-8")
        self._last = time.monotonic()
        self._took = self._last - start

    def _read(self, decode: Callable[[Any], Any]) -> dict[str, Any]:
        given = spell("checkpoint", str(self._path))
        try:
            if not self._path.exists():
                return {}
            stored = json.loads(self._path.read_text(encoding="utf-8"))
            if stored["format"] != self._head["format"]:
                raise KeyError
            if stored["fingerprint"] == self._head["fingerprint"]:
                return {key: decode(score) for key, score in stored["scores"].items()}
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
            raise _no_checkpoint(self._path, self._of) from None
        raise TamisError(
            f"{given} belongs to another table or other settings, or to another version of tamis "
            "or of a package: give those, or another name."
        )


def check_place(path: str | os.PathLike[str], of: str = "wrapper search") -> None:
    """Refuse a file that cannot be written or is no checkpoint, before there is any to write."""
    place = Path(path)
    try:
        if not place.resolve().parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if not place.exists():
            return
        with place.open("rb") as stream:
            start = stream.read(_FORMAT_BYTES)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise TamisError(f"Cannot write the checkpoint {str(path)!r}: {why}.") from error
    if f"tamis {of}, 1".encode() not in start:
        raise _no_checkpoint(place, of)


def _no_checkpoint(path: Path, of: str) -> TamisError:
    return TamisError(
        f"{spell('checkpoint', str(path))} is not a checkpoint of a {of}, and is left as it is: "
        "give another name."
    )


def hash_inputs(*inputs: Any) -> str:
    """Give a text that differs whenever what the scores depend on does.

    A function is its name and, where Python knows it, its source.

    >>> hash_inputs([1, 2], "accuracy") == hash_inputs([1, 2], "accuracy")
    True
    >>> hash_inputs([1, 2], "accuracy") == hash_inputs([1, 3], "accuracy")
    False
    """
    import joblib

    sources = []
    for function in filter(inspect.isfunction, inputs):
        with suppress(OSError):  # what was typed in has no source
            sources.append(inspect.getsource(function))
    try:
        return str(joblib.hash((inputs, sources), hash_name="sha1"))
    except (pickle.PicklingError, TypeError, AttributeError) as problem:
        raise TamisError(
            f"{spell_name('checkpoint')}: the learner or scorer uses a lambda, a function inside "
            "another or an object that cannot be recognised in a later run: give a function with "
            f"a name of its own in a module, or omit {spell_name('checkpoint')}."
        ) from problem
