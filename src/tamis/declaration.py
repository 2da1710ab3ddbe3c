"""Estimators as declarations: their classes are made of the entries of the registry."""

import sys
import textwrap
from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import Parameter, Signature, cleandoc
from types import new_class
from typing import Any

from tamis import registry
from tamis.registry.estimator import list_attributes, list_parameters

__all__ = ["declare_estimators"]

_CUNNINGHAM = (
    "Cunningham, P. (2008). Dimension reduction. In: Machine Learning Techniques for Multimedia."
)
_TAKES_TEXT = "Data frames may hold text and categories beside numbers."


def declare_estimators(
    kind: registry.Kind,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make `__getattr__` and `__dir__` of a package that has an estimator for each method.

    A class is made when it is first asked for. What it stands on is said by `list_bases` in the
    module `base` of the package.
    """
    package = f"tamis.{kind}"

    def find(name: str) -> Any:
        for method in registry.methods(kind):
            if method.estimator == name:
                made = _make_class(method, package)
                setattr(sys.modules[package], name, made)
                return made
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *(m.estimator for m in registry.methods(kind))})

    return find, names


def _make_class(method: registry.Method, package: str) -> type:
    options = list_parameters(method)
    init = _make_init(method.estimator, package, options)
    doc = _write_doc(method, options)
    content = {"method_id": method.id, "__doc__": doc, "__init__": init, "__module__": package}
    bases = import_module(f"{package}.base").list_bases(method)
    return new_class(method.estimator, bases, exec_body=lambda names: names.update(content))


def _make_init(name: str, package: str, options: Sequence[registry.Option]) -> Callable[..., None]:
    """Make an `__init__` that stores its arguments; scikit-learn and `help` read its signature."""
    signature = _make_signature(options)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}: {error}.") from None
        bound.apply_defaults()
        for option in options:
            setattr(self, option.name, bound.arguments[option.name])

    __init__.__signature__ = signature  # type: ignore[attr-defined]  # inspect's own protocol
    __init__.__qualname__ = f"{name}.__init__"
    __init__.__module__ = package
    return __init__


def _make_signature(options: Sequence[registry.Option]) -> Signature:
    """Give the signature: the size by position or by name, the rest by name only."""
    taken = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)]
    for option in options:
        kind = Parameter.KEYWORD_ONLY if len(taken) > 1 else Parameter.POSITIONAL_OR_KEYWORD
        taken.append(
            Parameter(option.name, kind, default=option.default, annotation=option.annotation)
        )
    return Signature(taken, return_annotation=None)


def _write_doc(method: registry.Method, options: Sequence[registry.Option]) -> str:
    taken = [
        (o.name, f"{o.type}, default={registry.write_value(o.default)}", o.about) for o in options
    ]
    references = [cleandoc(method.references)] if method.references else []
    references += [_CUNNINGHAM] if "Cunningham" in method.paper else []
    sections = {
        "Parameters": _write_entries(taken),
        "Attributes": _write_entries(list_attributes(method)),
        "Examples": cleandoc(method.example),
        "References": "\n".join(references),
    }
    frames = _TAKES_TEXT if method.kind == "selection" and method.takes_text else ""
    about = textwrap.fill(f"{method.name}: {method.about}.", 96)
    head = [about, cleandoc(method.details), frames]
    parts = [f"{title}\n{'-' * len(title)}\n{text}" for title, text in sections.items()]
    return "\n\n".join([text for text in head if text] + parts) + "\n"


def _write_entries(entries: Sequence[tuple[str, str, str]]) -> str:
    return "\n".join(
        f"{name} : {kind}\n{textwrap.indent(textwrap.fill(about, 92), '    ')}"
        for name, kind, about in entries
    )
