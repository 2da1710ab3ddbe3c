"""`tamis mcp`: the same functions as tools for programs that talk."""

from pathlib import Path

import click

__all__ = ["mcp"]


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
