"""What the user types: flags from the registry, lists and numbers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import click

from tamis import registry
from tamis.cli.written_values import (
    parse_number,
    parse_prices,
    read_axis,
    read_counts,
    read_groups,
    split_list,
)
from tamis.presentation.flags import flag
from tamis.registry.command import options_at
from tamis.registry.limits import ALL_LIMITS
from tamis.registry.open_option import OpenOption

F = TypeVar("F", bound=Callable[..., Any])

_LIMITED = "methods that take columns one by one"
_LISTS = ("columns", "values")
_DECLARED = ("checkpoint",)  # a flag of the command, whether the method or the table takes it


def flags_at(
    door: registry.Door,
    *,
    methods: registry.Kind | None = None,
    required: Sequence[str] = (),
    limits: bool = False,
) -> Callable[[F], F]:
    """Add all flags of a command, and those of the methods of a kind that it runs, or limits."""
    declared = [
        _flag_of(option, door, required=option.name in required) for option in options_at(door)
    ]
    if methods is not None:
        declared.append(own_options(methods))
    elif limits:
        declared.append(_add_flags({one.name: {one: [_LIMITED]} for one in ALL_LIMITS}))

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
    if option.switch:
        return _switch_of(option, shape)
    if option.kind == "choice":
        shape |= _choice_of(option)
    elif option.kind == "integer":
        shape |= {"type": click.IntRange(min=option.least), "default": option.default}
    elif option.kind in ("size", "share", "positive"):
        shape["type"] = parse_number
    return click.option(*short, flag_name, option.name, **shape)


def _choice_of(option: registry.Option) -> dict[str, Any]:
    """Let the command line take the words for the values of a choice; none is for the default."""
    words = {str(option.word_for(one)): one for one in option.choices if one is not False}
    return {
        "type": click.Choice(list(words)),
        "metavar": option.placeholder or None,
        "callback": lambda *given: None if given[2] is None else words[given[2]],
    }


def _switch_of(option: registry.Option, shape: dict[str, Any]) -> Any:
    """Declare a choice whose flag may stand alone, for True, with its form for False."""
    flag_name = option.flags[-1]
    words = [choice for choice in option.choices if isinstance(choice, str)]

    def note(context: click.Context, _: click.Parameter, given: bool) -> None:
        context.meta[option.name] = given

    def read(context: click.Context, _: click.Parameter, given: str | None) -> Any:
        return False if context.meta[option.name] else given

    no = click.option(
        f"--no-{flag_name.removeprefix('--')}",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        help=f"The same as {flag_name} {option.word_for(False)}.",
        callback=note,
    )
    own = click.option(
        flag_name,
        option.name,
        is_flag=False,
        flag_value=str(option.word_for(True)),
        type=click.Choice(words),
        callback=read,
        **{**shape, "metavar": f"[{'|'.join(words)}]"},
    )
    return lambda command: no(own(command))


def own_options(kind: registry.Kind) -> Callable[[F], F]:
    """Add a flag for every option that some method of this kind has."""
    users: dict[str, dict[registry.Option, list[str]]] = {}
    for method in registry.methods(kind):
        for option in method.options:
            if option.name in _DECLARED:
                continue
            users.setdefault(option.name, {}).setdefault(option, []).append(method.id)
    shared = {
        _LIMITED: ALL_LIMITS,
        "methods that score columns": registry.POLICIES,
    }
    for whose, options in shared.items() if kind == "selection" else ():
        for option in options:
            users.setdefault(option.name, {}).setdefault(option, []).append(whose)
    return _add_flags(users)


def _add_flags(users: dict[str, dict[registry.Option, list[str]]]) -> Callable[[F], F]:
    """Add a flag for every option, with those who take it in each of its meanings."""

    def with_flags(command: F) -> F:
        for name, meanings in reversed(users.items()):
            option = _joint(list(meanings))
            command = click.option(
                flag(name),
                name,
                help=" ".join(_describe_option(option, ids) for option, ids in meanings.items()),
                **_shape_of(option),
            )(command)
        return command

    return with_flags


def _joint(meanings: list[registry.Option]) -> registry.Option:
    """Give one option that takes the choices of all: the method refuses those of others."""
    choices = dict.fromkeys(choice for option in meanings for choice in option.choices)
    return replace(meanings[0], choices=tuple(choices))


def _describe_option(option: registry.Option, ids: list[str]) -> str:
    default = "" if option.default is None else f"  [default: {option.default}]"
    return f"[{', '.join(ids)}] {option.about}{default}"


def _shape_of(option: registry.Option) -> dict[str, Any]:
    """Say what the flag of an option takes; those that name columns may be repeated."""
    reader: dict[str, Callable[[Sequence[str]], Any]] = {
        "columns": split_list,
        "prices": partial(parse_prices, "costs"),
        "weights": partial(parse_prices, option.name),
        "groups": read_groups,
        "counts": partial(read_counts, option.name),
        "axis": read_axis,
    }
    read = reader.get(option.kind)
    if option.kind == "flag" and option.switch:
        return {"is_flag": True, "default": None}
    if read is None:
        return {"default": None, "type": _type_of(option), "metavar": _metavar(option)}
    return {
        "multiple": True,
        "metavar": option.metavar,
        "callback": lambda *a: _or_none(read(a[2])),
    }


def _or_none(value: Any) -> Any:
    """Give None for an empty list or mapping: the flag was not given."""
    return None if value in ([], {}) else value


def _type_of(option: registry.Option) -> Any:
    if option.kind == "choice":
        names = click.Choice([str(choice) for choice in option.choices])
        return _number_or(names) if _open_to_numbers(option) else names
    if option.kind == "learner":
        return click.Choice([str(choice) for choice in option.choices])
    return {"flag": bool, "scoring": str, "file": str}.get(option.kind, parse_number)


def _metavar(option: registry.Option) -> str | None:
    """Give what stands for a value; the library lists the choices by itself."""
    if _open_to_numbers(option):
        return f"[{'|'.join(map(str, option.choices))}|NUMBER]"
    return None if option.kind in ("choice", "flag", "learner") else option.metavar


def _open_to_numbers(option: registry.Option) -> bool:
    return isinstance(option, OpenOption) and option.number


def _number_or(names: Any) -> Callable[[str], Any]:
    """Read a number, which the method checks, or one of the names."""

    def read(text: str) -> Any:
        found = parse_number(text)
        return names.convert(text, None, None) if isinstance(found, str) else float(found)

    return read
