"""`--table` and `--plot`: what a selection shows, as files to take away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from tamis.cli.asked import Asked
from tamis.errors import printable

__all__ = ["Takeaway", "takeaway_options"]

F = TypeVar("F", bound=Callable[..., Any])

_KINDS = ("curve", "fate", "map")


def takeaway_options(command: F) -> F:
    """Add the flags."""
    command = click.option(
        "--plot",
        "plots",
        multiple=True,
        metavar="[KIND:]FILE",
        help="Draw the curve to this file (.svg, .png, .pdf). With fate: or map: before its name, "
        "the share of every column or the similarities. Repeatable.",
    )(command)
    return click.option(
        "--table",
        metavar="FILE",
        help="Write every column with its share and reason to this file. One row each: .csv, .tsv, "
        ".xlsx, .parquet or .feather.",
    )(command)


@dataclass(frozen=True)
class Takeaway:
    """Files to write of a selection, checked before any work is done."""

    table: Path | None
    plots: tuple[tuple[str, Path], ...]

    @classmethod
    def of(cls, table: str | None, plots: Sequence[str], files: str | list[str]) -> "Takeaway":
        """Refuse what cannot be written."""
        found = cls(Path(table) if table else None, tuple(map(_kind_and_path, plots)))
        if found.table is None and not found.plots:
            return found
        from tamis.results.output import check_output
        from tamis.results.takeaway import FRAMES, PLOTS, check_packages
        from tamis.sources.parts import stamps_of

        sources = [stamp.path for stamp in stamps_of(files)]
        wanted = [(found.table, FRAMES)] if found.table else []
        for path, suffixes in [*wanted, *((path, PLOTS) for _, path in found.plots)]:
            check_output(path, suffixes, sources)
            check_packages(path)
        return found

    def write(self, result: Any, asked: Asked) -> None:
        """Write the files and say so, where nothing else is read from standard output."""
        if self.table is None and not self.plots:
            return
        from tamis.results.takeaway import write_frame, write_plot

        written = []
        if self.table is not None:
            written.append(write_frame(result.to_frame(), self.table))
        written += [write_plot(result.plot(kind), path) for kind, path in self.plots]
        if not asked.as_json:
            lines = [f"Wrote {printable(str(path.resolve()))}" for path in written]
            click.echo("\n".join(lines), err=asked.output == "-")


def _kind_and_path(text: str) -> tuple[str, Path]:
    """Separate the kind of picture from the file.

    >>> _kind_and_path("fate:a.svg") == ("fate", Path("a.svg")), _kind_and_path("b.svg")[0]
    (True, 'curve')
    """
    kind, mark, rest = text.partition(":")
    return (kind, Path(rest)) if mark and kind in _KINDS else ("curve", Path(text))
