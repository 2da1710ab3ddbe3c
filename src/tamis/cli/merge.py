"""`tamis merge`: one summary of the rows of several."""

from collections.abc import Sequence

import click

from tamis.cli.flags import flags_at
from tamis.cli.summarise import check_target, keep, merge_all

__all__ = ["merge"]


@click.command()
@click.argument("summaries", nargs=-1, required=True)
@flags_at("merge", required=["output"])
def merge(
    summaries: Sequence[str],
    output: str,
    min_rows: int,
    again: bool,
    no_fingerprints: bool,
    memory: str | None,
) -> None:
    """Merge SUMMARIES as if their rows had been in one table.

    Columns are matched by name.
    """
    for file in summaries:
        check_target(output, file)
    from tamis.api.summarise import load_summary

    loaded = [load_summary(path, memory=memory) for path in summaries]
    keep(merge_all(loaded, again), output, min_rows, fingerprints=not no_fingerprints)
