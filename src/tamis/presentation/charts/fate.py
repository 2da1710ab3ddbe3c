"""What becomes of every column: one dot each, its height the share explained; a histogram beside.

Many columns are drawn as an image of how many lie where.
"""

import base64
import html
from collections.abc import Callable, Sequence

from tamis.presentation.charts.heat import palette_png
from tamis.presentation.charts.svg import number, share_axis
from tamis.presentation.drawings.fate_drawing import DrawerKind, FateDrawing, drawer
from tamis.presentation.prose.names import cut

__all__ = ["DOTS", "FATE_BINS", "PIXELS", "fate_chart"]

DOTS = 800  # more columns than this are drawn as an image
PIXELS = (300, 80)
FATE_BINS = 20
NAME_ROWS = 2  # of names above the strip
NAME_HEIGHT = 13
NAME_LETTER = 6.6  # width of a letter, about
NAME_LETTERS = 16
GROUP_COLOURS = 8
_LEFT, _RIGHT, _TOP, _BOTTOM = 66, 10, 56, 52
_SIDE_WIDTH = 90
_FATE_COLOURS = {
    "safe": (0x7E, 0x86, 0x8C),
    "partly": (0xC0, 0x84, 0x2B),
    "lost": (0xC9, 0x4A, 0x42),
}
_ALPHAS = (90, 150, 205, 255)


def fate_chart(drawing: FateDrawing, *, width: int = 720, height: int = 296) -> str:
    """Draw the share explained of every column at its place as SVG; `data-box` is that of dots."""
    shares, across, scale = drawing.shares, drawing.across, drawing.scale
    right, floor = width - _RIGHT - _SIDE_WIDTH - 14, height - _BOTTOM

    def x(place: float) -> str:
        return number(_LEFT + 4 + (right - _LEFT - 8) * place)

    def y(share: float) -> str:
        return number(floor - (floor - _TOP) * scale.place(share))

    axis = share_axis(_LEFT, right, _TOP, floor, scale)
    parts = [f'<g class="shares">{axis}</g>', _curve(drawing, x, floor)]
    if len(shares) > DOTS:
        parts.append(_image(drawing, (_LEFT, _TOP, right, floor)))
    else:
        radius, kinds = 3.5 if len(shares) <= 150 else 2.2, drawing.kinds
        dots = [
            f'<circle class="{kinds[j]}" cx="{x(across[j])}" cy="{y(share)}" r="{radius}"/>'
            for j, share in enumerate(shares)
        ]
        parts.append(f'<g class="dots">{"".join(dots)}</g>')
    ticks = "".join(f"M{x(across[j])} {_TOP - 9}v7" for j in sorted(drawing.kept))
    parts += [
        f'<path class="ticks" d="{ticks}"/>',
        f'<g class="names">{_names(drawing, x)}</g>',
        _histogram(drawing, right + 14, floor),
        _axis(drawing, x, floor, (_LEFT + right) / 2),
        _bands(drawing, x, floor),
    ]
    box = f"{_LEFT} {_TOP} {right} {floor}"
    return (
        f'<svg class="fate" viewBox="0 0 {width} {height}" data-box="{box}" '
        f'data-scale="{scale.code}" role="img" '
        f'aria-label="{html.escape(drawing.about)}">{"".join(parts)}</svg>'
    )


def _curve(drawing: FateDrawing, x: Callable[[float], str], floor: float) -> str:
    """Draw the mean of every column behind the dots, where the columns are points on an axis."""
    lines = [
        " ".join(f"{x(at)},{number(floor - (floor - _TOP) * mean)}" for at, mean in piece)
        for piece in drawing.curve
    ]
    return "".join(f'<polyline class="mean" points="{line}"/>' for line in lines)


