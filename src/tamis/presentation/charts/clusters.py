"""The tree of similar columns, with the similarity at which groups join as its axis."""

import html

from tamis.facts.explorer import MapFacts
from tamis.presentation.charts.svg import number, without_middle

__all__ = ["cluster_chart"]

_CLUSTER_ROW_HEIGHT = 15
_TIP = 470
_CLUSTERS_WIDTH = 720
_TOP_MARGIN = 22


def cluster_chart(found: MapFacts, kept: set[int]) -> str:
    """Draw which columns join at which similarity; a dot and a bold name mark the kept ones.

    `found` has the columns from top to bottom with their names, and the joins: two parts, counted
    from the leaves on, and a similarity between 0 and 1.
    """
    names, columns, merges = found.names, found.columns, found.merges
    heights = [_TOP_MARGIN + _CLUSTER_ROW_HEIGHT * (place + 0.5) for place in range(len(names))]
    levels = [1.0] * len(names)
    path = []
    for first, second, similarity in merges:
        x = number(_x(similarity))
        path += [
            f"M{number(_x(levels[part]))} {number(heights[part])}H{x}" for part in (first, second)
        ]
        path.append(f"M{x} {number(heights[first])}V{number(heights[second])}")
        heights.append((heights[first] + heights[second]) / 2)
        levels.append(similarity)
    rows = []
    for place, (name, column) in enumerate(zip(names, columns, strict=True)):
        y, kind = number(heights[place]), "row kept" if column in kept else "row"
        rows.append(
            f'<g class="{kind}" data-column="{column}"><circle cx="{_TIP + 4}" cy="{y}" r="3.5"/>'
            f'<text x="{_TIP + 13}" y="{y}">{without_middle(name, 34)}</text></g>'
        )
    height = _TOP_MARGIN + _CLUSTER_ROW_HEIGHT * len(names) + 4
    label = f"Tree of {len(names)} columns by similarity; kept ones have a dot and a bold name"
    return (
        f'<svg class="tree clusters" viewBox="0 0 {_CLUSTERS_WIDTH} {height}" role="img" '
        f'aria-label="{html.escape(label)}">{_axis(height)}'
        f'<path class="branches" d="{"".join(path)}"/>{"".join(rows)}</svg>'
    )


def _axis(height: float) -> str:
    lines = []
    for tenth in (0, 2, 4, 6, 8, 10):
        x = number(_x(tenth / 10))
        lines.append(
            f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP_MARGIN}" y2="{height}"/>'
            f'<text x="{x}" y="12" text-anchor="middle">{tenth / 10:g}</text>'
        )
    return "".join(lines)


def _x(similarity: float) -> float:
    return 14 + (_TIP - 14) * min(max(similarity, 0.0), 1.0)
