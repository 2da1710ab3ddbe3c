"""Keywords that functions share: they come from the table of options, not from each signature."""

import inspect
import textwrap
from collections.abc import Callable
from functools import wraps
from inspect import Parameter
from typing import Any, TypeVar

from tamis import registry
from tamis.sources.shared_passes import share_passes

Returned = TypeVar("Returned")


def takes_shared(
    door: registry.Door,
) -> Callable[[Callable[..., Returned]], Callable[..., Returned]]:
    """Let a function with `**asked` take the shared options of a door, and no other keyword.

    Its signature names them all, and its docstring those that it does not describe itself. What a
    function names in its own signature stays as it is.
    """

    def complete(function: Callable[..., Returned]) -> Callable[..., Returned]:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        names = {one.name for one in own}
        shared = [one for one in registry.list_shared(door) if one.name not in names]
        more = [
            Parameter(
                one.name, Parameter.KEYWORD_ONLY, default=one.default, annotation=one.annotation
            )
            for one in shared
        ]
        whole = signature.replace(parameters=[*own, *more])

        @wraps(function)
        def call(*given: Any, **asked: Any) -> Returned:
            try:
                whole.bind(*given, **asked)
            except TypeError as error:
                unknown = [name for name in asked if name not in whole.parameters]
                hint = registry.suggest_option(unknown[0], whole.parameters) if unknown else "."
                raise TypeError(f"{function.__name__}: {error}{hint}") from None
            with share_passes():
                return function(*given, **asked)

        call.__signature__ = whole  # type: ignore[attr-defined]  # inspect's own protocol
        call.__doc__ = _describe(inspect.cleandoc(function.__doc__ or ""), shared)
        return call

    return complete


def _describe(text: str, options: list[registry.Option]) -> str:
    """Add the options that a docstring does not describe to its parameters."""
    head, mark, tail = text.partition("Returns\n-------")
    described = {
        name.strip()
        for line in head.splitlines()
        if line and not line.startswith(" ")
        for name in line.split(",")
    }
    more = "".join(
        f"{option.name}\n{textwrap.indent(textwrap.fill(option.about, 92), '    ')}\n"
        for option in options
        if option.name not in described
    )
    return f"{head.rstrip()}\n{more}\n{mark}{tail}"
