"""What stands before and below the flags of a command: the files, and how lists are written."""

from typing import Any

import click

__all__ = ["FILES", "LISTS"]

LISTS = (
    "A,B: names of columns, patterns such as 'gene_*', or @FILE with one name per line; repeat the "
    "flag or separate names by commas, and put a name that contains a comma in double quotes: "
    "'\"net, kg\",age'."
)


def _one_or_many(context: Any, parameter: Any, given: tuple[str, ...]) -> str | list[str]:  # noqa: ARG001 - click passes it
    """Give a list only where several files were named."""
    if not given:
        raise click.UsageError(
            f"Give the file with the table, for example `{context.command_path} table.csv`, or - "
            "for standard input",
            context,
        )
    return given[0] if len(given) == 1 else list(given)


FILES = click.argument("file", nargs=-1, metavar="FILE...", callback=_one_or_many)
