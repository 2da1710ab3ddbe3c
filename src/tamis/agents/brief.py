"""Answers short enough to be read in a conversation, with the JSON schemas of the facts."""

import json
from collections.abc import Iterable
from typing import Any

from tamis.agents.tool import Document
from tamis.presentation.prose.document import describe_document

__all__ = ["COMPARISON_KEYS", "SELECTION_KEYS", "describe_brief", "shorten"]

SELECTION_KEYS = (
    *("sentence", "k", "names", "retained", "bound", "chance", "held_out", "overfit", "auto"),
    *("rows", "columns", "measure", "dropped", "skipped", "constant", "warnings", "relations"),
    *("missing", "row_notes", "limits", "predictions", "score", "shortfall", "repeat"),
)
COMPARISON_KEYS = (
    *("sentence", "best", "basis", "within_noise", "sizes", "figures", "names"),
    *("rows", "columns", "skipped", "unsuitable", "notes", "repeat"),
)
_MAX_LISTED = 20
_LEFT_OUT = "Of lists that were cut: how many more there are."
_SCHEMA_REFERENCE = "#/$defs/"


def shorten(document: Document, keys: Iterable[str], most: int = _MAX_LISTED) -> Document:
    """Choose some keys and cut lists of more than `most` items; names of kept columns stay.

    >>> shorten({"k": 3, "dropped": [1, 2, 3], "scores": {}}, ["k", "dropped"], most=2)
    {'k': 3, 'dropped': [1, 2], 'left_out': {'dropped': 1}}
    """
    short = {key: document[key] for key in keys}
    long = {
        key: len(value) - most
        for key, value in short.items()
        if isinstance(value, list) and len(value) > most and key != "names"
    }
    cut = {key: value[:most] if key in long else value for key, value in short.items()}
    return {**cut, "left_out": long}


def describe_brief(document: str, keys: Iterable[str], **more: Document) -> Document:
    """Give the schema of a shortened document; `more` are keys that only tools give."""
    whole = describe_document(document)
    properties: dict[str, Any] = {key: whole["properties"][key] for key in keys}
    counts = {"type": "object", "additionalProperties": {"type": "integer"}}
    properties |= {"left_out": {**counts, "description": _LEFT_OUT}, **more}
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "$defs": _find_used(properties, whole["$defs"]),
    }


def _find_used(properties: Document, known: Document) -> Document:
    """Give the definitions that some properties, or these definitions, refer to."""
    used: Document = {}
    while True:
        text = json.dumps([properties, used])
        found = {name: known[name] for name in known if f'"{_SCHEMA_REFERENCE}{name}"' in text}
        if len(found) == len(used):
            return used
        used = found
