"""`tamis reproduce`: the experiments of the papers, run again."""

from collections.abc import Sequence
from pathlib import Path

import click

from tamis.errors import TamisError

__all__ = ["reproduce"]

_FOLDER = "tamis-papers"


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
        from tamis.evaluation.protocols.catalogue import protocols
        from tamis.presentation.terminal.reproduction import list_text

        click.echo(list_text([vars(protocol) for protocol in protocols()]))
        return
    if not ids:
        raise TamisError("Name the experiments to run, or all (see `tamis reproduce --list`).")
    from tamis.api.reproduce import reproduce as run
    from tamis.errors import printable
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.presentation.terminal.reproduction import reproduction_text

    with progress_bar():
        found = run(ids, data=data, output=output, quick=quick, download=download, n_jobs=jobs)
    report = Path(output, "report.html").resolve()
    click.echo(f"{reproduction_text(found.to_dict())}\n\nWrote {printable(str(report))}")
