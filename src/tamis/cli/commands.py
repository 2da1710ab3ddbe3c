"""Parse arguments, call the api, show the result; every import of weight is inside a command."""

import shlex
from collections.abc import Sequence
from typing import Any

import click

from tamis import registry
from tamis.cli.arguments import LISTS, check_own, goal, list_option, listed, own_options
from tamis.cli.extract import extract
from tamis.cli.results import check_outputs, deliver

DEMO_REPORT = "tamis-demo.html"


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.version_option(package_name="tamis", message="tamis %(version)s")
@click.pass_context
def tamis(context: click.Context) -> None:
    """Say which columns of a wide table to keep, why, and what it costs to drop the rest."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


tamis.add_command(extract)


@tamis.command(epilog=LISTS)
@click.argument("file")
@click.option("-k", type=str, default=None, metavar="N", help=registry.K.about)
@click.option("--retain", type=float, default=None, metavar="SHARE", help=registry.RETAIN.about)
@click.option(
    "-m",
    "--method",
    default=registry.DEFAULT_METHOD,
    show_default=True,
    metavar="ID",
    help="How to choose; 'tamis methods' lists them.",
)
@click.option("-o", "--output", metavar="OUT", help="Write the kept columns here; - prints CSV.")
@click.option("--report", metavar="HTML", help="Write a report to look at.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@list_option("columns", registry.COLUMNS.about)
@list_option("include", registry.INCLUDE.about)
@list_option("exclude", registry.EXCLUDE.about)
@list_option("carry", "Columns copied to the output as they are: ids, labels.")
@click.option(
    "--missing",
    type=click.Choice([str(choice) for choice in registry.MISSING.choices]),
    default=registry.MISSING.default,
    show_default=True,
    help=registry.MISSING.about,
)
@click.option(
    "--scale/--no-scale",
    default=None,
    help="Bring the columns to the same spread, or not; the default depends on the method.",
)
@click.option(
    "--refine",
    type=click.Choice(["swap", "exact"]),
    default=None,
    help="Swap columns until no swap helps, or prove the best set (up to 64 columns).",
)
@own_options("selection")
@click.pass_obj
def select(arguments: list[str], /, file: str, **given: Any) -> None:
    """Choose columns of FILE (CSV, Parquet, Feather, NPZ) and say why."""
    _select(file, shlex.join(["tamis", *arguments]), **given)


@tamis.command()
def methods() -> None:
    """List the methods and their options."""
    from tamis.presentation.terminal.methods import methods_text

    click.echo(methods_text(registry.methods()))


@tamis.command()
@click.option("--report", default=DEMO_REPORT, show_default=True, help="Where to write the report.")
def demo(report: str) -> None:
    """Run on a bundled table: 30 measurements of 569 breast tumours."""
    from importlib.resources import as_file, files

    with as_file(files("tamis") / "data" / "breast_cancer.csv") as path:
        click.echo(f"$ {shlex.join(['tamis', 'select', path.name, '--report', report])}\n")
        _select(str(path), shlex.join(["tamis", "demo", "--report", report]), report=report)


def _select(
    file: str,
    command: str,
    *,
    k: str | None = None,
    retain: float | None = None,
    method: str = registry.DEFAULT_METHOD,
    output: str | None = None,
    report: str | None = None,
    as_json: bool = False,
    columns: Sequence[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    carry: Sequence[str] = (),
    missing: str = "error",
    scale: bool | None = None,
    refine: str | None = None,
    **own: Any,
) -> None:
    number, own = goal(k, retain), check_own(registry.get(method), own)
    check_outputs(file, output, report)
    from dataclasses import replace

    from tamis.api.select import select as find
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.presentation.terminal.selection import selection_text

    with progress_bar():
        found = find(
            file,
            number,
            method=method,
            retain=retain,
            columns=listed(columns) if columns else None,
            include=listed(include),
            exclude=listed(exclude) + listed(carry),
            scale=scale,
            refine={None: False, "swap": True}.get(refine, refine or False),
            missing=missing,
            options=own,
        )
    found = replace(found, request=replace(found.request, command=command))
    deliver(
        found, selection_text, file, listed(carry), output=output, report=report, as_json=as_json
    )
