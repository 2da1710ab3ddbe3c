"""A JSON schema of facts, made from their classes."""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

VERSION = 1  # of the keys: raised when one is renamed, removed or gets another meaning

FLAT: Mapping[str, bool] = {"flat": True}  # a field whose keys stand beside those of its owner
UNSHOWN: Mapping[str, bool] = {"unshown": True}  # a field that no document has
Numbers = Annotated[Any, tuple[float, ...]]  # an array, of which documents have a list

# By class, what is said beside its numbers: the key, and the function that makes the text.
Texts = Mapping[type, Mapping[str, Callable[[Any], str | list[str] | None]]]


def to_plain(value: Any, texts: Texts) -> Any:
    """Turn frozen values into dicts and lists, with the texts that belong to them.

    >>> from tamis.facts.shared_answer import SkippedColumn
    >>> to_plain((SkippedColumn("nr", "text"),), {SkippedColumn: {"said": lambda one: one.column}})
    [{'column': 'nr', 'why': 'text', 'said': 'nr'}]
    """
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): to_plain(inner, texts) for key, inner in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        values: Any = value.tolist() if hasattr(value, "tolist") else value
        return [to_plain(inner, texts) for inner in values]
    plain: dict[str, Any] = {}
    for one in fields(value):
        if not one.metadata.get("unshown"):
            inner = to_plain(value.__dict__[one.name], texts)
            plain |= inner if one.metadata.get("flat") else {one.name: inner}
    return plain | {key: make(value) for key, make in texts.get(type(value), {}).items()}


Schema = dict[str, Any]

_TYPES: Mapping[Any, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    NoneType: "null",
}


def describe_json(kind: type, texts: Texts, title: str) -> Schema:
    """Describe the plain values of facts of this class, with their version and their texts.

    >>> from tamis.facts.shared_answer import UnreadPart
    >>> describe_json(UnreadPart, {}, "a part")["properties"]["place"]
    {'type': 'string'}
    """
    known: dict[str, Schema] = {}
    _refer(kind, texts, known)
    root = known.pop(kind.__name__)
    version = {"const": VERSION, "description": "Raised when a key changes its name or meaning."}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **root,
        "properties": {"version": version, **root["properties"]},
        "required": ["version", *root["required"]],
        "$defs": dict(sorted(known.items())),
    }


def _describe(kind: Any, texts: Texts, known: dict[str, Schema]) -> Schema:
    if kind in _TYPES:
        return {"type": _TYPES[kind]}
    if is_dataclass(kind) and isinstance(kind, type):
        return _refer(kind, texts, known)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _describe(inner[1], texts, known)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType):
        return {"anyOf": [_describe(one, texts, known) for one in inner]}
    if origin is list or (origin is tuple and inner[-1] is Ellipsis):
        return {"type": "array", "items": _describe(inner[0], texts, known)}
    if origin is tuple:
        items = [_describe(one, texts, known) for one in inner]
        return {"type": "array", "prefixItems": items, "minItems": len(inner), "items": False}
    if origin in (Mapping, dict):
        return {"type": "object", "additionalProperties": _describe(inner[1], texts, known)}
    return {}  # any value


def _refer(kind: type, texts: Texts, known: dict[str, Schema]) -> Schema:
    """Describe a class once, and refer to it."""
    name = kind.__name__
    if name not in known:
        known[name] = {}  # a class may hold others of its kind
        known[name] = _describe_class(kind, texts, known)
    return {"$ref": f"#/$defs/{name}"}


def _describe_class(kind: Any, texts: Texts, known: dict[str, Schema]) -> Schema:
    hints = get_type_hints(kind, include_extras=True)
    own = [one for one in fields(kind) if not one.metadata]
    properties = {one.name: _describe(hints[one.name], texts, known) for one in own}
    for key, make in texts.get(kind, {}).items():
        properties[key] = {
            **_describe(get_type_hints(make)["return"], texts, known),
            "description": "Text, for people.",
        }
    about = " ".join((inspect.getdoc(kind) or "").partition("\n\n")[0].split())
    return {
        "description": about,
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }


# Weights from which a column is named beside another, by what is measured.
SHOWN_FROM: Mapping[str, float] = {"coefficients": 0.0, "information": 0.005, "shares": 0.005}


def decimals(largest: float) -> int:
    """Count the decimals that show two digits of a weight of this size, at least two.

    >>> decimals(0.86), decimals(0.0045)
    (2, 4)
    """
    return max(2, 1 - math.floor(math.log10(largest))) if largest > 0 else 2
