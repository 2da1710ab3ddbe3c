"""A JSON schema of facts, made from their classes."""

import inspect
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tamis.facts.json_values import VERSION, Texts

__all__ = ["describe_json"]

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
    """Describe the values of a type hint."""
    if kind in _TYPES:
        return {"type": _TYPES[kind]}
    if is_dataclass(kind) and isinstance(kind, type):
        return _refer(kind, texts, known)
    origin, inner = get_origin(kind), get_args(kind)
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
    hints = get_type_hints(kind)
    own = [one for one in fields(kind) if not one.metadata.get("flat")]
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
