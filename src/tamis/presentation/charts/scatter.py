"""Score plots as inline SVG: rows on two components, or spread along a single one.

Positions are integer steps of an axis, and marks are drawn once and used again, so that a script
can move them without knowing the scores. Colours are left to the style sheet through class names.
"""

import html
from collections.abc import Sequence

from tamis.facts.score_plot import STEPS
from tamis.presentation.charts.svg import number, shorten_label

__all__ = ["BOX", "Ticks", "mark", "score_plot", "spread_plot"]

Ticks = Sequence[tuple[int, str]]  # the step of each, and what is written there

BOX = (64, 12, 546, 424)  # left, top, right and floor of the plot inside the drawing
_WIDTH, _HEIGHT = 560, 474
_LANE = 72  # height of a group's histogram

# Paths for radius 1, about equal in area, for every one of SHAPES.
_PATHS = {
    "circle": "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
    "triangle": "M0-1.3L1.2.8H-1.2z",
    "square": "M-.9-.9H.9V.9H-.9z",
    "diamond": "M0-1.35L1.15 0L0 1.35L-1.15 0z",
    "wedge": "M0 1.3L1.2-.8H-1.2z",
    "cross": "M-.42-1.3H.42V-.42H1.3V.42H.42V1.3H-.42V.42H-1.3V-.42H-.42z",
}


def mark(place: int, kind: str, shape: str, radius: float) -> str:
    """Draw the mark of a group, to be used by its number."""
    return (
        f'<path id="m{place}" class="mark {kind}" transform="scale({radius:g})" '
        f'd="{_PATHS[shape]}"/>'
    )


def score_plot(
    scores: tuple[Sequence[int], Sequence[int]],
    places: Sequence[int],
    marks: Sequence[str],
    ticks: tuple[Ticks, Ticks],
    names: tuple[str, str],
) -> str:
    """Draw rows at their steps on two axes, in the order of the table; `places` are the groups."""
    left, top, right, floor = BOX
    wide, high = (right - left) / STEPS, (floor - top) / STEPS
    points = "".join(
        f'<use href="#m{place}" x="{number(left + x * wide)}" y="{number(floor - y * high)}"/>'
        for x, y, place in zip(*scores, places, strict=True)
    )
    across, up = (html.escape(name) for name in names)
    middle, centre = (left + right) / 2, (top + floor) / 2
    return (
        f'<svg class="scores" id="scores" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="Scores of {len(places):,} rows on {across} and {up}">'
        f"<defs>{''.join(marks)}</defs>"
        f'<g id="grid-x">{_grid_across(ticks[0])}</g><g id="grid-y">{_grid_up(ticks[1])}</g>'
        f'<text id="name-x" class="name" x="{number(middle)}" y="{_HEIGHT - 6}" '
        f'text-anchor="middle">{across}</text>'
        f'<text id="name-y" class="name" transform="translate(14 {number(centre)})rotate(-90)" '
        f'text-anchor="middle">{up}</text>'
        f'<g id="points">{points}</g></svg>'
    )


def spread_plot(
    histograms: Sequence[Sequence[int]],
    ticks: Ticks,
    groups: Sequence[tuple[str, int, str]],
    name: str,
) -> str:
    """Draw a histogram along the one component for each group: name, count and class."""
    left, _, right, _ = BOX
    named = len(groups) > 1 or bool(groups[0][0])
    lane = _LANE if len(groups) > 1 else 4 * _LANE
    floor = 8 + lane * len(groups)
    parts = [_grid_across(ticks, top=8, floor=floor)]
    for place, (label, count, kind) in enumerate(groups):
        base = 8 + lane * (place + 1)
        path = _histogram(histograms[place], base, lane - 32)
        parts.append(f'<path class="mark {kind}" d="{path}"/>')
        if named:
            text = f"{shorten_label(label, 28)} ({count:,})"
            parts.append(f'<text class="name" x="{left}" y="{base - lane + 22}">{text}</text>')
    middle = number((left + right) / 2)
    parts.append(
        f'<text class="name" x="{middle}" y="{floor + 44}" text-anchor="middle">'
        f"{html.escape(name)}</text>"
    )
    rows = sum(count for _, count, _ in groups)
    return (
        f'<svg class="scores" viewBox="0 0 {_WIDTH} {floor + 50}" role="img" '
        f'aria-label="Scores of {rows:,} rows on {html.escape(name)}">{"".join(parts)}</svg>'
    )


def _histogram(counts: Sequence[int], base: float, height: float) -> str:
    left, _, right, _ = BOX
    width, most = (right - left) / len(counts), max(1, *counts)
    path = f"M{left} {number(base)}"
    for i, count in enumerate(counts):
        path += f"V{number(base - height * count / most)}H{number(left + width * (i + 1))}"
    return f"{path}V{number(base)}z"


def _grid_across(ticks: Ticks, top: float = BOX[1], floor: float = BOX[3]) -> str:
    left, _, right, _ = BOX
    return "".join(
        f'<line class="grid" x1="{x}" x2="{x}" y1="{top}" y2="{floor}"/>'
        f'<text x="{x}" y="{floor + 20}" text-anchor="middle">{text}</text>'
        for x, text in ((number(left + at * (right - left) / STEPS), t) for at, t in ticks)
    )


def _grid_up(ticks: Ticks) -> str:
    left, top, right, floor = BOX
    return "".join(
        f'<line class="grid" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
        f'<text x="{left - 6}" y="{y}" dy=".35em" text-anchor="end">{text}</text>'
        for y, text in ((number(floor - at * (floor - top) / STEPS), t) for at, t in ticks)
    )
