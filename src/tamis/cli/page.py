"""`tamis page`: a page that answers in the browser, for people without Python."""

from pathlib import Path

import click

__all__ = ["page"]


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
