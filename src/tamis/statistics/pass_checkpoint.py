"""A pass over a table that can be killed and resumed: its summary so far, and where it stopped."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tamis.errors import TamisError, spell
from tamis.sources.source import Source
from tamis.sources.stored_summary import StoredSummary
from tamis.sources.summary_file import read_summary, write_summary
from tamis.statistics.merging import fewest_values

SECONDS = 30.0  # between two writings


class PassCheckpoint:
    """The file that a pass over a table writes now and then, and resumes from.

    `made` gives what is known so far as a summary; its `place` says how many rows of which files
    are in it. A pass that came to its end is not made again while the files stay as they are.
    Nothing is written that shows fewer than `least` values of a column.
    """

    def __init__(
        self, path: str | Path, source: Source, inputs: tuple[str, ...] = (), least: int = 1
    ) -> None:
        self._path, self._files = Path(path), _stamps(source, str(path))
        self._inputs, self._least = inputs, least
        self._written = time.monotonic()

    def before(self, like: StoredSummary) -> StoredSummary | None:
        """Give what an earlier pass over the same columns left; None if there was none."""
        if not self._path.exists():
            return None
        found = read_summary(self._path)
        place = found.place or {}
        same = (found.names, found.missing) == (like.names, like.missing)
        rows = place.get("rows")
        if not same or place.get("files") != self._files or rows != found.rows:
            raise TamisError(
                f"{spell('checkpoint', str(self._path))}: the file belongs to another table, to "
                "other settings, or the table has changed; delete it or give another name."
            )
        return found

    def now_and_then(self, made: Callable[[], StoredSummary]) -> None:
        """Write what is known so far, unless that was done a moment ago."""
        if time.monotonic() - self._written >= SECONDS:
            self.write(made())

    def write(self, made: StoredSummary, *, ended: bool = False) -> None:
        """Write what is known so far."""
        if fewest_values(made)[1] >= self._least:
            place = {"rows": made.rows, "files": self._files, "ended": ended}
            made = replace(made, place=place, inputs=self._inputs, least=self._least)
            write_summary(made, self._path)
        self._written = time.monotonic()


def _stamps(source: Source, path: str) -> list[list[Any]]:
    """Give name, size and time of change of every file of a table."""
    paths = source.info.files
    if paths is None:
        raise TamisError(
            f"{spell('checkpoint', path)}: only what is read from files can resume; "
            "give a path, or omit it."
        )
    found = [(one, one.stat()) for one in paths]
    return [[one.name, state.st_size, state.st_mtime_ns] for one, state in found]
