"""Dataclasses that are made in no time.

`dataclasses.dataclass` writes and compiles the methods of every class: 0.5 ms each, half of the
time in which a short command loaded this package. Here the classes share functions instead.
"""

import dataclasses
from collections.abc import Callable
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen=False, eq=True, repr=True, kw_only=False):
        """Make a dataclass as that of `dataclasses` does; one that can change is never equal."""
        assert frozen or not eq

        def make(cls: type) -> type:
            written = {"__init__", "__repr__", "__eq__", "__hash__"} & vars(cls).keys()
            dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
            fields = dataclasses.fields(cls)
            methods = {"__init__": _make_init(fields)}
            methods |= {"__repr__": _make_repr(fields)} if repr else {}
            methods |= {"__eq__": _make_eq(fields), "__hash__": _make_hash(fields)} if eq else {}
            for name in methods.keys() - written:
                setattr(cls, name, methods[name])
            if frozen:
                cls.__setattr__ = cls.__delattr__ = _refuse
            return cls

        return make


def _make_init(fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    missing, count = dataclasses.MISSING, len(fields)
    defaults = {field.name: field.default for field in fields}
    factories = [(f.name, f.default_factory) for f in fields if f.default_factory is not missing]
    positional = tuple(field.name for field in fields if not field.kw_only)
    needed = [f.name for f in fields if f.default is f.default_factory is missing]

    def __init__(self: Any, /, *given: Any, **named: Any) -> None:
        # All names in their order, with what is given in the place of defaults.
        values = defaults | dict(zip(positional, given, strict=False)) | named
        twice = given and not named.keys().isdisjoint(positional[: len(given)])
        if twice or len(given) > len(positional):
            raise TypeError(f"{type(self).__name__} takes {', '.join(positional)}, each once")
        if len(values) > count:
            wrong = ", ".join(sorted(named.keys() - defaults.keys()))
            raise TypeError(f"{type(self).__name__} takes no {wrong}")
        if len(given) + len(named) < count:
            for name, factory in factories:
                if values[name] is missing:
                    values[name] = factory()
            for name in needed:
                if values[name] is missing:
                    raise TypeError(f"{type(self).__name__} needs {name!r}")
        self.__dict__.update(values)
        if hasattr(self, "__post_init__"):
            self.__post_init__()

    return __init__


def _make_repr(fields: tuple[dataclasses.Field[Any], ...]) -> Callable[[Any], str]:
    names = [field.name for field in fields if field.repr]

    @recursive_repr()
    def __repr__(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({shown})"

    return __repr__


def _make_eq(fields: tuple[dataclasses.Field[Any], ...]) -> Callable[[Any, object], bool]:
    names = [field.name for field in fields if field.compare]

    def __eq__(self: Any, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        # As tuples, in which a value is equal to itself, an array or NaN, too.
        own, others = vars(self), vars(other)
        return tuple(own[name] for name in names) == tuple(others[name] for name in names)

    return __eq__


def _make_hash(fields: tuple[dataclasses.Field[Any], ...]) -> Callable[[Any], int]:
    names = [f.name for f in fields if (f.compare if f.hash is None else f.hash)]

    def __hash__(self: Any) -> int:
        return hash(tuple(getattr(self, name) for name in names))

    return __hash__


def _refuse(_: Any, name: str, *_value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change {name!r}: give a changed copy instead")
