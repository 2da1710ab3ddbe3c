"""What the user types: flags made from the registry, lists, numbers, and how advice spells them."""

import shlex
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from tamis import registry
from tamis.errors import TamisError
from tamis.registry.extraction import OpenOption

F = TypeVar("F", bound=Callable[..., Any])

LISTS = (
    "--columns, --exclude and the like: repeat the flag or put commas between names; a name that "
    "has a comma goes in double quotes: '\"net, kg\",age'."
)
_RENAMED = {"y": "labels"}  # keywords that have another name as a flag


def as_flag(name: str, value: Any) -> str:
    """Spell an option as a flag.

    >>> as_flag("missing", "mean")
    '--missing mean'
    >>> print(as_flag("exclude", ["net, kg", "age"]))
    --exclude '"net, kg",age'
    """
    if name == "scale" and isinstance(value, bool):
        return "--scale" if value else "--no-scale"
    if name == "refine" and value is True:
        return "--refine swap"
    text = joined(value) if isinstance(value, list) else str(value)
    return f"{flag(name)} {shlex.quote(text)}"


def flag(name: str) -> str:
    """Write the flag of an option.

    >>> flag("k"), flag("random_state"), flag("y")
    ('-k', '--random-state', '--labels')
    """
    name = _RENAMED.get(name, name)
    return f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"


def own_options(kind: registry.Kind) -> Callable[[F], F]:
    """Add a flag for every option that some method of this kind has."""
    users: dict[str, dict[registry.Option, list[str]]] = {}
    for method in registry.methods(kind):
        for option in method.options:
            users.setdefault(option.name, {}).setdefault(option, []).append(method.id)

    def with_flags(command: F) -> F:
        for name, meanings in reversed(users.items()):
            command = click.option(
                flag(name),
                name,
                default=None,
                type=_type_of(next(iter(meanings))),
                metavar=_metavar(next(iter(meanings))),
                help=" ".join(_meaning(option, ids) for option, ids in meanings.items()),
            )(command)
        return command

    return with_flags


def _meaning(option: registry.Option, ids: list[str]) -> str:
    default = "" if option.default is None else f"  [default: {option.default}]"
    return f"[{', '.join(ids)}] {option.about}{default}"


def _type_of(option: registry.Option) -> Any:
    if option.kind == "choice":
        names = click.Choice([str(choice) for choice in option.choices])
        return _number_or(names) if _open_to_numbers(option) else names
    if option.kind == "integer":
        return click.IntRange(min=option.least)
    if option.kind in ("positive", "amount"):
        return click.FloatRange(min=0, min_open=option.kind == "positive")
    return click.FloatRange(0, 1, min_open=True) if option.kind == "share" else bool


def _metavar(option: registry.Option) -> str | None:
    if not _open_to_numbers(option):
        return None
    return f"[{'|'.join(map(str, option.choices))}|NUMBER]"


def _open_to_numbers(option: registry.Option) -> bool:
    return isinstance(option, OpenOption) and option.number


def _number_or(names: Any) -> Callable[[str], Any]:
    """Read a number, which the method checks, or one of the names."""

    def read(value: str) -> Any:
        try:
            return float(value)
        except ValueError:
            return names.convert(value, None, None)

    return read


def check_own(method: registry.Method, own: dict[str, Any]) -> dict[str, Any]:
    """Give the options that were set, refusing those of other methods."""
    given = {name: value for name, value in own.items() if value is not None}
    known = [option.name for option in method.options]
    for name in given:
        if name not in known:
            has = ", ".join(map(flag, known)) or "no options of its own"
            raise TamisError(f"Method {method.id!r} does not take {flag(name)}: it has {has}.")
    return given


def goal(k: str | None, retain: float | None, what: str = "how many columns stay") -> int | None:
    """Give `k` as a number, after a look at both ways to say how many columns to keep."""
    if k is not None and retain is not None:
        raise TamisError(f"Give -k or --retain, not both: each decides {what}.")
    if retain is not None and not 0 < retain <= 1:
        raise TamisError(f"--retain {retain:g}: give a share above 0 and up to 1, such as 0.95.")
    if k is None:
        return None
    try:
        number = int(k)
    except ValueError:
        number = 0
    if number < 1:
        raise TamisError(f"-k {k}: give an integer of at least 1.")
    return number


def list_option(name: str, about: str) -> Callable[[F], F]:
    """Add a flag that takes column names, once or several times."""
    return click.option(flag(name), name, multiple=True, metavar="A,B", help=about)


def listed(given: Sequence[str]) -> list[str]:
    """Split each argument at commas; quotes protect a name that has one, as in a CSV line.

    >>> listed(['age, "net, kg"', "height"])
    ['age', 'net, kg', 'height']
    """
    import csv

    return [
        name.strip()
        for names in given
        for row in csv.reader(names.splitlines(keepends=True), skipinitialspace=True)
        for name in row
    ]


def joined(names: list[str]) -> str:
    """Write names as one argument, the way `listed` reads them."""
    import csv
    import io

    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(names)
    return line.getvalue().removesuffix("\n")
