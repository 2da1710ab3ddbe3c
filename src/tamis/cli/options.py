"""The options that `select` and `extract` share, each declared once."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from tamis import registry
from tamis.cli.flags import list_option, number, own_options

__all__ = ["CHECKPOINT", "LISTS", "missing_option", "table_options"]

F = TypeVar("F", bound=Callable[..., Any])

LISTS = (
    "--columns, --exclude and the like: repeat the flag or separate names by commas; put a name "
    "that contains a comma in double quotes: '\"net, kg\",age'."
)
_MISSING = {
    "error": "stop with a message (error)",
    "mean": "fill with the column mean (mean)",
    "drop": "drop rows with missing values (drop)",
    "category": "count as a category (category; methods on mutual information only)",
}


CHECKPOINT = click.option(
    "--checkpoint",
    metavar="FILE",
    help="While reading, write what is known so far to this file (.tamis); the command resumes "
    "from it.",
)


def missing_option(*, categories: bool) -> Callable[[F], F]:
    """Add the flag that says what to do about missing values."""
    choices = [text for text in _MISSING if categories or text != "category"]
    return click.option(
        "--missing",
        type=click.Choice(choices),
        default="error",
        show_default=True,
        help=f"Missing values: {', '.join(_MISSING[choice] for choice in choices)}.",
    )


def table_options(
    kind: registry.Kind, *, method: str, k: str, retain: str, output: str, carry: str, target: str
) -> Callable[[F], F]:
    """Add the file, the goal, the method and its own options, what to analyse and what to write.

    `method` is the default; the others are the help of flags that mean something else for a
    selection than for an extraction.
    """
    declared = [
        click.argument("file"),
        click.option("-k", type=number, default=None, metavar="N", help=k),
        click.option("--retain", type=number, default=None, metavar="SHARE", help=retain),
        click.option(
            "-m",
            "--method",
            default=method,
            show_default=True,
            metavar="ID",
            help="The method; 'tamis methods' lists them.",
        ),
        click.option("-o", "--output", metavar="OUT", help=f"{output} - prints CSV."),
        click.option("--report", metavar="HTML", help="Write an HTML report."),
        click.option("--json", "as_json", is_flag=True, help="Print everything as JSON."),
        list_option("columns", registry.COLUMNS.about),
        list_option("exclude", registry.EXCLUDE.about),
        list_option("carry", carry),
        click.option("--target", metavar="COLUMN", help=target),
        missing_option(categories=kind == "selection"),
        click.option(
            "--scale/--no-scale",
            default=None,
            help=f"{registry.SCALE.about} The default depends on the method.",
        ),
        own_options(kind),
    ]

    def with_options(command: F) -> F:
        for declare in reversed(declared):
            command = declare(command)
        return command

    return with_options
