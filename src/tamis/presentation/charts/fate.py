"""What becomes of every column: one dot each, its height the share explained; a histogram beside.

Many columns are drawn as an image of how many lie where.
"""

import base64
import html
from collections.abc import Iterable, Sequence

from tamis.presentation.charts.heat import palette_png
from tamis.presentation.charts.svg import number, share_axis

__all__ = ["BINS", "DOTS", "PIXELS", "fate_chart"]

Drawer = str  # "safe", "partly" or "lost"

DOTS = 800  # more columns than this are drawn as an image
PIXELS = (300, 80)
BINS = 20
_LEFT, _RIGHT, _TOP, _BOTTOM = 42, 10, 12, 26
_BESIDE = 90
_COLOURS = {"safe": (0x7E, 0x86, 0x8C), "partly": (0xC0, 0x84, 0x2B), "lost": (0xC9, 0x4A, 0x42)}
_ALPHAS = (90, 150, 205, 255)


def fate_chart(
    shares: Sequence[float],
    across: Sequence[float],
    kept: Iterable[int],
    limits: tuple[float, float],
    *,
    label: str,
    ends: tuple[str, str],
    width: int = 720,
    height: int = 230,
) -> str:
    """Draw the share explained of every column at its place (0 to 1) on the axis.

    `kept` are the columns that are kept, `limits` the share from which a column is safe to drop and
    the one below which it is lost. The box of the dots is in `data-box`.
    """
    right, floor = width - _RIGHT - _BESIDE - 14, height - _BOTTOM
    taken = set(kept)

    def x(place: float) -> str:
        return number(_LEFT + 4 + (right - _LEFT - 8) * place)

    def y(share: float) -> str:
        return number(floor - (floor - _TOP) * share)

    drawers = [drawer(share, limits) for share in shares]
    parts = [share_axis(_LEFT, right, _TOP, floor)]
    if len(shares) > DOTS:
        parts.append(_image(shares, across, taken, limits, (_LEFT, _TOP, right, floor)))
    else:
        radius = 3.5 if len(shares) <= 150 else 2.2
        parts += (
            ['<g class="dots">']
            + [
                f'<circle class="{"kept" if j in taken else drawers[j]}" cx="{x(across[j])}" '
                f'cy="{y(share)}" r="{radius}"/>'
                for j, share in enumerate(shares)
            ]
            + ["</g>"]
        )
    ticks = "".join(f"M{x(across[j])} {_TOP - 9}v7" for j in sorted(taken))
    parts += [
        f'<path class="ticks" d="{ticks}"/>',
        _histogram([s for j, s in enumerate(shares) if j not in taken], limits, right + 14, floor),
        f'<text x="{_LEFT + 4}" y="{height - 8}">{html.escape(ends[0])}</text>',
        f'<text x="{right}" y="{height - 8}" text-anchor="end">{html.escape(ends[1])}</text>',
    ]
    box = f"{_LEFT} {_TOP} {right} {floor}"
    return (
        f'<svg class="fate" viewBox="0 0 {width} {height}" data-box="{box}" role="img" '
        f' aria-label="{html.escape(label)}">{"".join(parts)}</svg>'
    )


def drawer(share: float, limits: tuple[float, float]) -> Drawer:
    """Say in which drawer a dropped column lies.

    >>> [drawer(share, (0.95, 0.1)) for share in (0.95, 0.5, 0.09)]
    ['safe', 'partly', 'lost']
    """
    safe, lost = limits
    return "safe" if share >= safe else "lost" if share < lost else "partly"


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
    taken: set[int],
    limits: tuple[float, float],
    box: tuple[float, float, float, float],
) -> str:
    wide, high = PIXELS
    counts = [[0] * wide for _ in range(high)]
    for j, share in enumerate(shares):
        if j not in taken:
            row = high - 1 - min(int(share * high), high - 1)
            counts[row][min(int(across[j] * wide), wide - 1)] += 1
    order = ("safe", "partly", "lost")
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
