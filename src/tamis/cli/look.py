"""`tamis look`: what each column of a table is."""

import json
from typing import Any

import click

from tamis.cli.arguments import Files, add_format
from tamis.cli.flags import FILES, HelpfulCommand, flags_at, split_list


@click.command(cls=HelpfulCommand)
@FILES
@flags_at("look")
def look(file: Files, **given: Any) -> None:
    """Show what each column of FILE is, what is unusual about it, and how it is analysed."""
    file = add_format(file, given)
    from tamis.api.look import look as judge
    from tamis.presentation.terminal.answers import look_text
    from tamis.presentation.terminal.progress import progress_bar

    asked = {name: given[name] for name in ("names", "memory", "skip_corrupt")}
    with progress_bar(label="reading the table"):
        found = judge(file, na=split_list(given["na"]), **asked)
    if given["as_json"]:
        click.echo(json.dumps(found.to_dict(), indent=2))
    else:
        click.echo(look_text(found._facts, everything=given["everything"]))
