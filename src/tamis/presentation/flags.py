"""Options as they are written on the command line."""

import csv
import io
import shlex
from typing import Any

__all__ = ["as_flag", "flag", "joined"]

_SWITCHES = ("held_out", "stability", "blocks", "skip_corrupt", "download", "again")
_RENAMED = {"y": "target", "costs": "cost"}  # keywords that have another name as a flag


def as_flag(name: str, value: Any) -> str:
    """Spell an option as a flag.

    >>> as_flag("missing", "mean")
    '--missing mean'
    >>> print(as_flag("exclude", ["net, kg", "age"]))
    --exclude '"net, kg",age'
    """
    if name == "scale" and isinstance(value, bool):
        return "--scale" if value else "--no-scale"
    if name == "header" and value is False:
        return "--no-header"
    if name == "refine" and value is True:
        return "--refine swap"
    if name in _SWITCHES and value is True:
        return flag(name)
    if isinstance(value, dict):
        pairs = [f"{column}={price}" for column, price in value.items()]
        return " ".join(f"{flag(name)} {shlex.quote(pair)}" for pair in pairs)
    text = joined(value) if isinstance(value, list) else str(value)
    return f"{flag(name)} {shlex.quote(text)}"


def flag(name: str) -> str:
    """Write the flag of an option.

    >>> flag("k"), flag("random_state"), flag("y")
    ('-k', '--random-state', '--target')
    """
    name = _RENAMED.get(name, name)
    return f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"


def joined(names: list[str]) -> str:
    """Write names as one argument, as the command reads them."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(names)
    return line.getvalue().removesuffix("\n")
