"""Parse arguments, call the api, show the result; every import of weight is inside a command."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from tamis import registry
from tamis.errors import TamisError

F = TypeVar("F", bound=Callable[..., Any])

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


def _own_options(command: F) -> F:
    """Add a flag for every option that some method has."""
    users: dict[registry.Option, list[str]] = {}
    for method in registry.methods():
        for option in method.options:
            users.setdefault(option, []).append(method.id)
    for option, ids in reversed(users.items()):
        command = click.option(
            "--" + option.name.replace("_", "-"),
            option.name,
            default=None,
            type=_flag_type(option),
            help=f"[{', '.join(ids)}] {option.about}  [default: {option.default}]",
        )(command)
    return command


def _flag_type(option: registry.Option) -> Any:
    if option.kind == "choice":
        return click.Choice([str(choice) for choice in option.choices])
    return {"whole": int, "share": float, "flag": bool}[option.kind]


@tamis.command()
@click.argument("file", type=click.Path())
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
@click.option("--columns", metavar="A,B", help=registry.COLUMNS.about)
@click.option("--include", metavar="A,B", help=registry.INCLUDE.about)
@click.option("--exclude", metavar="A,B", help=registry.EXCLUDE.about)
@click.option(
    "--carry", metavar="A,B", help="Columns copied to the output as they are: ids, labels."
)
@click.option(
    "--missing",
    type=click.Choice([str(choice) for choice in registry.MISSING.choices]),
    default=registry.MISSING.default,
    show_default=True,
    help=registry.MISSING.about,
)
@click.option("--no-scale", is_flag=True, help="Leave the columns at their own spread.")
@click.option(
    "--refine",
    type=click.Choice(["swap", "exact"]),
    default=None,
    help="Swap columns until no swap helps, or prove the best set (up to 64 columns).",
)
@_own_options
def select(file: str, **given: Any) -> None:
    """Choose columns of FILE (CSV, Parquet, Feather, NPZ) and say why."""
    _select(file, shlex.join(["tamis", *sys.argv[1:]]), **given)


@tamis.command()
def methods() -> None:
    """List the methods and their options."""
    from tamis.presentation.text import methods_text

    click.echo(methods_text(registry.methods()))


@tamis.command()
@click.option("--report", default=DEMO_REPORT, show_default=True, help="Where to write the report.")
def demo(report: str) -> None:
    """Run on a bundled table: 30 measurements of 569 breast tumours."""
    from importlib.resources import as_file, files

    with as_file(files("tamis") / "data" / "breast_cancer.csv") as path:
        command = f"tamis select {path.name} --report {report}"
        click.echo(f"$ {command}\n")
        _select(str(path), command, report=report)


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
    columns: str | None = None,
    include: str | None = None,
    exclude: str | None = None,
    carry: str | None = None,
    missing: str = "error",
    no_scale: bool = False,
    refine: str | None = None,
    **own: Any,
) -> None:
    registry.get(method)
    _check_outputs(output, report)
    from dataclasses import replace

    from tamis import api
    from tamis.presentation.progress import progress_bar
    from tamis.presentation.text import selection_text

    with progress_bar(), _file_names_in_errors():
        found = api.select(
            file,
            _whole(k),
            method=method,
            retain=retain,
            columns=_listed(columns),
            include=_listed(include) or [],
            exclude=[*(_listed(exclude) or []), *(_listed(carry) or [])],
            scale=not no_scale,
            refine={None: False, "swap": True}.get(refine, refine or False),
            missing=missing,
            options={name: value for name, value in own.items() if value is not None},
        )
        found = replace(found, request=replace(found.request, command=command))
        facts = found.to_dict()
        if output:
            _write(file, [*(_listed(carry) or []), *found.names], output)
        if report:
            found.report(report)
    quiet = output == "-"
    shown = json.dumps(facts, indent=2, ensure_ascii=False) if as_json else selection_text(facts)
    click.echo(shown, err=quiet)
    for path in (output, report):
        if path and path != "-" and not as_json:
            click.echo(f"\nWrote {Path(path).resolve() if path == report else path}")


def _check_outputs(output: str | None, report: str | None) -> None:
    from tamis.presentation.output import check_table_suffix, check_writable

    if output and output != "-":
        check_table_suffix(Path(output))
        check_writable(Path(output))
    if report:
        check_writable(Path(report))


def _write(file: str, names: list[str], output: str) -> None:
    from tamis.presentation.output import write_stream, write_tables
    from tamis.sources.source import open_source, positions

    source = open_source(file)
    tables = source.tables(positions(source, names))
    if output == "-":
        write_stream(tables, sys.stdout.buffer, ".csv")
    else:
        write_tables(tables, Path(output))


@contextmanager
def _file_names_in_errors() -> Iterator[None]:
    """Say options the way the command line spells them."""
    try:
        yield
    except TamisError as error:
        text = str(error)
        for name in ("missing", "exclude", "include", "columns"):
            text = text.replace(f'{name}="', f"--{name} ").replace(f"with {name}", f"with --{name}")
        raise TamisError(text) from error


def _whole(k: str | None) -> int | None:
    if k is None:
        return None
    try:
        number = int(k)
    except ValueError:
        raise TamisError(f"k={k}: give {registry.K.accepts.removesuffix(', or None')}.") from None
    return number


def _listed(names: str | None) -> list[str] | None:
    """Split at commas; quotes protect a name that has one, as in a CSV line."""
    if names is None:
        return None
    import csv

    return [name.strip() for name in next(csv.reader([names], skipinitialspace=True))]
