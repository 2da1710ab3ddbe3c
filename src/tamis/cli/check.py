"""`tamis check`: whether a choice still holds on new rows."""

import json
from pathlib import Path
from typing import Any

import click

from tamis.cli.arguments import add_format
from tamis.cli.flags import HelpfulCommand, flags_at


@click.command(cls=HelpfulCommand)
@click.argument("choice")
@click.argument("file", nargs=-1, required=True, metavar="FILE...")
@flags_at("check")
def check(choice: str, file: tuple[str, ...], **given: Any) -> None:
    """Check a saved CHOICE against the new rows of FILE, by its old weights.

    Exit code 0: it holds. 1: it does not. 2: it could not be checked. With --min-share or
    --max-fall these decide; without, any change beyond chance.
    """
    from tamis.results.output import PAGES, check_output

    page = None if given["report"] is None else Path(given["report"])
    if page is not None:
        check_output(page, PAGES, [Path(choice), *map(Path, file)])
    table = add_format(file[0] if len(file) == 1 else list(file), given)
    from tamis.api.check import check as judge
    from tamis.presentation.terminal.answers import check_text
    from tamis.presentation.terminal.progress import progress_bar

    limits = {name: given[name] for name in ("min_share", "max_fall")}
    with progress_bar(label="reading the table"):
        made = judge(choice, table, **limits)
    if page is not None:
        made.report(page, title=f"{Path(choice).name}: {', '.join(file)}")
    click.echo(json.dumps(made.to_dict(), indent=2) if given["as_json"] else check_text(made))
    if not made.holds:
        raise click.exceptions.Exit(1)
