"""`tamis reproduce`: the experiments of the papers, run again.

The command of tamis finds this one by its entry point.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from tamis.errors import TamisError, escape_controls
from tamis.progress import send_progress

__all__ = ["reproduce"]

_FOLDER = "tamis-papers"
_EVERY = 0.1  # seconds between two lines of progress


@click.command()
@click.argument("ids", nargs=-1, metavar="[all | ID ...]")
@click.option("--data", metavar="DIR", help="Folder with data sets as NAME.npz (arrays X and y).")
@click.option("--quick", is_flag=True, help="Only what takes seconds: few tables, few repetitions.")
@click.option("--download", is_flag=True, help="Take tables that are not in DIR from OpenML.")
@click.option(
    "--output", default=_FOLDER, show_default=True, metavar="DIR",
    help="Folder for the report, tables and finished cells; the same command resumes from it.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N",
    help="Number of processes. Default: as many as there are cores.",
)  # fmt: skip
@click.option("--list", "listing", is_flag=True, help="List the experiments and their tables.")
def reproduce(
    ids: Sequence[str],
    data: str | None,
    quick: bool,
    download: bool,
    output: str,
    jobs: int | None,
    listing: bool,
) -> None:
    """Run experiments of the papers and compare with the printed figures.

    Give the ids of experiments, or all.
    """
    if listing:
        from tamis_papers.catalogue import list_protocols
        from tamis_papers.views.terminal import write_list

        click.echo(write_list([vars(protocol) for protocol in list_protocols()]))
        return
    if not ids:
        raise TamisError("Name the experiments to run, or all (see `tamis reproduce --list`).")
    from tamis_papers.api import reproduce as run
    from tamis_papers.views.terminal import write_answer

    with _showing_progress():
        found = run(ids, data=data, output=output, quick=quick, download=download, n_jobs=jobs)
    report = Path(output, "report.html").resolve()
    click.echo(f"{write_answer(found.to_dict())}\n\nWrote {escape_controls(str(report))}")


@contextmanager
def _showing_progress() -> Iterator[None]:
    """Write on one line of a terminal how far the work has come; nothing anywhere else."""
    if not sys.stderr.isatty():
        yield
        return
    last = 0.0

    def show(label: str, done: int, total: int | None) -> None:
        nonlocal last
        if time.monotonic() - last < _EVERY:
            return
        last = time.monotonic()
        count = f"{done:,} of {total:,}" if total else f"{done:,}"
        click.echo(f"\r\x1b[K{count} {label}", nl=False, err=True)

    try:
        with send_progress(show):
            yield
    finally:
        click.echo("\r\x1b[K", nl=False, err=True)
