"""Commands that read no table of the user: `demo`, `mcp`, `methods` and `page`."""

import shlex
from pathlib import Path

import click


@click.command()
@click.option(
    "--report", default="tamis-demo.html", show_default=True, help="File for the HTML report."
)
@click.option("--open", "open_page", is_flag=True, help="Open the report in the browser.")
def demo(report: str, open_page: bool) -> None:
    """Run on a bundled table: 30 measurements of 569 breast tumours."""
    from importlib.resources import as_file, files

    from tamis.cli.select import run_select

    with as_file(files("tamis") / "data" / "breast_cancer.csv") as path:
        shown = ["tamis", "select", path.name, "--target", "diagnosis", "--report", report]
        click.echo(f"$ {shlex.join(shown)}\n")
        command = shlex.join(["tamis", "demo", "--report", report])
        asked = {"y": ("diagnosis",), "report": report, "open_page": open_page}
        run_select(str(path), command, asked)


@click.command()
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="Read and write files below this folder only.  [default: the working folder]",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    help="Stop a call that takes longer.  [default: 600]",
)
@click.option("--no-values", is_flag=True, help="Let `look` give no values of the table.")
def mcp(root: Path, seconds: float, no_values: bool) -> None:
    """Serve look, select, explain, score, compare and check to an assistant.

    Speaks the Model Context Protocol over standard input and output, reads files below a folder
    only, and writes none but new ones there that it is asked for. Needs the extra mcp.
    """
    from tamis.agents.stdio import serve

    serve(root, values=not no_values, seconds=seconds)


@click.command()
@click.argument("method", required=False, metavar="[ID]")
def methods(method: str | None) -> None:
    """List the methods, or show when to use one and its options."""
    from tamis import registry
    from tamis.presentation.terminal.methods import method_text, methods_text

    if method is None:
        click.echo(methods_text(registry.methods()))
    else:
        click.echo(method_text(registry.get(method, None)))


@click.command()
@click.option(
    "-o",
    "--output",
    "output",
    default="tamis.html",
    show_default=True,
    metavar="HTML",
    help="File for the page.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
def page(output: str, opens: bool) -> None:
    """Write a page that takes a table and answers as `tamis select` does, without Python.

    Give it to people who have a table and no Python: a CSV file dropped on it is read in the
    browser, and nothing is uploaded.
    """
    from tamis.cli.results import open_page
    from tamis.errors import escape_controls
    from tamis.results.output import PAGES, check_output
    from tamis.results.try_page import write_try_page

    path = Path(output)
    check_output(path, PAGES, ())
    write_try_page(path)
    click.echo(f"Wrote {escape_controls(str(path.resolve()))}")
    if opens:
        open_page(path)
