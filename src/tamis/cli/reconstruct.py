"""`tamis reconstruct`: the dropped columns of new rows, predicted from the kept ones."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from tamis.cli.arguments import add_format
from tamis.cli.flags import FILES, HelpfulCommand, flags_at
from tamis.errors import TamisError, escape_controls


@click.command(cls=HelpfulCommand)
@FILES
@flags_at("reconstruct", required=["using", "output"])
def reconstruct(file: Any, using: str, output: str, **given: Any) -> None:
    """Predict the dropped columns of the rows of FILE, which has the columns that were kept."""
    from tamis.api.load import load
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.results.output import TABLES, check_output
    from tamis.run.new_rows import read_new_rows
    from tamis.sources.parts import look_at_files

    errors = given["errors"]
    file = add_format(file, given)
    sources = list(look_at_files(file))
    paths = [Path(path) for path in (output, errors) if path and path != "-"]
    for path in paths:
        check_output(path, TABLES, [*sources, Path(using)])
    if len({path.resolve() for path in paths}) < len(paths):
        raise TamisError(f"Cannot write '{output}' twice: give each output another name.")
    choice = load(using)
    with progress_bar(label="predicting the columns"):
        read_new_rows(
            file,
            choice.how,
            lambda found: _write(choice, found, output, errors, safe=given["safe_csv"]),
        )
    for path in paths:
        click.echo(f"Wrote {escape_controls(str(path.resolve()))}", err=output == "-")


def _write(choice: Any, found: Any, output: str, errors: str | None, *, safe: bool) -> None:
    """Write as the rows are read; standard errors wait in a second reading."""
    from tamis.results.output import write_stream, write_table
    from tamis.sources.draft import replace_file

    def part(place: int) -> Iterator[Any]:
        return (tables[place] for tables in choice.rebuilt_tables(found))

    with ExitStack() as drafts:
        if output == "-":
            write_stream(part(0), sys.stdout.buffer, ".csv", safe=safe)
            sys.stdout.buffer.flush()
        for place, path in ((0, None if output == "-" else output), (1, errors)):
            if path:
                draft = drafts.enter_context(replace_file(Path(path)))
                write_table(part(place), draft, Path(path).suffix.lower(), safe=safe)
