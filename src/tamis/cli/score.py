"""`tamis score`: how good a given list of columns is."""

import shlex
from typing import Any

import click

from tamis.cli.arguments import Asked, Files
from tamis.cli.flags import FILES, LISTS, HelpfulCommand, flags_at


@click.command(cls=HelpfulCommand, epilog=LISTS)
@FILES
@flags_at("score", required=["columns"], limits=True)
@click.pass_obj
def score(arguments: list[str], /, file: Files, **given: Any) -> None:
    """Evaluate a list of columns of FILE, and suggest better ones."""
    asked = Asked.of("score", file, shlex.join(["tamis", *arguments]), given)
    from tamis.api.score import score as judge
    from tamis.cli.results import deliver
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.presentation.terminal.selection import selection_text

    with progress_bar(label="reading the table"):
        found = judge(asked.file, **asked.keywords)
    deliver(found, selection_text, asked)
