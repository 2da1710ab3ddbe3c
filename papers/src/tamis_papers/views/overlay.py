"""Lines of our own over the points that a paper prints, which differ in dashes and marks.

Colour is a help, never the only difference: each line has its own dashes, and the points of the
paper have the mark of their line.
"""

import html
from collections.abc import Iterable, Sequence
from typing import Any

from tamis_papers.views.axes import choose_range, list_steps, write_number

__all__ = ["draw_overlay", "list_keys"]

Facts = dict[str, Any]
Point = tuple[float, float]

_COLOURS = 8
_DASHES = ("", "7 4", "2 3", "9 3 2 3", "5 2", "12 4", "2 2 6 2", "1 4")
_MOST_TICKS = 6  # steps of an axis of integers
_DOTS = 15  # lines with more points than this have no dots
# Around a point, from which each goes on with relative steps.
_MARKS = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "m-3.6-3.6h7.2v7.2h-7.2z",
    "m0-4.8l4.4 8.2h-8.8z",
    "m0-5l4.6 5l-4.6 5l-4.6-5z",
    "m-4-4l8 8m-8 0l8-8",
    "m-5 0h10m-5-5v10",
    "m0 4.8l4.4-8.2h-8.8z",
    "m-4.5-2l4.5-3l4.5 3l-1.7 6h-5.6z",
)


def draw_overlay(drawing: Facts, width: int = 720, height: int = 340) -> str:
    """Draw the lines of a drawing with their spread, and the points of the paper over them.

    >>> line = {"name": "sfs", "x": [1, 2], "y": [0.5, 0.9], "spread": [], "paper": [[1, 0.6]]}
    >>> drawn = draw_overlay({"title": "a", "x_label": "k", "y_label": "e", "series": [line]})
    >>> drawn.count("<polyline"), drawn.count('class="paper ')
    (1, 1)
    """
    lines = drawing["series"]
    xs = [float(x) for line in lines for x in [*line["x"], *(p[0] for p in line["paper"])]]
    ys = [y for line in lines for y in _heights(line)]
    if not xs or not ys:
        return ""
    frame = _Frame(xs, ys, width, height)
    title = html.escape(drawing["title"])
    parts = [f"<title>{title}</title>", frame.axes(drawing["x_label"], drawing["y_label"])]
    parts += [_band(line, place, frame) for place, line in enumerate(lines)]
    parts += [_line(line, place, frame) for place, line in enumerate(lines)]
    parts += [_paper(line, place, frame) for place, line in enumerate(lines)]
    return (
        f'<svg class="overlay" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">'
        f"{''.join(parts)}</svg>"
    )


def list_keys(drawing: Facts) -> list[tuple[str, str]]:
    """Give the name of every line with a small drawing of it and of its points."""
    return [(line["name"], _swatch(line, place)) for place, line in enumerate(drawing["series"])]


class _Frame:
    """The scales of a drawing."""

    def __init__(self, xs: Sequence[float], ys: Sequence[float], width: int, height: int) -> None:
        self.left, self.right, self.top, self.floor = 56, width - 14, 26, height - 44
        self.narrow = width < 500
        self.low, self.high = min(xs), max(xs)
        self.x_ticks = _across(xs, self.low, self.high)
        self.bottom, self.ceiling, self.y_ticks = choose_range(min(ys), max(ys))

    def x(self, value: float) -> float:
        """Give the place of a value across."""
        room = self.right - self.left - 12
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.left + 6 + room * share

    def y(self, value: float) -> float:
        """Give the height of a value."""
        share = (value - self.bottom) / (self.ceiling - self.bottom)
        return self.floor - (self.floor - self.top) * share

    def axes(self, across: str, up: str) -> str:
        """Draw the grid, its numbers and what they count."""
        rows = [
            f'<line class="grid" x1="{self.left}" x2="{self.right}" y1="{write_number(y)}" '
            f'y2="{write_number(y)}"/><text x="{self.left - 6}" y="{write_number(y)}" dy=".35em" '
            f'text-anchor="end">{_tick(tick)}</text>'
            for tick in self.y_ticks
            for y in [self.y(tick)]
        ]
        columns = [
            f'<text x="{write_number(self.x(tick))}" y="{self.floor + 18}" text-anchor="middle">'
            f"{_tick(tick)}</text>"
            for tick in self.x_ticks
        ]
        middle = write_number((self.left + self.right) / 2)
        names = (
            f'<text x="{middle}" y="{self.floor + 37}" text-anchor="middle">{html.escape(across)}'
            f'</text><text x="2" y="12">{html.escape(up)}</text>'
        )
        return "".join([*rows, *columns, names])


