"""`tamis summarise`: the summary of one or more tables as a file."""

from collections.abc import Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tamis import registry
from tamis.cli.asked import check_checkpoint, formatted
from tamis.cli.flags import list_option
from tamis.cli.help import HelpfulCommand
from tamis.cli.lists import named_columns
from tamis.cli.options import CHECKPOINT, LISTS, format_options, missing_option
from tamis.errors import TamisError

if TYPE_CHECKING:
    from tamis.results.summary import DataSummary

__all__ = ["MIN_ROWS", "check_target", "keep", "summarise"]

MIN_ROWS = click.option(
    "--min-rows",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Write nothing if there are fewer rows: from a summary of few rows they can be guessed.",
)


@click.command(cls=HelpfulCommand, epilog=LISTS)
@click.argument("files", nargs=-1, required=True)
@click.option("-o", "--output", metavar="OUT", help="Write the summary to this file (.tamis).")
@click.option("--update", metavar="SUMMARY", help="Add the rows to this summary instead of -o.")
@list_option("columns", registry.COLUMNS.about)
@list_option("exclude", registry.EXCLUDE.about)
@missing_option("extraction")
@CHECKPOINT
@click.option("--blocks", is_flag=True, help="Summarise 20 blocks of rows apart, for --held-out.")
@MIN_ROWS
@format_options
def summarise(
    files: Sequence[str],
    output: str | None,
    update: str | None,
    columns: Sequence[str],
    exclude: Sequence[str],
    missing: str | None,
    checkpoint: str | None,
    blocks: bool,
    min_rows: int,
    delimiter: str | None,
    no_header: bool,
    sheet: str | None,
) -> None:
    """Write means, variances and correlations of FILES to a summary.

    `tamis select`, `tamis extract` and `tamis merge` take the summary in place of the rows. The
    rows of all files are taken together; their columns must have the same names.
    """
    if (output is None) == (update is None):
        raise TamisError("Give -o for a new summary or --update for one to add to, and not both.")
    wanted = str(output or update)
    for file in files:
        check_target(wanted, file)
    if checkpoint and len(files) > 1:
        raise TamisError("--checkpoint is for one FILE: summarise each, and merge the summaries.")
    check_checkpoint(checkpoint, list(files))
    if checkpoint and Path(checkpoint).resolve() == Path(wanted).resolve():
        raise TamisError(f"Cannot write '{wanted}' twice: give --checkpoint another name.")
    from tamis.api.summarise import load_summary
    from tamis.api.summarise import summarise as find
    from tamis.presentation.terminal.progress import progress_bar

    before = [] if update is None else [load_summary(update)]
    tables = [formatted(file, delimiter, no_header, sheet) for file in files]
    names = named_columns(tables[0], {"columns": columns, "exclude": exclude})
    chosen = names["columns"] if columns else before[0].names if before else None
    _check_same_columns(tables, chosen, names["exclude"])
    with progress_bar(label="reading the table"):
        fresh = [
            find(
                table,
                columns=chosen,
                exclude=names["exclude"],
                missing=missing or "error",
                checkpoint=checkpoint,
                blocks=blocks,
            )
            for table in tables
        ]
    keep(reduce(add, [*before, *fresh]), wanted, min_rows)


def _check_same_columns(tables: Sequence[Any], columns: Any, exclude: Sequence[str]) -> None:
    """Refuse tables of which one lacks columns of another, before the first is read."""
    if len(tables) < 2 or columns is not None:
        return
    from tamis.run.columns import sorted_out
    from tamis.sources.patterns import match_columns
    from tamis.sources.source import Source, open_source

    def analysed(source: Source) -> set[str]:
        unwanted = match_columns(source, "exclude", exclude)
        usable, _ = sorted_out(source, None, unwanted, least=1)
        return {source.names[j] for j in usable}

    first, *others = [open_source(table) for table in tables]
    for other in others:
        for has, lacks in ((first, other), (other, first)):
            gone = sorted(analysed(has) - set(lacks.names))
            if gone:
                raise TamisError(
                    f"{lacks.label} has no column {gone[0]!r}, which {has.label} has: give files "
                    "with the same columns, or choose some with --columns."
                )


def check_target(output: str, file: str) -> None:
    """Refuse a summary that cannot be written, before any work is done."""
    from tamis.results.output import check_output

    check_output(Path(output), (".tamis",), [Path(file)])


def keep(summary: "DataSummary", output: str, min_rows: int) -> None:
    """Write a summary and say what is in it."""
    from tamis.errors import printable
    from tamis.presentation.terminal.summary import summary_text

    path = summary.save(output, min_rows=min_rows)
    click.echo(f"{summary_text(summary.to_dict())}\n\nWrote {printable(str(path.resolve()))}")
