"""Score plots as inline SVG: rows on two components, or spread along a single one.

Positions are integer steps of an axis, and marks are drawn once and used again, so that a script
can move them without knowing the scores. Colours are left to the style sheet through class names.
"""

import html
from collections.abc import Sequence
from itertools import accumulate

from tamis.facts.extraction_answer import STEPS
from tamis.presentation.charts.svg import number, share_axis, shorten_label
from tamis.presentation.drawings.share_scale import round_steps

__all__ = ["BOX", "MAX_UNJOINED", "Ticks", "mark", "score_plot", "share_chart", "spread_plot"]

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


MAX_UNJOINED = 4  # points: a line between two or three would promise values in between


def share_chart(
    shares: Sequence[float], label: str, thing: str, *, width: int = 720, height: int = 240
) -> str:
    """Draw the shares from 0 to 100%, with each `thing` counted as in its name, from 1."""
    left, right, top, floor = 42, 12, 10, height - 46
    slot = (width - left - right) / len(shares)
    wide = min(slot * 0.7, 56)
    middles = [left + slot * (i + 0.5) for i in range(len(shares))]

    def level(share: float) -> float:
        return floor - (floor - top) * min(max(share, 0.0), 1.0)

    bars = "".join(
        f'<rect class="held" x="{number(x - wide / 2)}" y="{number(level(share))}" '
        f'width="{wide:.2f}" height="{number(floor - level(share))}"/>'
        for x, share in zip(middles, shares, strict=True)
    )
    sums = [level(total) for total in accumulate(shares)]
    points = " ".join(f"{number(x)},{number(y)}" for x, y in zip(middles, sums, strict=True))
    dots = "".join(
        f'<circle cx="{number(x)}" cy="{number(y)}" r="3.5"/>'
        for x, y in zip(middles, sums, strict=True)
        if slot >= 14
    )
    line = f'<polyline points="{points}"/>' if len(shares) > MAX_UNJOINED else ""
    return (
        f'<svg class="shares" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{html.escape(label)}">{share_axis(left, width - right, top, floor)}{bars}'
        f"{line}{dots}{_counts(middles, floor, width, thing)}</svg>"
    )


def _counts(middles: Sequence[float], floor: float, width: float, thing: str) -> str:
    step = next(s for s in round_steps() if len(middles) / s <= width / 40)
    texts = "".join(
        f'<text x="{number(middles[i - 1])}" y="{floor + 18}" text-anchor="middle">{i}</text>'
        for i in sorted({1, *range(step, len(middles) + 1, step)})
    )
    middle = number((middles[0] + middles[-1]) / 2)
    return f'{texts}<text x="{middle}" y="{floor + 38}" text-anchor="middle">{thing}</text>'
