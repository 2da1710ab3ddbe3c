"""The columns of a table and what became of them, as a data frame."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tamis.results.column import Column
from tamis.results.frame import make_typed_frame
from tamis.results.share_facts import fate_of

__all__ = ["column_frame"]

_REASON_TYPES = {
    "column": "string",
    "text": "string",
    "status": "string",
    "reason": "string",
    "taken_as": "string",
    "rank": "int64",
    "gain": "float64",
    "total": "float64",
    "share": "float64",
    "by": "string",
    "made_of": "string",
    "alone": "float64",
    "chance": "float64",
    "score": "float64",
    "missing": "float64",
    "frequency": "float64",
}


def column_frame(
    columns: Sequence[Column],
    library: str,
    frequency: dict[Any, float] | None = None,
    made: Mapping[str, str] = MappingProxyType({}),
    texts: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """Give one row for every column, in table order; what is known of some only where it is."""
    beside = ("column", "text", "reason", "taken_as", "frequency", "made_of")
    taken = [name for name in _REASON_TYPES if name not in beside]
    values: dict[str, list[Any]] = {"column": [str(column.name) for column in columns]}
    if texts:
        values["text"] = [texts.get(str(column.name)) for column in columns]
    values |= {name: [vars(column)[name] for column in columns] for name in taken}
    values["reason"] = [_reason(column) for column in columns]
    values["taken_as"] = [column.taken_as for column in columns]
    if made:
        values["made_of"] = [made.get(str(column.name)) for column in columns]
    if frequency is not None:
        values["frequency"] = [frequency.get(column.name) for column in columns]
    return make_typed_frame(values, _REASON_TYPES, library, [column.name for column in columns])


def _reason(column: Column) -> str:
    """Say why a column has its status: its own reason, or what became of it."""
    if column.reason or column.status == "skipped":
        return column.reason or "not analysed"
    if column.status == "dropped":
        return fate_of(column.share or 0.0, column.chance)
    return "selected" if column.status == "kept" else column.status
