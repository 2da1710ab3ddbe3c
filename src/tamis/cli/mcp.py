"""`tamis mcp`: the same functions as tools for programs that talk."""

import click

__all__ = ["mcp"]


@click.command()
def mcp() -> None:
    """Serve look, select, explain, score, compare and check to an assistant.

    Speaks the Model Context Protocol over standard input and output, reads files on this machine
    only, and writes none but new ones that it is asked for. Needs the extra mcp.
    """
    from tamis.agents.stdio import serve

    serve()
