"""Commands that a package of their own brings: found by its entry point once they are called."""

from typing import Any

import click

from tamis.errors import TamisError

__all__ = ["GROUP", "PackagedCommand", "reproduce"]

GROUP = "tamis.commands"


class PackagedCommand(click.Command):
    """A command of another distribution; the list of commands knows its name and a sentence."""

    def __init__(self, name: str, *, distribution: str, about: str) -> None:
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
        return self._load().make_context(info_name, args, parent, **extra)

    def _load(self) -> click.Command:
        from importlib.metadata import entry_points

        for entry in entry_points(group=GROUP, name=str(self.name)):
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


reproduce = PackagedCommand(
    "reproduce",
    distribution="tamis-papers",
    about="Run experiments of the papers and compare with the printed figures.\n\n"
    "In the package tamis-papers.",
)
