"""The command `tamis` and its subcommands, imported when they are called."""

from importlib import import_module
from typing import Any

import click

from tamis import __version__
from tamis.errors import TamisError

GROUP = "tamis.commands"


class DeferredCommand(click.Command):
    """A command known by a sentence until it runs, of this package or of another distribution."""

    def __init__(self, name: str, about: str, *, distribution: str | None = None) -> None:
        super().__init__(name, help=about)
        self._distribution = distribution

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Let the command itself read the arguments; it then runs in the place of this one."""
        return self.load().make_context(info_name, args, parent, **extra)

    def load(self) -> click.Command:
        """Import the command itself, from the package that offers it."""
        name = str(self.name)
        if self._distribution is None:
            module = import_module(f"tamis.cli.{_MODULES.get(name, name)}")
            own: click.Command = getattr(module, name)
            return own
        from importlib.metadata import entry_points

        for entry in entry_points(group=GROUP, name=name):
            try:
                command: click.Command = entry.load()
            except ModuleNotFoundError as error:
                raise self._refusal() from error
            return command
        raise self._refusal()

    def _refusal(self) -> TamisError:
        return TamisError(
            f"`tamis {self.name}` is part of the package {self._distribution}, which is not "
            f"installed: run `python -m pip install {self._distribution}`."
        )


# Where a command is, if not in the module of its name.
_MODULES = {**dict.fromkeys(("demo", "mcp", "methods", "page"), "others"), "merge": "summarise"}
# The first sentence of the help of each.
_SENTENCES = {
    "check": "Check a saved CHOICE against the new rows of FILE, by its old weights.",
    "compare": "Compare methods on FILE for several numbers of columns.",
    "demo": "Run on a bundled table: 30 measurements of 569 breast tumours.",
    "extract": "Compute components of FILE (PCA, LDA, ...) and row scores.",
    "look": "Show what each column of FILE is, what is unusual about it, and how it is analysed.",
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
    DeferredCommand(
        "reproduce",
        "Run experiments of the papers and compare with the printed figures.\n\n"
        "In the package tamis-papers.",
        distribution="tamis-papers",
    )
)
