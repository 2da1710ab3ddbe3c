"""What a method found besides the columns to keep, as lines for a terminal."""

from collections.abc import Callable
from typing import Any

from tamis.presentation.names import listed

__all__ = ["evidence_lines"]

Facts = dict[str, Any]


def _clusters(facts: Facts) -> list[str]:
    """Write a line for every local cluster: its rows and its columns, best first."""
    found = facts["clusters"]
    if not found:
        return ["No cluster is better than chance: the columns have no order by clusters."]
    lines = [
        f"  {i:>7} {len(one['rows']):>8,} {one['quality']:>9.3f}   {listed(one['columns'])}"
        for i, one in enumerate(found, start=1)
    ]
    return [
        f"  {'cluster':>7} {'rows':>8} {'quality':>9}   columns, best first",
        *lines,
        f"  quality: {facts['quality']}",
        f"  in no cluster: {facts['unassigned']:,} of {facts['rows']:,} rows, "
        f"{facts['unused']:,} columns",
    ]


_LINES: dict[str, Callable[[Facts], list[str]]] = {"clusters": _clusters}


def evidence_lines(evidence: Facts | None) -> list[str]:
    """Write the lines of this kind of evidence, after an empty line; nothing without one."""
    lines = _LINES[evidence["kind"]](evidence) if evidence else []
    return ["", *lines] if lines else []
