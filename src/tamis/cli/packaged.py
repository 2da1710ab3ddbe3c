"""Commands that a package of their own brings: found by its entry point once they are called."""

import click

from tamis.cli.deferred import DeferredCommand
from tamis.errors import TamisError

__all__ = ["GROUP", "PackagedCommand"]

GROUP = "tamis.commands"


class PackagedCommand(DeferredCommand):
    """A command of another distribution."""

    def __init__(self, name: str, about: str, *, distribution: str) -> None:
        super().__init__(name, about)
        self._distribution = distribution

    def load(self) -> click.Command:
        """Import the command from the package that offers it."""
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
