"""`tamis select`: which columns to keep; every import of weight is inside."""

import shlex
from functools import partial
from typing import Any

import click

from tamis import registry
from tamis.cli.arguments import Asked, Files, check_checkpoint
from tamis.cli.flags import FILES, LISTS, HelpfulCommand, flags_at
from tamis.errors import TamisError


@click.command(cls=HelpfulCommand, epilog=LISTS)
@FILES
@flags_at("select", methods="selection")
@click.pass_obj
def select(arguments: list[str], /, file: Files, **given: Any) -> None:
    """Choose which columns of FILE to keep, and explain why.

    FILE is a table (CSV, Excel, Parquet, Feather, NumPy, ARFF, SPSS, Stata, SAS, AnnData, PLINK,
    R), a folder or pattern of such, or - (stdin).
    """
    run_select(file, shlex.join(["tamis", *arguments]), given)


def run_select(file: Files, command: str, given: dict[str, Any]) -> None:
    """Select columns as the flags say, and show what was found."""
    quiet, top = given.get("quiet", False), given.get("top")
    if quiet and given.get("as_json"):
        raise TamisError("Give --quiet or --json, not both: each decides what is printed.")
    asked = Asked.of("select", file, command, given)
    method, checkpoint = given.get("method"), given.get("checkpoint")
    if method is None or not registry.get(method).has("checkpoint"):
        check_checkpoint(checkpoint, asked.file)
    if given.get("estimate"):
        _print_estimate(asked)
        return
    from tamis.api.select import select as find
    from tamis.cli.results import deliver
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.presentation.terminal.selection import TOP, names_text, selection_text

    with progress_bar(label="reading the table"):
        found = find(asked.file, **asked.keywords)
    shown = {"top": TOP if top is None else top, "everything": given.get("everything", False)}
    text = names_text if quiet else partial(selection_text, **shown)
    deliver(found, text, asked, quiet=quiet)


def _print_estimate(asked: Asked) -> None:
    from tamis.api.select import estimate
    from tamis.memory import machine_bytes
    from tamis.presentation.terminal.selection import cost_text

    k = asked.keywords.get("k")
    shape, cost = estimate(asked.file, k, asked.keywords.get("method"))
    text = cost_text(
        cost.seconds,
        cost.peak,
        rows=shape.rows,
        columns=shape.columns,
        k=int(k or 0),
        exact=shape.exact,
        room=machine_bytes(),
    )
    click.echo(text)
