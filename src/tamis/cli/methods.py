"""`tamis methods`: the table of methods, or all there is to know about one."""

import click

__all__ = ["methods"]


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
