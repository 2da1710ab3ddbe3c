"""The command `tamis` and its subcommands, one file each, imported when they are called."""

import click

from tamis import __version__
from tamis.cli.deferred import DeferredCommand
from tamis.cli.packaged import PackagedCommand

__all__ = ["tamis"]

# The first sentence of the help of each.
_SENTENCES = {
    "check": "Check a saved CHOICE against the new rows of FILE, by its old weights.",
    "compare": "Compare methods on FILE for several numbers of columns.",
    "demo": "Run on a bundled table: 30 measurements of 569 breast tumours.",
    "extract": "Compute components of FILE (PCA, LDA, ...) and row scores.",
    "look": "Show what each column of FILE is, what is odd about it, and what is done with it.",
    "mcp": "Serve look, select, explain, score, compare and check to an assistant.",
    "merge": "Merge SUMMARIES as if their rows had been in one table.",
    "methods": "List the methods, or show when to use one and its options.",
    "page": "Write a page that takes a table and answers as `tamis select` does, without Python.",
    "reconstruct": "Predict the dropped columns of the rows of FILE, which has the columns that "
    "were kept.",
    "score": "Evaluate a list of columns of FILE, and suggest better ones.",
    "select": "Choose which columns of FILE to keep, and explain why.",
    "summarise": "Write means, variances and correlations of FILES to a summary.",
}


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.version_option(__version__, message="tamis %(version)s")
@click.pass_context
def tamis(context: click.Context) -> None:
    """Choose which columns of a wide table to keep, and see what dropping the rest costs."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _name, _about in _SENTENCES.items():
    tamis.add_command(DeferredCommand(_name, _about))
tamis.add_command(
    PackagedCommand(
        "reproduce",
        "Run experiments of the papers and compare with the printed figures.\n\n"
        "In the package tamis-papers.",
        distribution="tamis-papers",
    )
)
