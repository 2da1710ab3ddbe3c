"""What a result shows to tab completion: what its documentation names, and nothing else."""

import re
from dataclasses import replace
from inspect import cleandoc, isfunction
from typing import Any, ClassVar, TypeVar


class Shown:
    """A result whose `dir` has its documented attributes and its methods only.

    The fields that other modules read keep their names; `_internal` are methods that are not for
    users.
    """

    _internal: ClassVar[tuple[str, ...]] = ()

    def __dir__(self) -> list[str]:
        hidden = [name for name in super().__dir__() if name.startswith("_")]
        return [*hidden, *list_documented(type(self))]


def list_documented(cls: type) -> list[str]:
    """Give the names in the sections Attributes of a class and its parents, and the methods."""
    names = {name for parent in cls.__mro__ for name in _attributes(parent.__doc__ or "")}
    for name in dir(cls):
        if not name.startswith("_") and isfunction(getattr(cls, name)):
            names.add(name)
    return sorted(names - set(getattr(cls, "_internal", ())))


def _attributes(text: str) -> list[str]:
    r"""Find the names in the section Attributes.

    >>> _attributes("Columns.\n\nAttributes\n----------\nnames, k\n    Kept.\n")
    ['names', 'k']
    """
    _, found, rest = cleandoc(text).partition("Attributes\n----------\n")
    section = re.split(r"\n\n\w+\n-+\n", rest)[0] if found else ""
    heads = [line.split(":")[0] for line in section.splitlines() if line and line[0].isalpha()]
    return [name.strip() for head in heads for name in head.split(",")]


Plain = TypeVar("Plain", bound=Any)


def by_text(found: Plain, **more: Any) -> Plain:
    """Name all columns of a result by text; itself if they are already."""
    if found.request.given_names is None:
        return found
    shares = {str(name): share for name, share in found.missing.shares.items()}
    return replace(
        found,
        request=replace(found.request, given_names=None),
        constant=tuple(map(str, found.constant)),
        skipped={str(name): why for name, why in found.skipped.items()},
        missing=replace(found.missing, shares=shares),
        **more,
    )
