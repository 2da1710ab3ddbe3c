"""`tamis score`: how good a given list of columns is."""

import shlex
from typing import Any

import click

from tamis import registry
from tamis.cli.asked import Asked, Files
from tamis.cli.flags import list_option
from tamis.cli.help import HelpfulCommand
from tamis.cli.options import (
    FILES,
    JSON,
    LISTS,
    NO_GRAM,
    NO_ROWS,
    REPORT,
    SCALE,
    missing_option,
    reading_options,
)

__all__ = ["score"]


@click.command(cls=HelpfulCommand, epilog=LISTS)
@FILES
@list_option("columns", "The columns to evaluate.", required=True)
@click.option(
    "-m",
    "--method",
    metavar="ID",
    help="Method that searches for a better list; see 'tamis methods'.",
)
@REPORT
@JSON
@list_option("exclude", registry.EXCLUDE.about)
@list_option("categories", registry.CATEGORIES.about)
@list_option("numbers", registry.NUMBERS.about)
@click.option("--target", metavar="COLUMN", help="Column with labels; it is not analysed.")
@missing_option("selection")
@SCALE
@reading_options
@click.option("--held-out", is_flag=True, help=registry.HELD_OUT.about)
@NO_ROWS
@NO_GRAM
@click.pass_obj
def score(
    arguments: list[str],
    /,
    file: Files,
    *,
    held_out: bool,
    no_rows: bool,
    no_gram: bool,
    **given: Any,
) -> None:
    """Evaluate a list of columns of FILE, and suggest better ones."""
    asked = Asked.of("selection", file, shlex.join(["tamis", *arguments]), **given)
    asked.page.update(rows=not no_rows, gram=not no_gram)
    from tamis.api.score import score as judge
    from tamis.cli.results import deliver
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.presentation.terminal.selection import selection_text

    unused = ("k", "retain", "options")
    keywords = {name: value for name, value in asked.keywords.items() if name not in unused}
    with progress_bar(label="reading the table"):
        found = judge(
            asked.file,
            held_out=held_out,
            **keywords,
        )
    deliver(found, selection_text, asked)
