"""Options as they are written on the command line."""

import csv
import io
import shlex
from functools import cache
from typing import Any

from tamis.registry import METHODS
from tamis.registry.command import command_options
from tamis.registry.option import Option


def as_flag(name: str, value: Any) -> str:
    """Spell an option as a flag.

    >>> as_flag("missing", "mean"), as_flag("scale", False), as_flag("refine", True)
    ('--missing mean', '--no-scale', '--refine swap')
    >>> as_flag("together", True), as_flag("signed", True)
    ('--together', '--signed True')
    >>> print(as_flag("exclude", ["net, kg", "age"]))
    --exclude '"net, kg",age'
    """
    option = command_options().get(name)
    if name == "header" and value is False:
        return "--no-header"  # files are described by what they have
    # Most flags of methods take a value; those of commands, of other packages too, are switches.
    own = _of_methods().get(name)
    switches = _switches(option) if own is None else own.kind == "flag" and own.switch
    if isinstance(value, bool) and switches:
        return flag(name) if value else f"--no-{flag(name).removeprefix('--')}"
    if isinstance(value, dict):
        pairs = [
            f"{column}={join_names(given) if isinstance(given, list) else given}"
            for column, given in value.items()
        ]
        return " ".join(f"{flag(name)} {shlex.quote(pair)}" for pair in pairs)
    word = value if option is None else option.word_for(value)
    text = join_names(word) if isinstance(word, list) else str(word)
    return f"{flag(name)} {shlex.quote(text)}"


def flag(name: str) -> str:
    """Write the flag of an option.

    >>> flag("k"), flag("random_state"), flag("y"), flag("costs")
    ('-k', '--random-state', '--target', '--cost')
    """
    option = command_options().get(name) or _of_methods().get(name)
    return Option(name, "text", None, "").flags[-1] if option is None else option.flags[-1]


def _switches(option: Option | None) -> bool:
    return option is None or option.kind == "flag" or option.switch


@cache
def _of_methods() -> dict[str, Option]:
    return {option.name: option for method in METHODS for option in method.taken}


def join_names(names: list[str]) -> str:
    """Write names as one argument, as the command reads them."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(names)
    return line.getvalue().removesuffix("\n")
