"""Score plots as inline SVG: rows on two directions, or spread along a single one.

Positions are whole steps of an axis, and marks are drawn once and used again, so that a script can
move them without knowing the scores. Colours are left to the style sheet through class names.
"""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tamis.numerics.types import Floats, Indices
from tamis.presentation.plots import number, shortened

__all__ = ["BOX", "SHAPES", "STEPS", "Axis", "axis_of", "mark", "score_plot", "spread_plot"]


STEPS = 1200  # of an axis
BOX = (64, 12, 546, 424)  # left, top, right and floor of the plot inside the drawing
_WIDTH, _HEIGHT = 560, 474
_TICKS = 6
_EDGE = 0.03  # of the range, free at both ends
_BINS = 48
_UNITS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_LANE = 72  # height of a group's histogram

# Paths for radius 1, about equal in area.
_PATHS = {
    "circle": "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
    "triangle": "M0-1.3L1.2.8H-1.2z",
    "square": "M-.9-.9H.9V.9H-.9z",
    "diamond": "M0-1.35L1.15 0L0 1.35L-1.15 0z",
    "wedge": "M0 1.3L1.2-.8H-1.2z",
    "cross": "M-.42-1.3H.42V-.42H1.3V.42H.42V1.3H-.42V.42H-1.3V-.42H-.42z",
}
SHAPES = tuple(_PATHS)


@dataclass(frozen=True)
class Axis:
    """A range of scores, and its ticks: the step and what is written there."""

    low: float
    high: float
    ticks: tuple[tuple[int, str], ...]

    def steps(self, values: Floats) -> Indices:
        """Give the nearest step of each value."""
        return np.rint((values - self.low) / (self.high - self.low) * STEPS).astype(np.intp)


def axis_of(values: Floats) -> Axis:
    """Choose a range around these values, and round numbers in it.

    >>> axis = axis_of(np.array([-1.0, 3.0]))
    >>> [text for _, text in axis.ticks]
    ['\N{MINUS SIGN}1', '0', '1', '2', '3']
    """
    low, high = float(values.min()), float(values.max())
    room = (high - low) * _EDGE or max(abs(low), 1.0) * _EDGE
    low, high = low - room, high + room
    raw = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= raw * (1 - 1e-9))
    ticks = []
    for i in range(math.ceil(low / step), math.floor(high / step) + 1):
        at = round((i * step - low) / (high - low) * STEPS)
        ticks.append((at, _short(i * step)))
    return Axis(low, high, tuple(ticks))


def _short(value: float) -> str:
    """Write a round number so that it fits beside an axis.

    >>> _short(0.25), _short(-20000.0), _short(3e-05), _short(0.1 + 0.2)
    ('0.25', '\N{MINUS SIGN}20k', '3e-05', '0.3')
    """
    size = abs(value)
    factor, unit = next((one for one in _UNITS if size >= max(one[0], 1e4)), (1.0, ""))
    text = f"{size / factor:.4g}{unit}" if size else "0"
    return f"\N{MINUS SIGN}{text}" if value < 0 else text


def mark(place: int, kind: str, shape: str, radius: float) -> str:
    """Draw the mark of a group, to be used by its number."""
    return (
        f'<path id="m{place}" class="mark {kind}" transform="scale({radius:g})" '
        f'd="{_PATHS[shape]}"/>'
    )


def score_plot(
    scores: tuple[Indices, Indices],
    places: Indices,
    marks: Sequence[str],
    axes: tuple[Axis, Axis],
    names: tuple[str, str],
) -> str:
    """Draw rows at their steps on two axes, in the order of the table."""
    left, top, right, floor = BOX
    xs = left + scores[0] * ((right - left) / STEPS)
    ys = floor - scores[1] * ((floor - top) / STEPS)
    points = "".join(
        f'<use href="#m{place}" x="{number(x)}" y="{number(y)}"/>'
        for x, y, place in zip(xs.tolist(), ys.tolist(), places.tolist(), strict=True)
    )
    across, up = (html.escape(name) for name in names)
    middle, centre = (left + right) / 2, (top + floor) / 2
    return (
        f'<svg class="scores" id="scores" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="Scores of {len(places):,} rows on {across} and {up}">'
        f"<defs>{''.join(marks)}</defs>"
        f'<g id="grid-x">{_grid_across(axes[0])}</g><g id="grid-y">{_grid_up(axes[1])}</g>'
        f'<text id="name-x" class="name" x="{number(middle)}" y="{_HEIGHT - 6}" '
        f'text-anchor="middle">{across}</text>'
        f'<text id="name-y" class="name" transform="translate(14 {number(centre)})rotate(-90)" '
        f'text-anchor="middle">{up}</text>'
        f'<g id="points">{points}</g></svg>'
    )


def spread_plot(
    values: Floats, places: Indices, groups: Sequence[tuple[str, int, str]], name: str
) -> str:
    """Draw a histogram along the one direction for each group: name, count and class."""
    left, _, right, _ = BOX
    axis = axis_of(values)
    named = len(groups) > 1 or bool(groups[0][0])
    lane = _LANE if len(groups) > 1 else 4 * _LANE
    floor = 8 + lane * len(groups)
    bins = np.minimum(axis.steps(values) * _BINS // STEPS, _BINS - 1)
    parts = [_grid_across(axis, top=8, floor=floor)]
    for place, (label, count, kind) in enumerate(groups):
        counts = np.bincount(bins[places == place], minlength=_BINS)
        base = 8 + lane * (place + 1)
        parts.append(f'<path class="mark {kind}" d="{_histogram(counts, base, lane - 32)}"/>')
        if named:
            text = f"{shortened(label, 28)} ({count:,})"
            parts.append(f'<text class="name" x="{left}" y="{base - lane + 22}">{text}</text>')
    middle = number((left + right) / 2)
    parts.append(
        f'<text class="name" x="{middle}" y="{floor + 44}" text-anchor="middle">'
        f"{html.escape(name)}</text>"
    )
    return (
        f'<svg class="scores" viewBox="0 0 {_WIDTH} {floor + 50}" role="img" '
        f'aria-label="Scores of {len(values):,} rows on {html.escape(name)}">{"".join(parts)}</svg>'
    )


def _histogram(counts: NDArray[np.intp], base: float, height: float) -> str:
    left, _, right, _ = BOX
    width, most = (right - left) / _BINS, max(int(counts.max()), 1)
    path = f"M{left} {number(base)}"
    for i, count in enumerate(counts.tolist()):
        path += f"V{number(base - height * count / most)}H{number(left + width * (i + 1))}"
    return f"{path}V{number(base)}z"


def _grid_across(axis: Axis, top: float = BOX[1], floor: float = BOX[3]) -> str:
    left, _, right, _ = BOX
    return "".join(
        f'<line class="grid" x1="{x}" x2="{x}" y1="{top}" y2="{floor}"/>'
        f'<text x="{x}" y="{floor + 20}" text-anchor="middle">{text}</text>'
        for x, text in ((number(left + at * (right - left) / STEPS), t) for at, t in axis.ticks)
    )


def _grid_up(axis: Axis) -> str:
    left, top, right, floor = BOX
    return "".join(
        f'<line class="grid" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
        f'<text x="{left - 6}" y="{y}" dy=".35em" text-anchor="end">{text}</text>'
        for y, text in ((number(floor - at * (floor - top) / STEPS), t) for at, t in axis.ticks)
    )
