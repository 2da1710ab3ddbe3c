"""Commands that are imported when they are called: the list of them needs a sentence each."""

from importlib import import_module
from typing import Any

import click

__all__ = ["DeferredCommand"]


class DeferredCommand(click.Command):
    """A command of this package, in the module of its name, known by a sentence until it runs."""

    def __init__(self, name: str, about: str) -> None:
        super().__init__(name, help=about)

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
        """Import the command itself."""
        command: click.Command = getattr(import_module(f"tamis.cli.{self.name}"), str(self.name))
        return command
