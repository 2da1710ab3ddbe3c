"""`tamis methods`: the table of methods."""

import click

__all__ = ["methods"]


@click.command()
def methods() -> None:
    """List the methods and their options."""
    from tamis import registry
    from tamis.presentation.terminal.methods import methods_text

    click.echo(methods_text(registry.methods()))
