"""`tamis extract`: new directions out of the columns; every import of weight is inside."""

import shlex
from collections.abc import Sequence
from typing import Any

import click

from tamis import registry
from tamis.cli.arguments import LISTS, check_own, goal, list_option, listed, own_options
from tamis.cli.results import check_carried, check_outputs, deliver
from tamis.registry.extraction import RULE

DEFAULT_METHOD = "pca"


@click.command(epilog=LISTS)
@click.argument("file")
@click.option("-k", type=str, default=None, metavar="N", help="How many directions.")
@click.option(
    "--retain",
    type=float,
    default=None,
    metavar="SHARE",
    help="Instead of -k: as many directions as hold this share; 0.95 (discriminants: 1) when "
    "neither is given.",
)
@click.option(
    "--rule",
    type=click.Choice([str(choice) for choice in RULE.choices]),
    default=RULE.default,
    show_default=True,
    help=RULE.about,
)
@click.option(
    "-m",
    "--method",
    default=DEFAULT_METHOD,
    show_default=True,
    metavar="ID",
    help="How to find them: "
    + ", ".join(method.id for method in registry.methods("extraction"))
    + ".",
)
@click.option(
    "--labels",
    metavar="COLUMN",
    help="Column with the class of each row: discriminants need it, and it colours the report.",
)
@click.option("-o", "--output", metavar="OUT", help="Write the scores here; - prints CSV.")
@list_option("carry", "Columns copied before the scores: ids, labels.")
@click.option("--report", metavar="HTML", help="Write a report to look at.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@list_option("columns", registry.COLUMNS.about)
@list_option("exclude", registry.EXCLUDE.about)
@click.option(
    "--missing",
    type=click.Choice(["error", "mean", "drop"]),
    default="error",
    show_default=True,
    help="Missing values: refuse, fill with the column mean, or drop the row.",
)
@click.option(
    "--scale/--no-scale",
    default=None,
    help="Bring the columns to the same spread, or not; the default depends on the method.",
)
@own_options("extraction")
@click.pass_obj
def extract(arguments: list[str], /, file: str, **given: Any) -> None:
    """Build a few new directions out of the columns of FILE and put the rows on them."""
    _extract(file, shlex.join(["tamis", *arguments]), **given)


def _extract(
    file: str,
    command: str,
    *,
    k: str | None,
    retain: float | None,
    rule: str,
    method: str,
    labels: str | None,
    output: str | None,
    carry: Sequence[str],
    report: str | None,
    as_json: bool,
    columns: Sequence[str],
    exclude: Sequence[str],
    missing: str,
    scale: bool | None,
    **own: Any,
) -> None:
    number = goal(k, retain, "how many directions there are")
    own = check_own(registry.get(method, "extraction"), own)
    check_outputs(file, output, report)
    from dataclasses import replace

    from tamis.api.extract import extract as find
    from tamis.presentation.terminal.extraction import extraction_text
    from tamis.presentation.terminal.progress import progress_bar

    with progress_bar():
        found = find(
            file,
            number,
            method=method,
            y=labels,
            retain=retain,
            rule=rule,
            columns=listed(columns) if columns else None,
            exclude=listed(exclude) + listed(carry),
            scale=scale,
            missing=missing,
            options=own,
        )
    found = replace(found, request=replace(found.request, command=command))
    check_carried(listed(carry), found.names)
    deliver(
        found, extraction_text, file, listed(carry), output=output, report=report, as_json=as_json
    )
