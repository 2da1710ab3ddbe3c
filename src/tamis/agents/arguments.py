"""The JSON schemas of what tools take, with the texts of the table of options."""

from collections.abc import Iterable

from tamis import registry
from tamis.agents.tool import Document
from tamis.registry.command import MAX_FALL, MIN_SHARE
from tamis.registry.limits import FORBID
from tamis.registry.option import Door

__all__ = ["LIST_OF_NAMES", "describe_options", "describe_text"]

LIST_OF_NAMES: Document = {"type": "array", "items": {"type": "string"}}
# Kinds that tools take; each is checked once more where it is used.
_JSON_OF_KIND: dict[str, Document] = {
    "size": {"type": ["number", "string"]},
    "share": {"type": "number"},
    "positive": {"type": "number"},
    "columns": LIST_OF_NAMES,
    "labels": {"type": "string"},
    "choice": {"type": ["string", "boolean"]},
}


def describe_text(about: str) -> Document:
    """Describe an argument that is text."""
    return {"type": "string", "description": about}


def describe_options(door: Door, names: Iterable[str]) -> dict[str, Document]:
    """Describe shared options by name, as the table of options does."""
    known = {one.name: one for one in (*registry.list_shared(door), FORBID, MIN_SHARE, MAX_FALL)}
    return {
        name: {**_JSON_OF_KIND[known[name].kind], "description": known[name].text_at(door)}
        for name in names
    }
