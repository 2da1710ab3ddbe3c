"""The share for 1, 2, ... kept columns as a line under its ceiling."""

import html
from collections.abc import Iterable, Sequence

from tamis.presentation.charts.svg import number, round_steps, share_axis
from tamis.presentation.drawings.curve_drawing import CurveDrawing, HeldOutBand
from tamis.presentation.prose.numbers import WORSE

__all__ = ["curve_chart"]

_LETTER = 7  # width of one in a label, about
_NO_BAND = HeldOutBand((), (), ())


def curve_chart(drawing: CurveDrawing, *, width: int = 720, height: int = 300) -> str:
    """Draw a curve as SVG, with a marker at `k`.

    Where the share on held-out rows is below 0 it is drawn at 0, with a label that says so. The box
    of the lines is in `data-box`, so a script can draw others.
    """
    left, right, top, bottom = 42, 12, 10, 50
    m = len(drawing.retained)
    xs = [left + (width - left - right) * (t / (m - 1) if m > 1 else 0.5) for t in range(m)]
    floor = height - bottom

    def heights(line: Iterable[float]) -> list[float]:
        return [top + (floor - top) * (1 - min(max(share, 0.0), 1.0)) for share in line]

    kept, ceiling = heights(drawing.retained), heights(drawing.bound)
    band, knee = drawing.held_out or _NO_BAND, drawing.knee
    held = heights(band.share)
    parts = [
        share_axis(left, width - right, top, floor),
        _count_axis(xs, floor, width),
        f'<polygon class="gap" points="{_points(xs, ceiling)} {_points(xs[::-1], kept[::-1])}"/>',
        f'<polyline class="ceiling" points="{_points(xs, ceiling)}"/>',
        _chance(xs, heights(drawing.chance)),
        _held_out(xs, held, heights(band.low), heights(band.high)),
        _below(xs, band, floor),
        f'<polyline class="kept" points="{_points(xs, kept)}"/>',
    ]
    if m <= 30:
        parts += [_dot("kept", x, y, 2.5) for x, y in zip(xs, kept, strict=True)]
    if knee is not None:
        parts.append(_knee(xs[knee - 1], kept[knee - 1], knee))
    at = min(max(drawing.k, 1), m) - 1
    dots = [_dot("ceiling", xs[at], ceiling[at], 4)]
    dots += [_dot("held", xs[at], held[at], 4)] if at < len(held) else []
    dots.append(_dot("kept", xs[at], kept[at], 8))
    parts.append(_marker(number(xs[at]), top, floor, dots))
    label = html.escape(drawing.about)
    return (
        f'<svg class="curve" viewBox="0 0 {width} {height}" data-box="{left} {top} {width - right} '
        f'{floor}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def _marker(x: str, top: float, floor: float, dots: Sequence[str]) -> str:
    """Draw a line through the chosen number, with its dots, and the one that follows the mouse."""
    return (
        f'<path class="asked" d="M{x} {floor + 1}l-5 8h10z"/>'
        f'<line class="hover" x1="0" x2="0" y1="{top}" y2="{floor}"/>'
        f'<g class="marker"><line x1="{x}" x2="{x}" y1="{top}" y2="{floor}"/>{"".join(dots)}</g>'
    )


def _chance(xs: Sequence[float], ys: Sequence[float]) -> str:
    return f'<polyline class="chance" points="{_points(xs[: len(ys)], ys)}"/>' if ys else ""


def _knee(x: float, y: float, knee: int) -> str:
    return (
        f'<g class="knee"><path d="M{number(x)} {number(y - 6)}l6 6l-6 6l-6 -6z"/>'
        f'<text x="{number(x + 9)}" y="{number(y + 17)}">knee: {knee}</text></g>'
    )


def _held_out(xs: Sequence[float], held: list[float], low: list[float], high: list[float]) -> str:
    if not held:
        return ""
    xs = xs[: len(held)]
    return (
        f'<polygon class="band" points="{_points(xs, high)} {_points(xs[::-1], low[::-1])}"/>'
        f'<polyline class="held" points="{_points(xs, held)}"/>'
    )


def _below(xs: Sequence[float], band: HeldOutBand, floor: float) -> str:
    """Say that the held-out share falls below the axis: there it is drawn at 0."""
    if not band.falls_below:
        return ""
    x = xs[band.share.index(min(band.share))]
    text = f"held-out: {WORSE}"
    room = _LETTER * len(text)
    at, anchor = (xs[0] + xs[-1]) / 2, "middle"  # a narrow drawing has room for it there only
    if x + room <= xs[-1]:
        at, anchor = x, "start"
    elif x - room >= xs[0]:
        at, anchor = x, "end"
    return (
        f'<g class="held"><path d="M{number(x)} {floor - 3}l-4 -7h8z"/><text x="{number(at)}" '
        f'y="{floor - 15}" text-anchor="{anchor}">{text}</text></g>'
    )


def _count_axis(xs: Sequence[float], floor: float, width: float) -> str:
    m = len(xs)
    step = next(s for s in round_steps() if m / s <= width / 60)
    ticks = sorted({1, *range(step, m + 1, step)})
    texts = [
        f'<text x="{number(xs[t - 1])}" y="{floor + 23}" text-anchor="middle">{t}</text>'
        for t in ticks
    ]
    middle = number((xs[0] + xs[-1]) / 2)
    title = f'<text x="{middle}" y="{floor + 41}" text-anchor="middle">columns kept</text>'
    return "".join(texts) + title


def _points(xs: Sequence[float], ys: Sequence[float]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in zip(xs, ys, strict=True))


def _dot(kind: str, x: float, y: float, radius: float) -> str:
    return f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="{radius}"/>'
