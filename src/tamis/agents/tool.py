"""A tool: its name, what it takes and gives as JSON schemas, and the function behind it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from tamis.errors import TamisError

__all__ = ["Document", "Tool"]

Document = dict[str, Any]

_PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    **{"string": str, "boolean": bool, "array": list},
    **{"integer": int, "number": (int, float)},
}


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
        for name, value in asked.items():
            if not _fits(self.takes[name], value):
                kinds = " or ".join(_list_types(self.takes[name]))
                of = "".join(
                    f" of {kind}s" for kind in _list_types(self.takes[name].get("items", {}))
                )
                raise TamisError(
                    f"{self.name} takes {kinds}{of} as {name!r}, not {repr(value)[:80]}: give that."
                )
        return self.run(**asked)


def _list_types(schema: Document) -> list[str]:
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _fits(schema: Document, value: Any) -> bool:
    """Whether a value is of a type that a schema names; true and false are no numbers."""
    known = [_PYTHON_TYPES[kind] for kind in _list_types(schema)]
    if not known:
        return True
    if isinstance(value, bool):
        return bool in known
    if isinstance(value, float) and not isfinite(value):
        return False
    if isinstance(value, list) and not all(_fits(schema.get("items", {}), one) for one in value):
        return False
    return any(isinstance(value, kind) for kind in known)
