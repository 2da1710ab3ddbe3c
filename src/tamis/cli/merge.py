"""`tamis merge`: one summary of the rows of several."""

from collections.abc import Sequence
from functools import reduce
from operator import add

import click

from tamis.cli.summarise import MIN_ROWS, check_target, keep

__all__ = ["merge"]


@click.command()
@click.argument("summaries", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT",
    help="Write the merged summary to this file (.tamis).",
)
@MIN_ROWS
def merge(summaries: Sequence[str], output: str, min_rows: int) -> None:
    """Merge SUMMARIES as if their rows had been in one table.

    Columns are matched by name.
    """
    for file in summaries:
        check_target(output, file)
    from tamis.api.summarise import load_summary

    keep(reduce(add, map(load_summary, summaries)), output, min_rows)
