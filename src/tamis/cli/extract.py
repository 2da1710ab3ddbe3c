"""`tamis extract`: components of the columns; every import of weight is inside."""

import shlex
from typing import Any

import click

from tamis.cli.arguments import Asked, Files
from tamis.cli.flags import FILES, LISTS, HelpfulCommand, flags_at

_DEFAULT_METHOD = "pca"


@click.command(cls=HelpfulCommand, epilog=LISTS)
@FILES
@flags_at("extract", methods="extraction")
@click.pass_obj
def extract(arguments: list[str], /, file: Files, **given: Any) -> None:
    """Compute components of FILE (PCA, LDA, ...) and row scores."""
    given["method"] = given["method"] or _DEFAULT_METHOD
    asked = Asked.of("extract", file, shlex.join(["tamis", *arguments]), given)
    from tamis import registry
    from tamis.api.extract import extract as find
    from tamis.cli.results import check_carried, deliver
    from tamis.presentation.terminal.answers import extraction_text
    from tamis.presentation.terminal.progress import progress_bar

    # So many components there are in any case.
    method = registry.get(given["method"], "extraction")
    check_carried(asked.carry, method.name_components(given["k"] or 1))
    with progress_bar(label="reading the table"):
        found = find(asked.file, **asked.keywords)
    check_carried(asked.carry, found.names)
    deliver(found, extraction_text, asked)
