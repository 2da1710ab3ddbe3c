"""Rows on two components, or spread along a single one, and the shares of components.

Positions are integer steps of an axis, and marks are drawn once and used again, so that a script
can move them without knowing the scores. Colours are left to the style sheet through class names.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from tamis.facts.extraction_answer import STEPS
from tamis.presentation.scenes.scene import (
    Frame,
    Mark,
    Point,
    Scene,
    cell,
    dot,
    group,
    line,
    rule,
    text,
)
from tamis.presentation.scenes.share_scale import count_ticks
from tamis.presentation.scenes.svg import draw_svg, number, shorten_label

Ticks = Sequence[tuple[int, str]]  # the step of each, and what is written there

BOX = (64, 12, 546, 424)  # left, top, right and floor of the plot inside the drawing
_WIDTH, _HEIGHT = 560, 474
_LANE = 72  # height of a group's histogram
MAX_UNJOINED = 4  # points: a line between two or three would suggest values in between

# Paths for radius 1, about equal in area, for every one of SHAPES.
_PATHS = {
    "circle": "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
    "triangle": "M0-1.3L1.2.8H-1.2z",
    "square": "M-.9-.9H.9V.9H-.9z",
    "diamond": "M0-1.35L1.15 0L0 1.35L-1.15 0z",
    "wedge": "M0 1.3L1.2-.8H-1.2z",
    "cross": "M-.42-1.3H.42V-.42H1.3V.42H.42V1.3H-.42V.42H-1.3V-.42H-.42z",
}


def scores_scene(
    groups: Mapping[str, Sequence[Point]], components: Sequence[tuple[str, float]]
) -> Scene:
    """Make a dot for each row on two components, by name and share, coloured by the labels."""
    marks = [
        dot(f"c{place}", x, y, 3.0, label)
        for place, (label, rows) in reversed(list(enumerate(groups.items())))
        for x, y in rows
    ]
    across, up = (f"{name} ({share:.1%})" for name, share in components)
    return Scene("scores", marks, titles=(across, up))


def mark(place: int, kind: str, shape: str, radius: float) -> Mark:
    """Draw the mark of a group, to be used by its number."""
    look = {"id": f"m{place}", "transform": f"scale({radius:g})"}
    return Mark("glyph", f"mark {kind}", text=_PATHS[shape], more=look)


def score_plot(
    scores: tuple[Sequence[int], Sequence[int]],
    places: Sequence[int],
    marks: Sequence[Mark],
    ticks: tuple[Ticks, Ticks],
    names: tuple[str, str],
) -> str:
    """Draw rows at their steps on two axes, in the order of the table; `places` are the groups."""
    left, top, right, floor = BOX
    wide, high = (right - left) / STEPS, (floor - top) / STEPS
    middle, centre = (left + right) / 2, (top + floor) / 2
    rows = [
        Mark("use", points=[(left + x * wide, floor - y * high)], text=f"m{place}")
        for x, y, place in zip(*scores, places, strict=True)
    ]
    heights = Frame(left, right, top, floor).draw_heights([(y / STEPS, t) for y, t in ticks[1]])
    parts = [
        Mark("defs", marks=marks),
        group("", _draw_across(ticks[0], top, floor), id="grid-x"),
        group("", heights, id="grid-y"),
        text(middle, _HEIGHT - 6, names[0], "middle", role="name", id="name-x"),
        text(14, centre, names[1], "middle", role="name", turn=-90, id="name-y"),
        group("", rows, id="points"),
    ]
    about = f"Scores of {len(places):,} rows on {names[0]} and {names[1]}"
    return draw_svg(Scene("scores", parts, about, _WIDTH, _HEIGHT, {"id": "scores"}))


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
    parts = _draw_across(ticks, 8, floor)
    for place, (label, count, kind) in enumerate(groups):
        base, counts = 8 + lane * (place + 1), histograms[place]
        wide, most = (right - left) / len(counts), max(1, *counts)
        steps = "".join(
            f"V{number(base - (lane - 32) * count / most)}H{number(left + wide * (i + 1))}"
            for i, count in enumerate(counts)
        )
        outline = f"M{left} {number(base)}{steps}V{number(base)}z"
        parts.append(Mark("glyph", f"mark {kind}", text=outline))
        if named:
            words = f"{shorten_label(label, 28)} ({count:,})"
            parts.append(text(left, base - lane + 22, words, role="name"))
    parts.append(text((left + right) / 2, floor + 44, name, "middle", role="name"))
    about = f"Scores of {sum(count for _, count, _ in groups):,} rows on {name}"
    return draw_svg(Scene("scores", parts, about, _WIDTH, floor + 50))


def _draw_across(ticks: Ticks, top: float, floor: float) -> list[Mark]:
    frame = Frame(BOX[0], BOX[2], top, floor, 0, STEPS)
    marks = []
    for at, words in ticks:
        x = frame.x(at)
        marks += [rule("grid", (x, top), (x, floor)), text(x, floor + 20, words, "middle")]
    return marks


def share_chart(
    shares: Sequence[float], about: str, thing: str, *, width: int = 720, height: int = 240
) -> str:
    """Draw the shares from 0 to 100%, with each `thing` counted as in its name, from 1."""
    frame = Frame(42, width - 12, 10, height - 46, 0.5, len(shares) + 0.5)
    slot = frame.x(2) - frame.x(1)
    wide = min(slot * 0.7, 56)
    bars = [
        cell("held", (frame.x(i) - wide / 2, frame.y(share)), wide, frame.floor - frame.y(share))
        for i, share in enumerate(shares, start=1)
    ]
    sums = [(frame.x(i), frame.y(total)) for i, total in enumerate(accumulate(shares), start=1)]
    joined = line("", sums, size=3.5 if slot >= 14 else 0.0)
    dots = [dot("", x, y, 3.5) for x, y in sums]
    ticks = [(i, f"{i}") for i in count_ticks(len(shares), width / 40)]
    marks = [
        *frame.draw_heights(),
        *bars,
        *([joined] if len(shares) > MAX_UNJOINED else dots),
        *frame.write_below(ticks, thing, 18),
    ]
    return draw_svg(Scene("shares", marks, about, width, height))
