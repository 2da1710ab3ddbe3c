"""The command `tamis` and its subcommands, one file each."""

import click

from tamis.cli.check import check
from tamis.cli.compare import compare
from tamis.cli.demo import demo
from tamis.cli.extract import extract
from tamis.cli.look import look
from tamis.cli.mcp import mcp
from tamis.cli.merge import merge
from tamis.cli.methods import methods
from tamis.cli.packaged import reproduce
from tamis.cli.page import page
from tamis.cli.reconstruct import reconstruct
from tamis.cli.score import score
from tamis.cli.select import select
from tamis.cli.summarise import summarise

__all__ = ["tamis"]


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.version_option(package_name="tamis", message="tamis %(version)s")
@click.pass_context
def tamis(context: click.Context) -> None:
    """Choose which columns of a wide table to keep, and see what dropping the rest costs."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    *(select, look, score, compare, extract, summarise, merge, check, reconstruct),
    *(methods, page, reproduce, demo, mcp),
):
    tamis.add_command(command)
