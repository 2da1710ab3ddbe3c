"""`tamis compare`: which method suits a table."""

import shlex
from typing import Any

import click

from tamis import registry
from tamis.cli.arguments import Asked, Files
from tamis.cli.flags import (
    FILES,
    LISTS,
    HelpfulCommand,
    flags_at,
    parse_number,
    read_named_lists,
    resolve_files,
    split_list,
)


@click.command(cls=HelpfulCommand, epilog=LISTS)
@FILES
@flags_at("compare")
@click.pass_obj
def compare(arguments: list[str], /, file: Files, **given: Any) -> None:
    """Compare methods on FILE for several numbers of columns."""
    asked = Asked.of("compare", file, shlex.join(["tamis", *arguments]), given)
    ids = split_list(given["methods"])
    sizes: list[Any] = [parse_number(one) for one in split_list(given["k"])]
    for one in ids:
        registry.get(one)
    for size in sizes:
        registry.K.check(size)
    registry.BUDGET.check(given["budget"])
    from tamis.api.compare import compare as run
    from tamis.cli.results import deliver
    from tamis.presentation.terminal.answers import comparison_text
    from tamis.presentation.terminal.progress import progress_bar

    criteria = split_list(given["criteria"]) or "all"
    named = read_named_lists(given["lists"])
    lists = {
        one: resolve_files(asked.file, {"lists": some})["lists"] for one, some in named.items()
    }
    with progress_bar(label="reading the table"):
        found = run(
            asked.file,
            ids or "all",
            k=sizes or None,
            criteria=criteria,
            lists=lists or None,
            **asked.keywords,
        )
    deliver(found, comparison_text, asked)
