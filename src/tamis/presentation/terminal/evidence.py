"""What a method found besides the columns to keep, as lines for a terminal."""

from collections.abc import Callable
from typing import Any

__all__ = ["evidence_lines"]

Facts = dict[str, Any]


def _search(evidence: Facts) -> list[str]:
    return list(evidence["sentences"][1:])  # the first one is in the headline


_LINES: dict[str, Callable[[Facts], list[str]]] = {
    "search_tree": _search,
    "search_course": _search,
}


def evidence_lines(evidence: Facts | None) -> list[str]:
    """Write the lines of this kind of evidence, after an empty line; nothing without one."""
    lines = _LINES[evidence["kind"]](evidence) if evidence else []
    return ["", *lines] if lines else []