def _across(xs: Sequence[float], low: float, high: float) -> list[float]:
    """Choose ticks between the ends; integers where all values are.

    >>> _across([1.0, 7.0, 10.0], 1.0, 10.0)
    [2, 4, 6, 8, 10]
    """
    ticks: Sequence[float] = choose_range(low, high)[2]
    if all(x == round(x) for x in xs):
        step = next(s for s in list_steps() if (high - low) / s <= _MOST_TICKS)
        ticks = range(0, int(high) + 1, step) if low >= 0 else ticks
    return [tick for tick in ticks if low - 1e-9 <= tick <= high + 1e-9]


def _heights(line: Facts) -> Iterable[float]:
    """List all heights a line needs: its own, the ends of its spread, the paper's points."""
    spread = line["spread"] or [0.0] * len(line["y"])
    for y, around in zip(line["y"], spread, strict=True):
        if y is not None:
            yield from (y - (around or 0.0), y + (around or 0.0))
    yield from (point[1] for point in line["paper"])


def _known(line: Facts) -> list[Point]:
    return [(x, y) for x, y in zip(line["x"], line["y"], strict=True) if y is not None]


def _points(points: Iterable[Point], frame: _Frame) -> str:
    return " ".join(f"{write_number(frame.x(x))},{write_number(frame.y(y))}" for x, y in points)


def _band(line: Facts, place: int, frame: _Frame) -> str:
    if not any(line["spread"]):
        return ""
    ends = [
        (x, y, around or 0.0)
        for x, y, around in zip(line["x"], line["y"], line["spread"], strict=True)
        if y is not None
    ]
    high = [(x, y + around) for x, y, around in ends]
    low = [(x, y - around) for x, y, around in reversed(ends)]
    return f'<polygon class="band {_colour(place)}" points="{_points([*high, *low], frame)}"/>'


def _line(line: Facts, place: int, frame: _Frame) -> str:
    known = _known(line)
    if not known:
        return ""
    dots = "".join(
        f'<circle cx="{write_number(frame.x(x))}" cy="{write_number(frame.y(y))}" r="2.5"/>'
        for x, y in (known if len(known) <= _DOTS else [])
    )
    return (
        f'<g class="ours {_colour(place)}"><title>{html.escape(line["name"])}</title>'
        f'<polyline{_dashes(place)} points="{_points(known, frame)}"/>{dots}</g>'
    )


def _paper(line: Facts, place: int, frame: _Frame) -> str:
    if not line["paper"]:
        return ""
    marks = "".join(_mark(place, frame.x(x), frame.y(y)) for x, y in line["paper"])
    return (
        f'<g class="paper {_colour(place)}"><title>{html.escape(line["name"])}, in the paper'
        f'</title><path d="{marks}"/></g>'
    )


def _swatch(line: Facts, place: int) -> str:
    ours = f'<polyline{_dashes(place)} points="1,8 33,8"/>' if line["x"] else ""
    paper = f'<path d="{_mark(place, 17, 8)}"/>' if line["paper"] else ""
    return (
        f'<svg class="overlay swatch {_colour(place)}" viewBox="0 0 34 16" width="34" height="16" '
        f'aria-hidden="true"><g class="ours">{ours}</g><g class="paper">{paper}</g></svg>'
    )


def _mark(place: int, x: float, y: float) -> str:
    return f"M{write_number(x)} {write_number(y)}{_MARKS[place % len(_MARKS)]}"


def _colour(place: int) -> str:
    return f"c{place % _COLOURS}"


def _dashes(place: int) -> str:
    dashes = _DASHES[place % len(_DASHES)]
    return f' stroke-dasharray="{dashes}"' if dashes else ""


def _tick(value: float) -> str:
    text = f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:.4g}"
    return text.replace("-", "\N{MINUS SIGN}")
