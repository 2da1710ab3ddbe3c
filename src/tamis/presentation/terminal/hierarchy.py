"""The first levels of a hierarchy of concepts as lines for a terminal."""

from collections.abc import Mapping
from typing import Any

from tamis.presentation.prose.concepts import mark_text, rows_text
from tamis.presentation.prose.names import cut

__all__ = ["hierarchy_lines"]

_TREE_LETTERS = 60


def hierarchy_lines(tree: Mapping[str, Any], levels: int = 3) -> list[str]:
    """Write a concept in each line, under its parent.

    >>> part = {"rows": 2, "marks": [["width", 1.0]], "children": [], "hidden": 0}
    >>> tree = {"rows": 4, "marks": [], "children": [part, part], "hidden": 0}
    >>> print(*hierarchy_lines(tree), sep=chr(10))
    4 rows
      1: 2 rows, width +1.0
      2: 2 rows, width +1.0
    """
    lines = [_line(tree)]
    for place, part in enumerate(tree["children"], start=1):
        inner = hierarchy_lines(part, levels - 1) if levels > 1 else [_line(part)]
        lines += [f"  {place}: {inner[0]}", *(f"     {line}" for line in inner[1:])]
    if tree["hidden"] and levels > 1:
        lines.append(f"  ... and {tree['hidden']} smaller ones")
    return lines


def _line(node: Mapping[str, Any]) -> str:
    marks = ", ".join(mark_text(mark) for mark in node["marks"])
    text = rows_text(node["rows"])
    return f"{text}, {cut(marks, _TREE_LETTERS)}" if marks else text
