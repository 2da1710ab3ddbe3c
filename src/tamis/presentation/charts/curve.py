"""The share for 1, 2, ... kept columns as a line under its ceiling."""

import html
from collections.abc import Iterable, Sequence
from itertools import pairwise

from tamis.presentation.charts.svg import free_spot, number, share_axis
from tamis.presentation.drawings.curve_drawing import CurveDrawing, HeldOutBand
from tamis.presentation.drawings.share_scale import round_steps
from tamis.presentation.prose.numbers import WORSE

__all__ = ["curve_chart"]

_CURVE_LETTER_WIDTH = 7  # width of one in a label, about
_NO_BAND = HeldOutBand((), (), ())


def curve_chart(drawing: CurveDrawing, *, width: int = 720, height: int = 300) -> str:
    """Draw a curve as SVG, with a marker at `k`.

    Where the share on held-out rows is below 0 it is drawn at 0, with a label that says so. The box
    of the lines is in `data-box` and their axis in `data-scale`, so a script can draw others.
    """
    scale = drawing.scale
    left, right, top, bottom = 42 if scale.least is None else 76, 12, 24, 50
    m = len(drawing.retained)
    xs = [left + (width - left - right) * (t / (m - 1) if m > 1 else 0.5) for t in range(m)]
    floor = height - bottom

    def heights(line: Iterable[float]) -> list[float]:
        return [top + (floor - top) * (1 - scale.place(share)) for share in line]

    kept, ceiling = heights(drawing.retained), heights(drawing.bound)
    band, knee = drawing.held_out or _NO_BAND, drawing.knee
    held = heights(band.share)
    parts = [
        share_axis(left, width - right, top, floor, scale),
        f'<text class="axis" x="4" y="11">{html.escape(_write_title(drawing))}</text>',
        _count_axis(xs, floor, width),
        f'<polygon class="gap" points="{_points(xs, ceiling)} {_points(xs[::-1], kept[::-1])}"/>',
        f'<polyline class="ceiling" points="{_points(xs, ceiling)}"/>',
        _chance(xs, heights(drawing.chance_line)),
        _held_out(xs, held, heights(band.low), heights(band.high)),
        _below(xs, band, floor),
        f'<polyline class="kept" points="{_points(xs, kept)}"/>',
    ]
    if m <= 30:
        parts += [_dot("kept", x, y, 2.5) for x, y in zip(xs, kept, strict=True)]
    at = min(max(drawing.k, 1), m) - 1
    if knee is not None:
        lines = [pair for ys in (kept, ceiling, held) for pair in zip(xs, ys, strict=False)]
        marker = [(xs[at], floor - (floor - top) * part / 40) for part in range(41)]
        parts.append(_knee(xs[knee - 1], kept[knee - 1], knee, [*_trace(lines), *marker], width))
    dots = [_dot("ceiling", xs[at], ceiling[at], 4)]
    dots += [_dot("held", xs[at], held[at], 4)] if at < len(held) else []
    dots.append(_dot("kept", xs[at], kept[at], 8))
    parts.append(_marker(number(xs[at]), top, floor, dots))
    label = html.escape(drawing.about)
    return (
        f'<svg class="curve" viewBox="0 0 {width} {height}" data-box="{left} {top} {width - right} '
        f'{floor}" data-scale="{scale.code}" role="img" aria-label="{label}">'
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


def _write_title(drawing: CurveDrawing) -> str:
    """Name the axis of shares; on a log scale it says so."""
    note = drawing.scale.note
    return f"share {drawing.words.share}{f' ({note})' if note else ''}"


def _trace(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Put points between those of lines, so that what lies between two is seen."""
    found = list(points)
    for (x, y), (u, v) in pairwise(points):
        steps = int(abs(u - x) // 6) if u > x else 0
        found += [(x + (u - x) * i / steps, y + (v - y) * i / steps) for i in range(1, steps)]
    return found


def _knee(x: float, y: float, knee: int, taken: Sequence[tuple[float, float]], width: float) -> str:
    """Mark the knee, its name where it covers least."""
    text = f"knee: {knee}"
    room = _CURVE_LETTER_WIDTH * len(text)
    sides = [(x + 9, "start"), (x - 9, "end")]
    spots = [(side, y + down) for down in (19, -10, 32, -24) for side in sides]
    boxes = [
        (
            at - (room if end == "end" else 0),
            line - 11,
            at + (0 if end == "end" else room),
            line + 3,
        )
        for (at, end), line in spots
    ]
    open_ = [i for i, box in enumerate(boxes) if box[0] >= 0 and box[2] <= width and box[1] >= 12]
    best = open_[free_spot([boxes[i] for i in open_], taken)] if open_ else 0
    (at, end), line = spots[best]
    return (
        f'<g class="knee"><path d="M{number(x)} {number(y - 6)}l6 6l-6 6l-6 -6z"/>'
        f'<text x="{number(at)}" y="{number(line)}" text-anchor="{end}">{text}</text></g>'
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
    room = _CURVE_LETTER_WIDTH * len(text)
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
