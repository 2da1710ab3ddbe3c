"""What a method found besides the columns to keep, as lines for a terminal."""

from collections.abc import Callable
from typing import Any

from tamis.presentation.names import fit, plain
from tamis.presentation.numbers import p_value

__all__ = ["evidence_lines"]

Facts = dict[str, Any]

_COLUMNS = 20


def _significance(evidence: Facts) -> list[str]:
    """List the columns with the best scores, each with its p-values."""
    rows = evidence["columns"][:_COLUMNS]
    lines = [f"  {evidence['score']:<36} {'score':>8} {'p':>9} {'adjusted':>9}"]
    for row in rows:
        numbers = ["-" if row[part] is None else p_value(row[part]) for part in ("p", "adjusted")]
        line = f"  {fit(row['column'], 36)} {row['score']:>8.4g} {numbers[0]:>9} {numbers[1]:>9}"
        lines.append(f"{line}   {plain(row['note'])}".rstrip())
    more = len(evidence["columns"]) - len(rows)
    return [*lines, *([f"  ... and {more:,} more"] if more else [])]


_LINES: dict[str, Callable[[Facts], list[str]]] = {"significance": _significance}


def evidence_lines(evidence: Facts | None) -> list[str]:
    """Write the lines of this kind of evidence, after an empty line; nothing without one."""
    lines = _LINES[evidence["kind"]](evidence) if evidence else []
    return ["", *lines] if lines else []
