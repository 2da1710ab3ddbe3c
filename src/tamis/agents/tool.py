"""A tool: its name, what it takes and gives as JSON schemas, and the function behind it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tamis.errors import TamisError

__all__ = ["Document", "Tool"]

Document = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Tool:
    """One thing that can be asked for: JSON in, JSON out.

    `takes` has the JSON schema of every argument, `required` the names of those that must be
    given, `gives` the schema of the answer, `writes` whether it can write files.
    """

    name: str
    about: str
    takes: Mapping[str, Document]
    run: Callable[..., Document]
    required: tuple[str, ...] = ()
    gives: Document | None = None
    writes: bool = False

    @property
    def input_schema(self) -> Document:
        """The JSON schema of all arguments."""
        return {
            "type": "object",
            "properties": dict(self.takes),
            "required": list(self.required),
            "additionalProperties": False,
        }

    def call(self, given: Mapping[str, Any]) -> Document:
        """Run it; what is null counts as not given."""
        asked = {name: value for name, value in given.items() if value is not None}
        for name in asked:
            if name not in self.takes:
                known = ", ".join(self.takes)
                raise TamisError(f"{self.name} has no argument {name!r}: give some of {known}.")
        for name in self.required:
            if name not in asked:
                about = self.takes[name]["description"]
                raise TamisError(f"{self.name} needs {name!r}: {about}")
        return self.run(**asked)
