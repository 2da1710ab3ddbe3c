"""`--table`, `--plot` and `--save`: what a selection shows, as files to take away."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamis.errors import TamisError

__all__ = ["Takeaway"]

_PLOT_KINDS = ("curve", "fate", "map")


@dataclass(frozen=True)
class Takeaway:
    """Files to write of a selection, checked before any work is done."""

    table: Path | None
    plots: tuple[tuple[str, Path], ...]
    safe_csv: bool = False
    choice: Path | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any], files: str | list[str]) -> "Takeaway":
        """Refuse what cannot be written, and two things in one file, such as the output."""
        table, plots = given.get("table"), given.get("plots", ())
        safe_csv, output = given.get("safe_csv", False), given.get("output")
        choice = Path(given["save"]) if given.get("save") else None
        table = Path(table) if table else None
        found = cls(table, tuple(map(_kind_and_path, plots)), safe_csv, choice)
        if found.is_empty:
            return found
        from tamis.results.output import check_output
        from tamis.results.takeaway import FRAMES, PLOT_SUFFIXES, check_packages
        from tamis.sources.parts import stamps_of

        sources = [stamp.path for stamp in stamps_of(files)]
        wanted: list[tuple[Path, tuple[str, ...]]] = []
        wanted += [(found.table, FRAMES)] if found.table else []
        wanted += [(found.choice, (".tamis",))] if found.choice else []
        for path, suffixes in [*wanted, *((path, PLOT_SUFFIXES) for _, path in found.plots)]:
            check_output(path, suffixes, sources)
            check_packages(path)
        found._check_distinct(output)
        return found

    def _check_distinct(self, output: str | None) -> None:
        given = [Path(output)] if output else []
        given += [path for path in (self.table, self.choice) if path]
        taken: set[Path] = set()
        for path in [*given, *(path for _, path in self.plots)]:
            if path.resolve() in taken:
                raise TamisError(f"Cannot write '{path}' twice: give each output another name.")
            taken.add(path.resolve())

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return self.table is None and self.choice is None and not self.plots

    def write(self, result: Any) -> list[Path]:
        """Write the files and give their paths."""
        if self.is_empty:
            return []
        from tamis.results.takeaway import write_frame, write_plot

        written = []
        if self.table is not None:
            written.append(write_frame(result.to_frame(), self.table, safe=self.safe_csv))
        if self.choice is not None:
            written.append(result.save(self.choice))
        return [*written, *(write_plot(result.plot(kind), path) for kind, path in self.plots)]


def _kind_and_path(text: str) -> tuple[str, Path]:
    """Separate the kind of picture from the file; one letter and a colon are a drive.

    >>> _kind_and_path("fate:a.svg") == ("fate", Path("a.svg")), _kind_and_path("b.svg")[0]
    (True, 'curve')
    """
    kind, mark, rest = text.partition(":")
    if not mark or len(kind) < 2 or "/" in kind:
        return "curve", Path(text)
    if kind not in _PLOT_KINDS:
        from tamis.registry import nearest

        raise TamisError(f"--plot {text}: there is no plot {kind!r}{nearest(kind, _PLOT_KINDS)}")
    return kind, Path(rest)
