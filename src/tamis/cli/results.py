"""Where a result goes: files, standard output, the terminal."""

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click


def check_outputs(file: str, output: str | None, report: str | None) -> None:
    """Refuse what cannot be written, before any work is done."""
    from tamis.presentation.output import PAGES, TABLES, check_output

    if output and output != "-":
        check_output(Path(output), TABLES, source=Path(file))
    if report:
        check_output(Path(report), PAGES, source=Path(file))


def write_files(
    found: Any, file: str, carry: list[str], output: str | None, report: str | None
) -> None:
    """Write the table and the report; either both replace what was there or none does."""
    from tamis.presentation.output import replacing, write_table

    with ExitStack() as drafts:
        if output and output != "-":
            draft = drafts.enter_context(replacing(Path(output)))
            write_table(_rows(file, carry, found.names), draft, Path(output).suffix.lower())
        if report:
            found.report(report)


def write_rows(file: str, carry: list[str], names: list[str]) -> None:
    """Write the kept columns as CSV to standard output."""
    from tamis.presentation.output import write_stream

    write_stream(_rows(file, carry, names), sys.stdout.buffer, ".csv")
    sys.stdout.buffer.flush()


def _rows(file: str, carry: list[str], names: list[str]) -> Any:
    from tamis.sources.source import open_source, positions

    source = open_source(file, exact=carry)
    return source.tables(positions(source, [*carry, *names]))


def show(facts: dict[str, Any], *, as_json: bool, err: bool, written: list[str | None]) -> None:
    """Print what was found, as text or as JSON, and the files that were written."""
    from tamis.presentation.text import selection_text

    click.echo(json.dumps(facts, indent=2) if as_json else selection_text(facts), err=err)
    files = [Path(path).resolve() for path in written if path and path != "-"]
    if files and not as_json:
        click.echo("\n" + "\n".join(f"Wrote {path}" for path in files), err=err)
