"""What a method found besides the columns to keep, as lines for a terminal."""

from collections.abc import Callable
from typing import Any

from tamis.presentation.terminal.clustering import clustering_lines

__all__ = ["evidence_lines"]

Facts = dict[str, Any]

_LINES: dict[str, Callable[[Facts], list[str]]] = {
    "concepts": clustering_lines,
    "mixture": clustering_lines,
}


def evidence_lines(evidence: Facts | None) -> list[str]:
    """Write the lines of this kind of evidence, after an empty line; nothing without one."""
    lines = _LINES[evidence["kind"]](evidence) if evidence else []
    return ["", *lines] if lines else []
