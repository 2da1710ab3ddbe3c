"""`tamis extract`: components of the columns; every import of weight is inside."""

import shlex
from typing import Any

import click

from tamis.cli.asked import Asked, Files
from tamis.cli.help import HelpfulCommand
from tamis.cli.options import LISTS, NO_ROWS, table_options
from tamis.registry import RULE

__all__ = ["extract"]


@click.command(cls=HelpfulCommand, epilog=LISTS)
@table_options(
    "extraction",
    method="pca",
    k="Number of components.",
    retain="Or the share to explain with the fewest components. Default: 0.95 "
    "(discriminant methods: all).",
    output="Write the scores to this file;",
    carry="Columns only copied to the output: ids, labels. They come before the scores.",
    target="Column with classes, for discriminants and colours. Discriminants need it; for other "
    "methods it colours the report.",
)
@click.option(
    "--rule",
    type=click.Choice([str(choice) for choice in RULE.choices]),
    default=RULE.default,
    show_default=True,
    help=RULE.about,
)
@NO_ROWS
@click.pass_obj
def extract(
    arguments: list[str], /, file: Files, *, rule: str, no_rows: bool, **given: Any
) -> None:
    """Compute components of FILE (PCA, LDA, ...) and row scores."""
    command = shlex.join(["tamis", *arguments])
    asked = Asked.of("extraction", file, command, plots_rows=not no_rows, **given)
    asked.page.update(rows=not no_rows)
    from tamis.api.extract import extract as find
    from tamis.cli.results import check_carried, deliver
    from tamis.evaluation.extracted import component_names
    from tamis.presentation.terminal.extraction import extraction_text
    from tamis.presentation.terminal.progress import progress_bar

    # So many components there are in any case.
    check_carried(asked.carry, component_names(given["method"], given["k"] or 1))
    with progress_bar(label="reading the table"):
        found = find(asked.file, rule=rule, **asked.keywords)
    check_carried(asked.carry, found.names)
    deliver(found, extraction_text, asked)
