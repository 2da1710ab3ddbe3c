"""What the user types: flags from the registry, lists and numbers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import click

from tamis import registry
from tamis.errors import TamisError
from tamis.presentation.flags import as_flag, flag
from tamis.registry.command import options_at
from tamis.registry.open_option import OpenOption

F = TypeVar("F", bound=Callable[..., Any])

_LISTS = ("columns", "values")
_DECLARED = ("checkpoint",)  # a flag of the command, whether the method or the table takes it


def flags_at(
    door: registry.Door, *, methods: registry.Kind | None = None, required: Sequence[str] = ()
) -> Callable[[F], F]:
    """Add all flags of a command, and those of the methods of a kind that it runs."""
    declared = [
        _flag_of(option, door, required=option.name in required) for option in options_at(door)
    ]
    if methods is not None:
        declared.append(own_options(methods))

    def with_flags(command: F) -> F:
        for declare in reversed(declared):
            command = declare(command)
        return command

    return with_flags


def _flag_of(option: registry.Option, door: registry.Door, *, required: bool) -> Any:
    """Declare the flag of an option as it is at a door."""
    shape: dict[str, Any] = {"help": option.text_at(door), "required": required}
    *short, flag_name = option.flags
    if option.kind == "flag":
        both = option.default is None  # where neither is said, the method decides
        name = f"{flag_name}/--no-{flag_name.removeprefix('--')}" if both else flag_name
        shape |= {"default": None} if both else {"is_flag": True}
        return click.option(*short, name, option.name, **shape)
    shape |= {"metavar": option.metavar, "multiple": option.many or option.kind in _LISTS}
    if option.kind == "choice":
        shape |= _choice_of(option)
    elif option.kind == "integer":
        shape |= {"type": click.IntRange(min=option.least), "default": option.default}
    elif option.kind in ("size", "share", "positive"):
        shape["type"] = number
    return click.option(*short, flag_name, option.name, **shape)


def _choice_of(option: registry.Option) -> dict[str, Any]:
    """Let the command line take the words for the values of a choice; none is for the default."""
    words = {str(option.word_for(one)): one for one in option.choices if one is not False}
    return {
        "type": click.Choice(list(words)),
        "metavar": option.placeholder or None,
        "callback": lambda *given: None if given[2] is None else words[given[2]],
    }


def own_options(kind: registry.Kind) -> Callable[[F], F]:
    """Add a flag for every option that some method of this kind has."""
    users: dict[str, dict[registry.Option, list[str]]] = {}
    for method in registry.methods(kind):
        for option in method.options:
            if option.name in _DECLARED:
                continue
            users.setdefault(option.name, {}).setdefault(option, []).append(method.id)
    for option in registry.POLICIES if kind == "selection" else ():
        users.setdefault(option.name, {}).setdefault(option, []).append(
            "methods that score columns"
        )

    def with_flags(command: F) -> F:
        for name, meanings in reversed(users.items()):
            option = _joint(list(meanings))
            command = click.option(
                flag(name),
                name,
                help=" ".join(_meaning(option, ids) for option, ids in meanings.items()),
                **_shape_of(option),
            )(command)
        return command

    return with_flags


def _joint(meanings: list[registry.Option]) -> registry.Option:
    """Give one option that takes the choices of all: the method refuses those of others."""
    choices = dict.fromkeys(choice for option in meanings for choice in option.choices)
    return replace(meanings[0], choices=tuple(choices))


def _meaning(option: registry.Option, ids: list[str]) -> str:
    default = "" if option.default is None else f"  [default: {option.default}]"
    return f"[{', '.join(ids)}] {option.about}{default}"


def _shape_of(option: registry.Option) -> dict[str, Any]:
    """Say what the flag of an option takes; those that name columns may be repeated."""
    read = {"columns": listed, "prices": priced}.get(option.kind)
    if read is None:
        return {"default": None, "type": _type_of(option), "metavar": _metavar(option)}
    return {"multiple": True, "metavar": option.metavar, "callback": lambda *a: read(a[2]) or None}


def _type_of(option: registry.Option) -> Any:
    if option.kind == "choice":
        names = click.Choice([str(choice) for choice in option.choices])
        return _number_or(names) if _open_to_numbers(option) else names
    if option.kind == "learner":
        return click.Choice([str(choice) for choice in option.choices])
    return {"flag": bool, "scoring": str, "file": str}.get(option.kind, number)


def _metavar(option: registry.Option) -> str | None:
    """Give what stands for a value; the library lists the choices by itself."""
    if _open_to_numbers(option):
        return f"[{'|'.join(map(str, option.choices))}|NUMBER]"
    return None if option.kind in ("choice", "flag", "learner") else option.metavar


def _open_to_numbers(option: registry.Option) -> bool:
    return isinstance(option, OpenOption) and option.number


def number(text: str) -> int | float | str:
    """Read a number; what is none, or too large or small, is for the registry to refuse.

    >>> number("12"), number("0.5"), number("many")
    (12, 0.5, 'many')
    """
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _number_or(names: Any) -> Callable[[str], Any]:
    """Read a number, which the method checks, or one of the names."""

    def read(text: str) -> Any:
        found = number(text)
        return names.convert(text, None, None) if isinstance(found, str) else float(found)

    return read


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


def priced(given: Sequence[str]) -> dict[str, Any]:
    """Read prices; what is no number is for the registry to refuse.

    >>> priced(["age=2.5", "a=b=3"])
    {'age': 2.5, 'a=b': 3}
    """
    for text in given:
        if "=" not in text:
            raise TamisError(f"--cost {text}: give a column and its price, as in --cost {text}=2.")
    found: dict[str, Any] = {}
    for text in given:
        name, _, written = text.rpartition("=")
        name, price = name.strip(), number(written)
        if found.setdefault(name, price) != price:
            raise TamisError(
                f"{as_flag('costs', {name: found[name]})} {as_flag('costs', {name: price})}: give "
                "a column one price."
            )
    return found
