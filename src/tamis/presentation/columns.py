"""Columns and what became of them, as a table."""

from collections.abc import Callable, Sequence

from tamis.errors import escape_controls
from tamis.facts.selection_answer import ColumnFacts
from tamis.presentation.notebook.card import table
from tamis.presentation.prose.names import cut
from tamis.presentation.prose.numbers import percent

__all__ = ["columns_html", "columns_text"]

_MAX_NAME_LETTERS = 40  # letters of a name in a table
_MAX_PRINTED_ROWS = 60


def columns_text(columns: Sequence[ColumnFacts]) -> str:
    """Write a table of columns that have the same status."""
    if not columns:
        return "no columns"
    head, rows = _cells(columns)
    width = max(len(head[0]), *(len(row[0]) for row in rows))
    lines = [
        f"  {name.ljust(width)}" + "".join(f"{cell:>10}" for cell in rest[: _numbers(columns)])
        for name, *rest in [head, *rows]
    ]
    if columns[0].status == "dropped":
        lines = [
            f"{line}   {row[-1]}".rstrip() for line, row in zip(lines, [head, *rows], strict=True)
        ]
    return "\n".join(map(escape_controls, lines + _more(columns)))


def columns_html(columns: Sequence[ColumnFacts]) -> str:
    """Write the same for a notebook."""
    if not columns:
        return "<p>no columns</p>"
    head, rows = _cells(columns)
    return table(head, rows, numbers=range(1, 1 + _numbers(columns)), more=" ".join(_more(columns)))


def _numbers(columns: Sequence[ColumnFacts]) -> int:
    return {"kept": 2, "dropped": 1}.get(columns[0].status, 0)


def _more(columns: Sequence[ColumnFacts]) -> list[str]:
    more = len(columns) - _MAX_PRINTED_ROWS
    return [f"  ... and {more:,} more"] if more > 0 else []


def _cells(columns: Sequence[ColumnFacts]) -> tuple[list[str], list[list[str]]]:
    """Give the head and the first rows of a table, as text."""
    status = columns[0].status
    kinds: dict[str, tuple[list[str], Callable[[ColumnFacts], list[str]]]] = {
        "kept": (["adds", "total"], lambda c: [_share(c.gain), _share(c.total)]),
        "dropped": (["explained", "mostly by"], lambda c: [_share(c.share), c.by]),
    }
    head, cells = kinds.get(status, (["reason"], lambda c: [c.reason]))
    rows = [
        [cut(column.column, _MAX_NAME_LETTERS), *cells(column)]
        for column in columns[:_MAX_PRINTED_ROWS]
    ]
    return [status, *head], rows


def _share(share: float | None) -> str:
    return percent(share or 0.0)
