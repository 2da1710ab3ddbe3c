"""The options that `select` and `extract` share, each declared once."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tamis import registry
from tamis.cli.flags import list_option, number, own_options
from tamis.presentation.terminal.selection import TOP
from tamis.registry.shared import MEMORY, SKIP_CORRUPT

__all__ = [
    "CHECKPOINT",
    "FILES",
    "JSON",
    "LISTS",
    "NO_GRAM",
    "NO_ROWS",
    "REPORT",
    "SCALE",
    "format_options",
    "listing_options",
    "missing_option",
    "reading_options",
    "table_options",
]

F = TypeVar("F", bound=Callable[..., Any])

LISTS = (
    "A,B: names of columns, patterns such as 'gene_*', or @FILE with one name per line; repeat the "
    "flag or separate names by commas, and put a name that contains a comma in double quotes: "
    "'\"net, kg\",age'."
)
_BY_KIND = "sfs for numbers, representatives where text or categories are analysed"
_MISSING = {
    "error": "stop with a message (error)",
    "auto": "fill, numbers with the column mean and text with a category of its own, and take "
    "infinite values as missing (auto)",
    "mean": "fill with the column mean (mean)",
    "drop": "drop rows with missing values (drop)",
    "category": "count as a category (category; in place of mean, for methods on mutual "
    "information or class counts)",
}

_SAFE_CSV = (
    "In CSV files, put ' before text that begins with = + - or @. A spreadsheet would run it as a "
    "formula; numbers stay as they are."
)

CHECKPOINT = click.option(
    "--checkpoint",
    metavar="FILE",
    help="Write progress to this file; the same command resumes from it. Linear methods save the "
    "pass over the rows (.tamis), wrappers their search (JSON).",
)
_REPORT = click.option("--report", metavar="HTML", help="Write an HTML report to this file.")
_OPEN = click.option(
    "--open",
    "open_page",
    is_flag=True,
    help="Open the report in the browser. Without --report it is a temporary file.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
NO_ROWS = click.option(
    "--no-rows", is_flag=True, help="Omit values of single rows from the report."
)
NO_GRAM = click.option(
    "--no-gram",
    is_flag=True,
    help="Omit the correlations of the columns from the report. It then has no map of them and "
    "cannot choose again.",
)
SCALE = click.option(
    "--scale/--no-scale",
    default=None,
    help=f"{registry.SCALE.about} The default depends on the method.",
)


def missing_option(kind: registry.Kind) -> Callable[[F], F]:
    """Add the flag for missing values; text is analysed by selections only."""
    texts = kind == "selection"
    choices = [text for text in _MISSING if texts or text not in ("category", "auto")]
    usual = "error, or auto where the default method analyses text" if texts else "error"
    *most, last = choices
    return click.option(
        "--missing",
        type=click.Choice(choices),
        metavar="HOW",
        default=None,
        help=f"Missing values: {', '.join(most)} or {last}. "
        f"In words: {', '.join(_MISSING[choice] for choice in choices)}. Default: {usual}.",
    )


def REPORT(command: F) -> F:
    """Add where the report goes, and whether it is opened."""
    return _REPORT(_OPEN(command))


def listing_options(command: F) -> F:
    """Add how much of a selection is printed."""
    declared = [
        click.option(
            "-q", "--quiet", is_flag=True, help="Print only the kept names, one per line."
        ),
        click.option(
            "--top",
            type=click.IntRange(min=0),
            metavar="N",
            help=f"How many dropped columns to list. Default: {TOP}, least explained first.",
        ),
        click.option(
            "--all", "everything", is_flag=True, help="List every kept, dropped and skipped column."
        ),
    ]
    for declare in reversed(declared):
        command = declare(command)
    return command


def _one_or_many(context: Any, parameter: Any, given: tuple[str, ...]) -> str | list[str]:  # noqa: ARG001
    """Give a list only where several files were named."""
    if not given:
        raise click.UsageError(
            f"Give the file with the table, for example `{context.command_path} table.csv`, or - "
            "for standard input",
            context,
        )
    return given[0] if len(given) == 1 else list(given)


FILES = click.argument("file", nargs=-1, metavar="FILE...", callback=_one_or_many)


def format_options(command: F) -> F:
    """Add how text files and spreadsheets are written."""
    declared = [
        click.option(
            "--delimiter",
            metavar="CHAR",
            help="What separates values in a text file, or 'tab'. By default it is found.",
        ),
        click.option(
            "--no-header",
            is_flag=True,
            help="The first line has values, not names. Columns are then called x0, x1, ...",
        ),
        click.option(
            "--sheet",
            metavar="NAME",
            help="Sheet of an Excel file. Its name or its number; the first one by default.",
        ),
    ]
    for declare in reversed(declared):
        command = declare(command)
    return command


def reading_options(command: F) -> F:
    """Add how files are read."""
    command = click.option("--skip-corrupt", is_flag=True, help=SKIP_CORRUPT.about)(command)
    command = click.option("--memory", metavar="SIZE", help=MEMORY.about)(command)
    return format_options(command)


def table_options(
    kind: registry.Kind,
    *,
    method: str | None,
    k: str,
    retain: str,
    output: str,
    carry: str,
    target: str,
) -> Callable[[F], F]:
    """Add the file, the goal, the method and its own options, what to analyse and what to write.

    `method` is the default; the others are the help of flags that mean something else for a
    selection than for an extraction.
    """
    declared = [
        FILES,
        click.option("-k", type=number, default=None, metavar="N", help=k),
        click.option("--retain", type=number, default=None, metavar="SHARE", help=retain),
        click.option(
            "-m",
            "--method",
            default=method,
            show_default=method is not None,
            metavar="ID",
            help="The method; 'tamis methods' lists them."
            + (f" Default: {_BY_KIND}." if method is None else ""),
        ),
        click.option("-o", "--output", metavar="OUT", help=f"{output} - prints CSV."),
        click.option("--safe-csv", is_flag=True, help=_SAFE_CSV),
        REPORT,
        JSON,
        list_option("columns", registry.COLUMNS.about),
        list_option("exclude", registry.EXCLUDE.about),
        list_option("carry", carry),
        click.option("--target", metavar="COLUMN", help=target),
        missing_option(kind),
        SCALE,
        reading_options,
        own_options(kind),
    ]

    def with_options(command: F) -> F:
        for declare in reversed(declared):
            command = declare(command)
        return command

    return with_options
