"""The figures of a comparison in a file, from which a stopped run goes on."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tamis.algorithms.wrappers.search_checkpoint import hash_inputs
from tamis.errors import TamisError, spell
from tamis.evaluation.common_ground import Ground
from tamis.evaluation.criteria import Figure
from tamis.sources.draft import replace_file
from tamis.versions import version_of

_COMPARISON_FORMAT = "tamis comparison, 1"
_MIN_SECONDS_BETWEEN_WRITES = 1.0

Found = dict[int, Figure]  # by the number of columns


class FigureCheckpoint:
    """A JSON file with every figure measured so far, by criterion and method.

    The searches themselves run again: they take little beside what is measured by repeating them.
    """

    def __init__(self, path: str | Path, fingerprint: str) -> None:
        """Read the file if there is one, and see that it can be written."""
        self._path, self._fingerprint = Path(path), fingerprint
        self._known = self._read()
        self.write()

    def find(self, criterion: str, method: str) -> Found | None:
        """Give what was measured of a method before; None if nothing was."""
        rows = self._known.get(criterion, {}).get(method)
        if rows is None:
            return None
        return {
            k: Figure(value, None if folds is None else np.array(folds)) for k, value, folds in rows
        }

    def note(self, criterion: str, method: str, found: Found) -> None:
        """Note what was measured, and write the file unless that was done a moment ago."""
        rows = [
            [k, one.value, None if one.folds is None else one.folds.tolist()]
            for k, one in found.items()
        ]
        self._known.setdefault(criterion, {})[method] = rows
        if time.monotonic() - self._written >= _MIN_SECONDS_BETWEEN_WRITES:
            self.write()

    def write(self) -> None:
        """Put the figures in the place of the file's, whole or not at all."""
        head = {"format": _COMPARISON_FORMAT, "fingerprint": self._fingerprint}
        with replace_file(self._path) as draft:
            draft.write_text(json.dumps({**head, "figures": self._known}), encoding="utf-8")
        self._written = time.monotonic()

    def _read(self) -> dict[str, dict[str, list[Any]]]:
        given = spell("checkpoint", str(self._path))
        if not self._path.exists():
            return {}
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
            if found["format"] != _COMPARISON_FORMAT:
                raise KeyError
            figures = dict(found["figures"])
        except (OSError, ValueError, LookupError, TypeError):
            raise TamisError(
                f"{given} is not a checkpoint of a comparison, and is left as it is: give another "
                "name."
            ) from None
        if found["fingerprint"] != self._fingerprint:
            raise TamisError(
                f"{given} belongs to another table, other settings or another version of tamis: "
                "give those, or another name."
            )
        return figures


def open_checkpoint(
    path: str | Path | None, ground: Ground, sizes: Sequence[int], lists: Any
) -> FigureCheckpoint | None:
    """Open the file for a table and what is measured of it; None without a path."""
    if path is None:
        return None
    # A row's block follows from its values: the rows in each block know of all of them.
    rows = () if ground.blocks is None else ground.blocks.count.tolist()
    names = [ground.source.names[j] for j in ground.usable]
    labels = None if ground.labels is None else [str(label) for label in ground.labels]
    asked = ground.request
    settings = (str(asked.missing), asked.task, [str(name) for name in asked.exclude])
    sample = ground.sample.values if ground.blocks is not None else None
    text = hash_inputs(
        version_of("tamis"), names, rows, labels, settings, list(sizes), lists, sample
    )
    return FigureCheckpoint(path, text)
