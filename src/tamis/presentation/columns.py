"""Columns and what became of them: a sentence about one, a table of many."""

from collections.abc import Callable, Sequence
from typing import Any

from tamis.presentation.names import cut, plain
from tamis.presentation.notebook.card import table
from tamis.presentation.numbers import percent, signed_percent

__all__ = ["column_text", "columns_html", "columns_text"]

Facts = dict[str, Any]

_WIDEST = 40  # letters of a name in a table
_ROWS = 60


def column_text(column: Facts) -> str:
    """Say what is known about one column.

    >>> column_text({"column": "id", "status": "skipped", "reason": "text"})
    'id: skipped (text)'
    """
    name, status = plain(column["column"]), column["status"]
    if status == "kept":
        said = f"{name}: kept, number {column['rank']:,}; adds {percent(column['gain'])}"
        said += f", {percent(column['total'])} with those before it" if column["rank"] > 1 else ""
        others = [f"{other} ({signed_percent(by)})" for other, by in column["substitutes"][:3]]
        return f"{said}; instead of it: {', '.join(others)}" if others else said
    if status == "dropped":
        why = f"{column['reason']}, " if column["reason"] else ""
        mostly = f", mostly by {column['by']}" if column["by"] else ""
        return f"{name}: dropped, {why}{percent(column['share'])} explained{mostly}"
    why = f" ({column['reason']})" if column["reason"] else ""
    return f"{name}: {status}{why}"


def columns_text(columns: Sequence[Facts]) -> str:
    """Write a table of columns that have the same status."""
    if not columns:
        return "no columns"
    head, rows = _cells(columns)
    width = max(len(head[0]), *(len(row[0]) for row in rows))
    lines = [
        f"  {name.ljust(width)}" + "".join(f"{cell:>10}" for cell in rest[: _numbers(columns)])
        for name, *rest in [head, *rows]
    ]
    if columns[0]["status"] == "dropped":
        lines = [
            f"{line}   {row[-1]}".rstrip() for line, row in zip(lines, [head, *rows], strict=True)
        ]
    return "\n".join(lines + _more(columns))


def columns_html(columns: Sequence[Facts]) -> str:
    """Write the same for a notebook."""
    if not columns:
        return "<p>no columns</p>"
    head, rows = _cells(columns)
    return table(head, rows, numbers=range(1, 1 + _numbers(columns)), more=" ".join(_more(columns)))


def _numbers(columns: Sequence[Facts]) -> int:
    return {"kept": 2, "dropped": 1}.get(columns[0]["status"], 0)


def _more(columns: Sequence[Facts]) -> list[str]:
    more = len(columns) - _ROWS
    return [f"  ... and {more:,} more"] if more > 0 else []


def _cells(columns: Sequence[Facts]) -> tuple[list[str], list[list[str]]]:
    """Give the head and the first rows of a table, as text."""
    status = columns[0]["status"]
    kinds: dict[str, tuple[list[str], Callable[[Facts], list[str]]]] = {
        "kept": (["adds", "total"], lambda c: [percent(c["gain"]), percent(c["total"])]),
        "dropped": (["explained", "mostly by"], lambda c: [percent(c["share"]), c["by"]]),
    }
    head, cells = kinds.get(status, (["reason"], lambda c: [c["reason"]]))
    rows = [[cut(column["column"], _WIDEST), *cells(column)] for column in columns[:_ROWS]]
    return [status, *head], rows
