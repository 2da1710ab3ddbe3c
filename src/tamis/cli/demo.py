"""`tamis demo`: a selection on the bundled table."""

import shlex

import click

from tamis.cli.select import run_select

__all__ = ["demo"]


@click.command()
@click.option(
    "--report", default="tamis-demo.html", show_default=True, help="File for the HTML report."
)
@click.option("--open", "open_page", is_flag=True, help="Open the report in the browser.")
def demo(report: str, open_page: bool) -> None:
    """Run on a bundled table: 30 measurements of 569 breast tumours."""
    from importlib.resources import as_file, files

    with as_file(files("tamis") / "data" / "breast_cancer.csv") as path:
        shown = ["tamis", "select", path.name, "--target", "diagnosis", "--report", report]
        click.echo(f"$ {shlex.join(shown)}\n")
        command = shlex.join(["tamis", "demo", "--report", report])
        asked = {"y": ("diagnosis",), "report": report, "open_page": open_page}
        run_select(str(path), command, asked)
