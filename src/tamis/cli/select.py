"""`tamis select`: which columns to keep; every import of weight is inside."""

import shlex
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from tamis import registry
from tamis.cli.asked import Asked, Files, check_checkpoint, check_listing
from tamis.cli.flags import list_option
from tamis.cli.help import HelpfulCommand
from tamis.cli.options import CHECKPOINT, LISTS, NO_GRAM, NO_ROWS, listing_options, table_options
from tamis.cli.takeaway import Takeaway, takeaway_options

__all__ = ["run_select", "select"]


@click.command(cls=HelpfulCommand, epilog=LISTS)
@table_options(
    "selection",
    method=None,
    k="How many columns to keep; 'auto' finds a number. It comes with an interval; a number below "
    "1 is a share of the columns.",
    retain="Or what to explain, such as 0.95. "
    f"{registry.RETAIN.about} Without -k and --retain: 0.95 (mutual information: 0.5), or "
    "the default of the method's own rule.",
    output="Write the kept columns to this file;",
    carry="Columns only copied to the output: ids, labels.",
    target="Column with labels, for methods that learn. It is never analysed itself.",
)
@list_option("include", registry.INCLUDE.about)
@list_option("categories", registry.CATEGORIES.about)
@list_option("numbers", registry.NUMBERS.about)
@click.option(
    "--refine",
    type=click.Choice(["swap", "exact"]),
    default=None,
    help="swap: exchange columns until no exchange explains more; exact: find the best set and "
    "prove it (up to 64 columns).",
)
@click.option(
    "--task",
    type=click.Choice([str(choice) for choice in registry.TASK.choices]),
    default=registry.TASK.default,
    show_default=True,
    help=registry.TASK.about,
)
@CHECKPOINT
@takeaway_options
@click.option("--held-out", is_flag=True, help=registry.HELD_OUT.about)
@click.option("--stability", is_flag=True, help=registry.STABILITY.about)
@NO_ROWS
@NO_GRAM
@listing_options
@click.pass_obj
def select(arguments: list[str], /, file: Files, **given: Any) -> None:
    """Choose which columns of FILE to keep, and explain why.

    FILE is a CSV, Excel, Parquet, Feather or NPZ file, a folder or a pattern ('data/*.csv') of
    files with the same columns, or - for standard input.
    """
    run_select(file, shlex.join(["tamis", *arguments]), **given)


def run_select(
    file: Files,
    command: str,
    /,
    *,
    method: str | None = None,
    refine: str | None = None,
    task: str = "auto",
    checkpoint: str | None = None,
    held_out: bool = False,
    stability: bool = False,
    no_rows: bool = False,
    no_gram: bool = False,
    table: str | None = None,
    plots: Sequence[str] = (),
    top: int | None = None,
    everything: bool = False,
    quiet: bool = False,
    **given: Any,
) -> None:
    """Select columns as the flags say, and show what was found."""
    check_listing(quiet, given.get("as_json"))
    output, safe_csv = given.get("output"), given.get("safe_csv", False)
    takeaway = Takeaway.of(table, plots, file, output, safe_csv)
    asked = Asked.of("selection", file, command, method=method, **given)
    asked.page.update(rows=not no_rows, gram=not no_gram)
    if method is None or not registry.get(method).has("checkpoint"):
        check_checkpoint(checkpoint, asked.file)
    from tamis.api.select import select as find
    from tamis.cli.results import deliver
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.presentation.terminal.selection import TOP, names_text, selection_text

    swaps = {None: False, "swap": True}.get(refine, refine)
    with progress_bar(label="reading the table"):
        found = find(
            asked.file,
            refine=swaps or False,
            task=task,
            checkpoint=checkpoint,
            held_out=held_out,
            stability=stability,
            **asked.keywords,
        )
    full = partial(selection_text, top=TOP if top is None else top, everything=everything)
    text = names_text if quiet else full
    deliver(found, text, asked, quiet=quiet, write_more=takeaway.write)
