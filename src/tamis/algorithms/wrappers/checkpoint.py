"""The scores of a search in a file, from which a killed run goes on."""

import hashlib
import json
import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import TamisError, spelled, spelled_name
from tamis.sources.draft import replacing

_FORMAT = "tamis wrapper search, 1"
_EVERY = 1.0  # seconds between two writings at least
_PART = 20  # of the time that a writing took, between it and the next

Columns = frozenset[int]


class Checkpoint:
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
        return time.monotonic() - self._last >= max(_EVERY, _PART * self._took)

    def write(self, scores: Mapping[Columns, float]) -> None:
        """Put the scores in the place of the file's, whole or not at all."""
        start = time.monotonic()
        known = {" ".join(map(str, sorted(columns))): score for columns, score in scores.items()}
        text = json.dumps(
            {"format": _FORMAT, "fingerprint": self._fingerprint, "scores": known}, indent=0
        )
        with replacing(self.path) as draft:
            draft.write_text(text, encoding="utf-8")
        self._last = time.monotonic()
        self._took = self._last - start

    def _read(self) -> dict[Columns, float]:
        """Give the scores in the file, none if there is no file."""
        given = spelled("checkpoint", str(self.path))
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
            raise TamisError(
                f"{given} is not a checkpoint of a wrapper search, and is left as it is: give "
                "another name."
            ) from None
        if not same:
            names = ("learner", "scoring", "cv", "test_size", "random_state")
            raise TamisError(
                f"{given} belongs to another table or other settings "
                f"({', '.join(map(spelled_name, names))}): give those, or another name."
            )
        return scores


def _columns(key: str) -> Columns:
    return frozenset(map(int, key.split()))


def fingerprint(*parts: Any) -> str:
    """Give a text that differs whenever what the scores depend on does.

    >>> fingerprint(np.arange(3), "accuracy") == fingerprint(np.arange(3), "accuracy")
    True
    >>> fingerprint(np.arange(3), "accuracy") == fingerprint(np.arange(4), "accuracy")
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(f"{part.dtype} {part.shape} ".encode())
            digest.update(np.ascontiguousarray(part).tobytes())
        else:
            digest.update(_described(part).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _described(thing: Any) -> str:
    """Write a learner with all its parameters, a function by its name, all else as it is."""
    if hasattr(thing, "get_params"):
        given = sorted(thing.get_params(deep=True).items())
        return f"{type(thing).__qualname__}({', '.join(f'{k}={_plain(v)}' for k, v in given)})"
    return str(getattr(thing, "__qualname__", None) or _plain(thing))


def _plain(value: Any) -> str:
    """Omit where things lie in memory: that is another place in every process."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))
