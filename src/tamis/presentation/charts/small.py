"""Small drawings of a comparison: lines over numbers of columns, places, and who agrees."""

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tamis.presentation.charts.svg import number, shorten_label
from tamis.presentation.drawings.criterion_drawing import CriterionDrawing
from tamis.presentation.drawings.share_scale import axis_range

__all__ = ["agreement_map", "line_chart", "place_chart"]

_LOWEST = -0.1  # of a share: what is worse than predicting the mean is drawn just below 0


def line_chart(
    drawing: CriterionDrawing, kinds: Mapping[str, str], *, width: int = 300, height: int = 200
) -> str:
    """Draw a line for every method as SVG; `kinds` has the classes of each.

    >>> from tamis.presentation.drawings.criterion_drawing import MethodLine
    >>> line = MethodLine("sfs", True, (0.5, 0.9))
    >>> drawn = line_chart(CriterionDrawing("share", "share", (5, 10), (line,)), {"sfs": "c0"})
    >>> drawn.count("<polyline"), drawn.count("<title>sfs</title>")
    (1, 1)
    """
    left, right, top, floor = 40, 10, 8, height - 24
    unit, sizes = drawing.unit, drawing.sizes
    log = unit == "seconds"
    known = [value for line in drawing.lines for value in line.values if value is not None]
    if not known:
        return ""
    least = _LOWEST if unit == "share" else -math.inf

    def place(value: float) -> float:
        return math.log10(max(value, 1e-4)) if log else max(value, least)

    shown = [place(value) for value in known]
    low, high, ticks = axis_range(min(shown), max(shown), whole=log)

    def y(value: float) -> float:
        at = place(value)
        return top + (floor - top) * (1 - (at - low) / (high - low))

    xs = _across(len(sizes), left + 8, width - right - 8)
    parts = [_grid(tick, y(10**tick if log else tick), left, width - right, unit) for tick in ticks]
    parts += [
        f'<text x="{number(x)}" y="{floor + 17}" text-anchor="middle">{size}</text>'
        for x, size in zip(xs, sizes, strict=True)
    ]
    for line in reversed(drawing.lines):
        ys = [None if value is None else y(value) for value in line.values]
        parts.append(_line(line.method, kinds[line.method], xs, ys))
    return _write_svg("lines", width, height, drawing.about, parts)


def place_chart(
    lines: Sequence[tuple[str, str, Sequence[int | None]]],
    sizes: Sequence[int],
    label: str,
    *,
    width: int = 720,
) -> str:
    """Draw the place of every method for each size, with its name at the last one."""
    each, top, right = 17, 30, 150
    places = [place for _, _, line in lines for place in line if place is not None]
    height = top + each * (max(places, default=1) + 1)
    xs = _across(len(sizes), 34, width - right)

    def y(place: float) -> float:
        return top + each * (place - 0.5)

    parts = [
        f'<text x="{number(x)}" y="14" text-anchor="middle">k = {size}</text>'
        for x, size in zip(xs, sizes, strict=True)
    ]
    taken: set[int] = set()
    for name, kind, line in lines:
        parts.append(_line(name, kind, xs, [None if p is None else y(p) for p in line], dots=True))
        if line[-1] is None:
            continue
        row = next(r for r in range(line[-1], line[-1] + len(lines) + 1) if r not in taken)
        taken.add(row)
        parts.append(
            f'<text class="end {kind}" x="{number(xs[-1] + 12)}" y="{number(y(row))}" '
            f'dy=".35em">{shorten_label(name, 20)}</text>'
        )
    lowest = max(taken, default=1)
    return _write_svg("places", width, max(height, top + each * (lowest + 1)), label, parts)


def agreement_map(names: Sequence[str], values: Sequence[Sequence[float]], label: str) -> str:
    """Draw a square matrix of shares, the names on its left and numbers above."""
    n, gutter, top = len(names), 158, 18
    each = max(18, min(44, 560 / n))
    parts = []
    for i, name in enumerate(names):
        y = top + each * (i + 0.5)
        parts.append(
            f'<text x="{gutter - 6}" y="{number(y)}" dy=".35em" text-anchor="end">'
            f"{shorten_label(name, 20)}\N{NO-BREAK SPACE}{i + 1}</text>"
        )
        x = number(gutter + each * (i + 0.5))
        parts.append(f'<text x="{x}" y="12" text-anchor="middle">{i + 1}</text>')
        for j, value in enumerate(values[i]):
            parts.append(
                f'<rect x="{number(gutter + each * j)}" y="{number(top + each * i)}" '
                f'width="{number(each - 1)}" height="{number(each - 1)}" '
                f'fill-opacity="{max(value, 0.03):.2f}"><title>{html.escape(name)}, '
                f"{html.escape(names[j])}: {value:.2f}</title></rect>"
            )
    return _write_svg("agree", round(gutter + each * n), round(top + each * n), label, parts)


def _write_svg(kind: str, width: int, height: float, label: str, parts: Iterable[Any]) -> str:
    return (
        f'<svg class="{kind}" viewBox="0 0 {width} {number(height)}" width="{width}" role="img" '
        f'aria-label="{html.escape(label)}">{"".join(parts)}</svg>'
    )


def _across(count: int, left: float, right: float) -> list[float]:
    if count == 1:
        return [(left + right) / 2]
    return [left + (right - left) * i / (count - 1) for i in range(count)]


def _grid(tick: float, y: float, left: float, right: float, unit: str) -> str:
    text = {
        "share": f"{100 * tick:.3g}%" if tick >= 0 else "&lt; 0",
        "seconds": f"{10**tick:g} s",
    }.get(unit, f"{tick:.3g}").replace("-", "\N{MINUS SIGN}")
    return (
        f'<line class="grid" x1="{left}" x2="{right}" y1="{number(y)}" y2="{number(y)}"/>'
        f'<text x="{left - 5}" y="{number(y)}" dy=".35em" text-anchor="end">{text}</text>'
    )


def _line(
    name: str, kind: str, xs: Sequence[float], ys: Sequence[float | None], *, dots: bool = False
) -> str:
    known = [(x, y) for x, y in zip(xs, ys, strict=True) if y is not None]
    points = " ".join(f"{number(x)},{number(y)}" for x, y in known)
    marks = "".join(
        f'<circle cx="{number(x)}" cy="{number(y)}" r="3.5"/>'
        for x, y in known
        if dots or len(xs) == 1
    )
    line = f'<polyline points="{points}"/>{marks}'
    return f'<g class="{kind}"><title>{html.escape(name)}</title>{line}</g>'
