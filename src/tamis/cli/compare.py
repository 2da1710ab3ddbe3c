"""`tamis compare`: which method suits a table."""

import shlex
from collections.abc import Sequence
from typing import Any

import click

from tamis import registry
from tamis.cli.asked import Asked, Files
from tamis.cli.flags import list_option, listed, number
from tamis.cli.help import HelpfulCommand
from tamis.cli.options import FILES, JSON, LISTS, REPORT, format_options, missing_option

__all__ = ["compare"]


@click.command(cls=HelpfulCommand, epilog=LISTS)
@FILES
@click.option(
    "-m",
    "--methods",
    multiple=True,
    metavar="A,B",
    help="Methods to compare. Default: all that suit, wrappers only with --budget.",
)
@click.option(
    "-k", multiple=True, metavar="5,10", help="Numbers of columns to keep. Default: 5,10,20,30."
)
@list_option("criteria", "Criteria to compare by. Default: all that apply.")
@click.option("--budget", type=number, metavar="SECONDS", help=registry.BUDGET.about)
@click.option("--target", metavar="COLUMN", help="Column with labels, for supervised methods.")
@click.option("--task", type=click.Choice(registry.TASK.choices), help=registry.TASK.about)
@REPORT
@JSON
@list_option("columns", registry.COLUMNS.about)
@list_option("exclude", registry.EXCLUDE.about)
@list_option("categories", registry.CATEGORIES.about)
@list_option("numbers", registry.NUMBERS.about)
@missing_option("selection")
@format_options
@click.pass_obj
def compare(
    arguments: list[str],
    /,
    file: Files,
    *,
    methods: Sequence[str],
    k: Sequence[str],
    criteria: Sequence[str],
    budget: Any,
    task: str | None,
    **given: Any,
) -> None:
    """Compare methods on FILE for several numbers of columns."""
    command = shlex.join(["tamis", *arguments])
    asked = Asked.of("selection", file, command, method=None, **given)
    ids = listed(methods)
    sizes: list[Any] = [number(one) for one in listed(k)]
    for one in ids:
        registry.get(one)
    for size in sizes:
        registry.K.check(size)
    registry.BUDGET.check(budget)
    from tamis.api.compare import compare as run
    from tamis.cli.results import deliver
    from tamis.presentation.terminal.comparison import comparison_text
    from tamis.presentation.terminal.progress import progress_bar

    shared = ("columns", "exclude", "categories", "numbers", "missing", "y")
    keywords = {name: asked.keywords[name] for name in shared if name in asked.keywords}
    with progress_bar(label="reading the table"):
        found = run(
            asked.file,
            ids or "all",
            k=sizes or None,
            criteria=listed(criteria) or "all",
            budget=budget,
            task=task or registry.TASK.default,
            **keywords,
        )
    deliver(found, comparison_text, asked)
