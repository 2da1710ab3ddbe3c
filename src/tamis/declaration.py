"""Estimators as declarations: their parameters and their texts come from the registry."""

import textwrap
from collections.abc import Callable, Sequence
from inspect import Parameter, Signature, cleandoc
from typing import Any

from tamis import registry
from tamis.registry.estimator import list_attributes, list_parameters

__all__ = ["Declared"]


class Declared:
    """An estimator whose constructor and docstring are made from its registry entry.

    A subclass gives its `method_id` and, in its docstring, a summary, Examples and References. It
    gets an `__init__` with the parameters of the method and, in its docstring, the sections
    Parameters and Attributes.
    """

    method_id: str

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Complete a class that names a method; a base class names none."""
        super().__init_subclass__(**kwargs)
        if "method_id" in vars(cls):
            method = registry.get(cls.method_id, kind=None)
            init = _constructor(cls, list_parameters(method))
            cls.__init__ = init  # type: ignore[method-assign]  # as dataclasses do
            cls.__doc__ = _add_sections(cls.__doc__ or "", method)


def _constructor(cls: type, options: Sequence[registry.Option]) -> Callable[..., None]:
    """Make an `__init__` that stores its arguments; scikit-learn and `help` read its signature."""
    signature = _signature(options)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{cls.__name__}: {error}.") from None
        bound.apply_defaults()
        for option in options:
            setattr(self, option.name, bound.arguments[option.name])

    __init__.__signature__ = signature  # type: ignore[attr-defined]  # inspect's own protocol
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    __init__.__module__ = cls.__module__
    return __init__


def _signature(options: Sequence[registry.Option]) -> Signature:
    """Give the signature: the size by position or by name, the rest by name only."""
    taken = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)]
    for option in options:
        kind = Parameter.KEYWORD_ONLY if len(taken) > 1 else Parameter.POSITIONAL_OR_KEYWORD
        taken.append(
            Parameter(option.name, kind, default=option.default, annotation=option.annotation)
        )
    return Signature(taken, return_annotation=None)


def _add_sections(text: str, method: registry.Method) -> str:
    """Put the sections Parameters and Attributes before the Examples."""
    taken = [
        (
            option.name,
            f"{option.type}, default={registry.write_value(option.default)}",
            option.about,
        )
        for option in list_parameters(method)
    ]
    head, mark, tail = cleandoc(text).partition("Examples\n--------")
    sections = _section("Parameters", taken) + _section("Attributes", list_attributes(method))
    return f"{head.rstrip()}\n\n{sections}{mark}{tail}".rstrip() + "\n"


def _section(title: str, entries: Sequence[tuple[str, str, str]]) -> str:
    lines = [
        f"{name} : {kind}\n{textwrap.indent(textwrap.fill(about, 92), '    ')}"
        for name, kind, about in entries
    ]
    return "\n".join([title, "-" * len(title), *lines]) + "\n\n"
