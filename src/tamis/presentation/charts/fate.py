"""What becomes of every column: one dot each, its height the share explained; a histogram beside.

Many columns are drawn as an image of how many lie where.
"""

import base64
import html
from collections.abc import Sequence

from tamis.presentation.charts.heat import palette_png
from tamis.presentation.charts.svg import number, share_axis
from tamis.presentation.drawings.fate_drawing import DrawerKind, FateDrawing, drawer

__all__ = ["BINS", "DOTS", "PIXELS", "fate_chart"]

DOTS = 800  # more columns than this are drawn as an image
PIXELS = (300, 80)
BINS = 20
_LEFT, _RIGHT, _TOP, _BOTTOM = 42, 10, 12, 26
_BESIDE = 90
_COLOURS = {"safe": (0x7E, 0x86, 0x8C), "partly": (0xC0, 0x84, 0x2B), "lost": (0xC9, 0x4A, 0x42)}
_ALPHAS = (90, 150, 205, 255)


def fate_chart(drawing: FateDrawing, *, width: int = 720, height: int = 230) -> str:
    """Draw the share explained of every column at its place as SVG; `data-box` is that of dots."""
    shares, across, limits = drawing.shares, drawing.across, drawing.limits
    right, floor = width - _RIGHT - _BESIDE - 14, height - _BOTTOM
    taken, kinds = drawing.kept, drawing.kinds

    def x(place: float) -> str:
        return number(_LEFT + 4 + (right - _LEFT - 8) * place)

    def y(share: float) -> str:
        return number(floor - (floor - _TOP) * share)

    parts = [share_axis(_LEFT, right, _TOP, floor)]
    if len(shares) > DOTS:
        parts.append(_image(shares, across, taken, limits, (_LEFT, _TOP, right, floor)))
    else:
        radius = 3.5 if len(shares) <= 150 else 2.2
        parts += (
            ['<g class="dots">']
            + [
                f'<circle class="{kinds[j]}" cx="{x(across[j])}" cy="{y(share)}" r="{radius}"/>'
                for j, share in enumerate(shares)
            ]
            + ["</g>"]
        )
    start, end = drawing.ends
    ticks = "".join(f"M{x(across[j])} {_TOP - 9}v7" for j in sorted(taken))
    parts += [
        f'<path class="ticks" d="{ticks}"/>',
        _histogram([s for j, s in enumerate(shares) if j not in taken], limits, right + 14, floor),
        f'<text x="{_LEFT + 4}" y="{height - 8}">{html.escape(start)}</text>',
        f'<text x="{right}" y="{height - 8}" text-anchor="end">{html.escape(end)}</text>',
    ]
    box = f"{_LEFT} {_TOP} {right} {floor}"
    return (
        f'<svg class="fate" viewBox="0 0 {width} {height}" data-box="{box}" role="img" '
        f' aria-label="{html.escape(drawing.about)}">{"".join(parts)}</svg>'
    )


def _histogram(
    shares: Sequence[float], limits: tuple[float, float], left: float, floor: float
) -> str:
    """Draw how many columns are explained how well, as bars beside the dots."""
    counts = [0] * BINS
    for share in shares:
        counts[min(int(share * BINS + 1e-9), BINS - 1)] += 1
    most, each = max(counts) or 1, (floor - _TOP) / BINS
    bars = "".join(
        f'<rect class="{drawer((i + 0.5) / BINS, limits)}" x="{number(left)}" '
        f'y="{number(floor - each * (i + 1))}" width="{number(_BESIDE * count / most)}" '
        f'height="{number(each - 1)}"/>'
        for i, count in enumerate(counts)
    )
    return f'<g class="counts" data-left="{number(left)}" data-wide="{_BESIDE}">{bars}</g>'


def _image(
    shares: Sequence[float],
    across: Sequence[float],
    taken: frozenset[int],
    limits: tuple[float, float],
    box: tuple[float, float, float, float],
) -> str:
    wide, high = PIXELS
    counts = [[0] * wide for _ in range(high)]
    for j, share in enumerate(shares):
        if j not in taken:
            row = high - 1 - min(int(share * high), high - 1)
            counts[row][min(int(across[j] * wide), wide - 1)] += 1
    order: tuple[DrawerKind, ...] = ("safe", "partly", "lost")
    pixels = []
    for row, line in enumerate(counts):
        base = 1 + 4 * order.index(drawer((high - row - 0.5) / high, limits))
        pixels.append([base + min(count, 4) - 1 if count else 0 for count in line])
    palette = [(0, 0, 0)] + [_COLOURS[name] for name in order for _ in _ALPHAS]
    image = palette_png(pixels, palette, (0, *_ALPHAS * 3))
    left, top, right, floor = box
    text = base64.b64encode(image).decode("ascii")
    return (
        f'<image x="{left}" y="{top}" width="{right - left}" height="{floor - top}" '
        f'preserveAspectRatio="none" href="data:image/png;base64,{text}"/>'
    )