def _names(drawing: FateDrawing, x: Callable[[float], str]) -> str:
    """Write the names of kept columns above their ticks: the best first, as many as find room."""
    if not drawing.labels:
        return ""
    rows: list[list[tuple[float, float]]] = [[] for _ in range(NAME_ROWS)]
    parts = []
    for j in drawing.kept:
        text = cut(drawing.labels[j], NAME_LETTERS)
        middle, half = float(x(drawing.across[j])), NAME_LETTER * len(text) / 2
        row = next((i for i, taken in enumerate(rows) if _fits(middle, half, taken)), None)
        if row is None or middle - half < 0:
            continue
        rows[row].append((middle, half))
        up = _TOP - 12 - NAME_HEIGHT * row
        parts.append(
            f'<text x="{number(middle)}" y="{up}" text-anchor="middle">{html.escape(text)}</text>'
        )
    return "".join(parts)


def _fits(middle: float, half: float, taken: Sequence[tuple[float, float]]) -> bool:
    return all(abs(middle - other) > half + beside + 4 for other, beside in taken)


def _axis(drawing: FateDrawing, x: Callable[[float], str], floor: float, middle: float) -> str:
    texts = "".join(
        f'<text x="{x(at)}" y="{floor + 20}" text-anchor="middle">{html.escape(text)}</text>'
        for at, text in drawing.ticks
    )
    title = f'<text x="{number(middle)}" y="{floor + 40}" text-anchor="middle">'
    note = f", {drawing.scale.note}" if drawing.scale.note else ""
    return (
        f'<g class="axis">{texts}{title}{drawing.axis_title}</text>'
        f'<text class="share-title" x="4" y="11">share explained{note}</text></g>'
    )


def _bands(drawing: FateDrawing, x: Callable[[float], str], floor: float) -> str:
    """Draw a coloured stretch under the axis for each run of columns of one group."""
    parts = []
    for start, end, group in drawing.bands:
        left, right = float(x(start)), float(x(end))
        parts.append(
            f'<rect class="group g{group % GROUP_COLOURS}" x="{number(left)}" y="{floor + 2}" '
            f'width="{number(max(right - left - 1, 1))}" height="5"/>'
        )
    return f'<g class="bands">{"".join(parts)}</g>' if parts else ""


def _histogram(drawing: FateDrawing, left: float, floor: float) -> str:
    """Draw how many columns are explained how well, as bars beside the dots."""
    scale, limits = drawing.scale, drawing.limits
    counts = [0] * FATE_BINS
    for j in drawing.dropped:
        place = scale.place(drawing.shares[j])
        counts[min(int(place * FATE_BINS + 1e-9), FATE_BINS - 1)] += 1
    most, each = max(counts) or 1, (floor - _TOP) / FATE_BINS
    bars = "".join(
        f'<rect class="{drawer(scale.share_at((i + 0.5) / FATE_BINS), limits)}" x="{number(left)}" '
        f'y="{number(floor - each * (i + 1))}" width="{number(_SIDE_WIDTH * count / most)}" '
        f'height="{number(each - 1)}"/>'
        for i, count in enumerate(counts)
    )
    return f'<g class="counts" data-left="{number(left)}" data-wide="{_SIDE_WIDTH}">{bars}</g>'


def _image(drawing: FateDrawing, box: tuple[float, float, float, float]) -> str:
    wide, high = PIXELS
    scale, limits, across = drawing.scale, drawing.limits, drawing.across
    counts = [[0] * wide for _ in range(high)]
    for j in drawing.dropped:
        row = high - 1 - min(int(scale.place(drawing.shares[j]) * high), high - 1)
        counts[row][min(int(across[j] * wide), wide - 1)] += 1
    order: tuple[DrawerKind, ...] = ("safe", "partly", "lost")
    pixels = []
    for row, line in enumerate(counts):
        base = 1 + 4 * order.index(drawer(scale.share_at((high - row - 0.5) / high), limits))
        pixels.append([base + min(count, 4) - 1 if count else 0 for count in line])
    palette = [(0, 0, 0)] + [_FATE_COLOURS[name] for name in order for _ in _ALPHAS]
    image = palette_png(pixels, palette, (0, *_ALPHAS * 3))
    left, top, right, floor = box
    text = base64.b64encode(image).decode("ascii")
    return (
        f'<image x="{left}" y="{top}" width="{right - left}" height="{floor - top}" '
        f'preserveAspectRatio="none" href="data:image/png;base64,{text}"/>'
    )
