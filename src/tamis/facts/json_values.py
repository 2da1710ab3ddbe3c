"""Facts as plain values, ready for JSON."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

__all__ = ["FLAT", "VERSION", "Texts", "to_plain"]

VERSION = 1  # of the keys: raised when one is renamed, removed or gets another meaning

FLAT: Mapping[str, bool] = {"flat": True}  # a field whose keys stand beside those of its owner

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
    if is_dataclass(value) and not isinstance(value, type):
        return _plain_fields(value, texts)
    return [to_plain(inner, texts) for inner in value]


def _plain_fields(value: Any, texts: Texts) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for one in fields(value):
        inner = to_plain(value.__dict__[one.name], texts)
        plain |= inner if one.metadata.get("flat") else {one.name: inner}
    return plain | {key: make(value) for key, make in texts.get(type(value), {}).items()}
