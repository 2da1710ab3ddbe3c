"""The options that `select` and `extract` share, each declared once."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tamis import registry
from tamis.cli.flags import list_option, number, own_options
from tamis.registry.option import MEMORY, SKIP_CORRUPT

__all__ = [
    "CHECKPOINT",
    "FILES",
    "JSON",
    "LISTS",
    "NO_ROWS",
    "REPORT",
    "SCALE",
    "missing_option",
    "reading_options",
    "table_options",
]

F = TypeVar("F", bound=Callable[..., Any])

LISTS = (
    "--columns, --exclude and the like: repeat the flag or separate names by commas; put a name "
    "that contains a comma in double quotes: '\"net, kg\",age'."
)
_BY_KIND = "sfs for numbers, representatives where text or categories are analysed"
_MISSING = {
    "error": "stop with a message (error)",
    "mean": "fill with the column mean (mean)",
    "drop": "drop rows with missing values (drop)",
    "category": "count as a category (category; in place of mean, for methods on mutual "
    "information or class counts)",
    "auto": "mean for numbers and category for text, with infinite values taken as missing (auto)",
}

CHECKPOINT = click.option(
    "--checkpoint",
    metavar="FILE",
    help="Write progress to this file; the same command resumes from it. Linear methods save the "
    "pass over the rows (.tamis), wrappers their search (JSON).",
)
REPORT = click.option("--report", metavar="HTML", help="Write an HTML report.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
NO_ROWS = click.option(
    "--no-rows", is_flag=True, help="Omit values of single rows from the report."
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
    return click.option(
        "--missing",
        type=click.Choice(choices),
        default=None,
        help=f"Missing values: {', '.join(_MISSING[choice] for choice in choices)}. Default: "
        f"{usual}.",
    )


def _one_or_many(context: Any, parameter: Any, given: tuple[str, ...]) -> str | list[str]:  # noqa: ARG001
    """Give a list only where several files were named."""
    return given[0] if len(given) == 1 else list(given)


FILES = click.argument("file", nargs=-1, required=True, callback=_one_or_many)


def reading_options(command: F) -> F:
    """Add how files are read."""
    command = click.option("--skip-corrupt", is_flag=True, help=SKIP_CORRUPT.about)(command)
    return click.option("--memory", metavar="SIZE", help=MEMORY.about)(command)


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
