"""The first levels of a hierarchy of concepts as inline SVG."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from tamis.presentation.charts.svg import number, shorten_label
from tamis.presentation.prose.about_search import mark_text, rows_text
from tamis.values import dataclass

__all__ = ["hierarchy_chart", "hierarchy_drawing"]

Facts = Mapping[str, Any]

_MAX_CONCEPTS = 18  # concepts at the right end; more are folded
_CONCEPT_HEIGHT = 40
_CONCEPT_LETTER_WIDTH = 6.4  # wide, on average
_NARROW = 500
_STYLE = (
    "<style>.concepts{max-width:46rem;font-family:system-ui,sans-serif}.concepts text"
    "{font-size:12px;fill:currentColor}.concepts path{fill:none;stroke:#8a9096}"
    ".concepts circle{fill:#1b6b68}.concepts .name{font-weight:600}</style>"
)


@dataclass(eq=False)
class _ConceptNode:
    """A concept in its place: `cluster` numbers the first level."""

    facts: Facts
    level: int
    cluster: int = 0
    children: "list[_ConceptNode]" = field(default_factory=list)
    y: float = 0.0


def hierarchy_drawing(tree: Facts) -> str:
    """Draw it with the style it needs, to stand alone."""
    return _STYLE + hierarchy_chart(tree, 720)


def hierarchy_chart(tree: Facts, width: int) -> str:
    """Draw all rows on the left and ever finer concepts to the right.

    A dot grows with the number of rows. The largest concepts are opened first, as long as what
    results can be read.

    Examples
    --------
    >>> part = {"rows": 2, "marks": [["width", 1.0]], "children": [], "hidden": 0}
    >>> tree = {"rows": 4, "marks": [], "children": [part, part], "hidden": 0}
    >>> hierarchy_chart(tree, 720).count("<circle")
    3
    """
    root = _open_concepts(tree, 2 if width < _NARROW else 3)
    ends = _ends(root)
    for place, node in enumerate(ends):
        node.y = _CONCEPT_HEIGHT * (place + 0.5)
    everyone = _everyone(root)
    for node in reversed(everyone):
        if node.children:
            node.y = (node.children[0].y + node.children[-1].y) / 2
    deepest = max(node.level for node in everyone)
    step = (0.4 if width < _NARROW else 0.46) * width / max(deepest, 1)
    lines = "".join(_branch(node, step) for node in everyone)
    marks = "".join(_mark(node, step, width, tree["rows"]) for node in everyone)
    label = f"Hierarchy of {rows_text(tree['rows'])} in {len(root.children) or 1} clusters"
    return (
        f'<svg class="concepts" viewBox="0 0 {width} {_CONCEPT_HEIGHT * len(ends)}" role="img" '
        f'aria-label="{label}"><path d="{lines}"/>{marks}</svg>'
    )


def _open_concepts(tree: Facts, levels: int) -> _ConceptNode:
    """Open the largest concepts until no further one fits; the first level is always open."""
    root = _ConceptNode(tree, 0)
    closed, count = [root], 1
    while closed:
        node = max(closed, key=lambda each: (each.level == 0, each.facts["rows"]))
        closed.remove(node)
        parts = node.facts["children"]
        if (
            not parts
            or node.level == levels
            or (node.level and count + len(parts) - 1 > _MAX_CONCEPTS)
        ):
            continue
        node.children = [
            _ConceptNode(part, node.level + 1, place if not node.level else 0)
            for place, part in enumerate(parts, start=1)
        ]
        closed += node.children
        count += len(parts) - 1
    return root


def _everyone(root: _ConceptNode) -> list[_ConceptNode]:
    """List the nodes, each before those under it."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += node.children[::-1]
    return found


def _ends(root: _ConceptNode) -> list[_ConceptNode]:
    return [node for node in _everyone(root) if not node.children]


def _branch(node: _ConceptNode, step: float) -> str:
    """Draw the bracket from a concept to its children."""
    if not node.children:
        return ""
    x, end = 12 + step * node.level, 12 + step * (node.level + 1)
    middle = number(end - 14)
    arms = "".join(f"M{middle} {number(c.y)}H{number(end)}" for c in node.children)
    high, low = node.children[0].y, node.children[-1].y
    return f"M{number(x)} {number(node.y)}H{middle}M{middle} {number(high)}V{number(low)}{arms}"


def _mark(node: _ConceptNode, step: float, width: int, all_rows: int) -> str:
    """Write a concept: its dot, its rows and, at the right end, what its rows have in common."""
    x, y, rows = 12 + step * node.level, node.y, node.facts["rows"]
    radius = 2.5 + 6 * (rows / all_rows) ** 0.5
    dot = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'
    at = number(x + 13)
    if node.children:
        text = f"{rows:,}" if width < _NARROW or not node.level else rows_text(rows)
        text = f"{node.cluster}: {text}" if node.cluster else text
        return f'{dot}<text class="name" x="{at}" y="{number(y - 5)}">{text}</text>'
    letters = int((width - x - 15) / _CONCEPT_LETTER_WIDTH)
    more = len(node.facts["children"]) + node.facts["hidden"]
    title = f"{node.cluster}: {rows_text(rows)}" if node.cluster else rows_text(rows)
    title += f" in {more} groups" if more else ""
    about = ", ".join(mark_text(mark) for mark in node.facts["marks"])
    return (
        f'{dot}<text class="name" x="{at}" y="{number(y - 3)}">'
        f"{shorten_label(title, letters)}</text>"
        f'<text x="{at}" y="{number(y + 12)}">{shorten_label(about, letters)}</text>'
    )
