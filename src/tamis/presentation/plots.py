"""Charts as inline SVG, and heat maps of likeness as palette PNG images inside them.

Every function is pure: numbers in, text or bytes out. Colours that follow the page's scheme are
left to its style sheet through class names. Inline SVG needs no namespace address.
"""

import base64
import html
import struct
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tamis.presentation.words import VARIANCE, Words

__all__ = [
    "colour_scale",
    "curve_chart",
    "diverging_palette",
    "heat_map",
    "heat_png",
    "number",
    "palette_png",
    "round_steps",
    "share_axis",
    "shortened",
]

Bytes = npt.NDArray[np.uint8]

# Blue through near-white to red, readable with every common kind of colour blindness.
_STOPS = (
    (0x21, 0x66, 0xAC),
    (0x43, 0x93, 0xC3),
    (0x92, 0xC5, 0xDE),
    (0xD1, 0xE5, 0xF0),
    (0xF7, 0xF7, 0xF7),
    (0xFD, 0xDB, 0xC7),
    (0xF4, 0xA5, 0x82),
    (0xD6, 0x60, 0x4D),
    (0xB2, 0x18, 0x2B),
)
_LABELLED = 24  # a heat map with more rows than this has no room for names
_LABEL_LENGTH = 17


def diverging_palette(levels: int = 201) -> Bytes:
    """Return `levels` colours (rows of red, green, blue) from blue over white to red.

    >>> diverging_palette(3).tolist()
    [[33, 102, 172], [247, 247, 247], [178, 24, 43]]
    """
    stops = np.array(_STOPS, dtype=np.float64)
    at = np.linspace(0, len(stops) - 1, levels)
    known = np.arange(len(stops))
    channels = [np.interp(at, known, stops[:, channel]) for channel in range(3)]
    return np.rint(np.stack(channels, axis=1)).astype(np.uint8)


def palette_png(pixels: Bytes, palette: Bytes) -> bytes:
    """Encode a matrix of palette positions as an 8-bit PNG image."""
    height, width = pixels.shape
    rows = np.zeros((height, width + 1), dtype=np.uint8)  # each row starts with filter type 0
    rows[:, 1:] = pixels
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", palette.tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def heat_png(values: Sequence[Sequence[int]]) -> bytes:
    """Encode likeness in hundredths (-100..100) as a PNG, one pixel each."""
    table = np.array(values, dtype=np.int64).reshape(len(values), -1)
    pixels = (np.clip(table, -100, 100) + 100).astype(np.uint8)
    return palette_png(pixels, diverging_palette(201))


def heat_map(columns: Sequence[str], values: Sequence[Sequence[int]], *, label: str) -> str:
    """Draw a matrix of likeness, with the column names on the left where they fit."""
    n = len(columns)
    gutter = 112 if n <= _LABELLED else 0
    side = 360 - gutter
    image = base64.b64encode(heat_png(values)).decode("ascii")
    names = "".join(
        f'<text x="{gutter - 6}" y="{number(side * (row + 0.5) / n)}">{shortened(name)}</text>'
        for row, name in enumerate(columns)
        if gutter
    )
    return (
        f'<svg class="heat" viewBox="0 0 360 {side}" role="img" aria-label="{html.escape(label)}">'
        f'{names}<image class="diverging" x="{gutter}" y="0" width="{side}" height="{side}" '
        f'preserveAspectRatio="none" href="data:image/png;base64,{image}"/></svg>'
    )


def colour_scale(words: Words = VARIANCE) -> str:
    """Draw the legend of the heat maps: -1 to 1, or 0 to 1 in the upper half of the colours."""
    colours = _STOPS if words.lowest < 0 else _STOPS[len(_STOPS) // 2 :]
    stops = "".join(
        f'<stop offset="{100 * place / (len(colours) - 1)}%" stop-color="#{bytes(stop).hex()}"/>'
        for place, stop in enumerate(colours)
    )
    low, middle = ("\N{MINUS SIGN}1", "0") if words.lowest < 0 else ("0", "0.5")
    return (
        '<svg class="scale" viewBox="0 0 240 30" role="img" '
        f'aria-label="{html.escape(words.scale)}">'
        f'<defs><linearGradient id="diverging">{stops}</linearGradient></defs>'
        '<rect class="diverging" x="8" y="0" width="224" height="12" fill="url(#diverging)"/>'
        f'<text x="8" y="26" text-anchor="start">{low}</text>'
        f'<text x="120" y="26" text-anchor="middle">{middle}</text>'
        '<text x="232" y="26" text-anchor="end">1</text></svg>'
    )


def curve_chart(
    retained: Sequence[float],
    bound: Sequence[float],
    k: int,
    *,
    width: int = 720,
    height: int = 300,
    words: Words = VARIANCE,
) -> str:
    """Draw the share for 1..m kept columns under its ceiling, with a marker at `k`.

    The points of both lines are in the `points` attributes, so a script can move the marker
    without knowing the scales.
    """
    left, right, top, bottom = 42, 12, 10, 50
    m = len(retained)
    xs = [left + (width - left - right) * (t / (m - 1) if m > 1 else 0.5) for t in range(m)]
    kept, ceiling = (
        [top + (height - top - bottom) * (1 - min(max(share, 0.0), 1.0)) for share in line]
        for line in (retained, bound)
    )
    floor = height - bottom
    parts = [
        share_axis(left, width - right, top, floor),
        _count_axis(xs, floor, width),
        f'<polygon class="gap" points="{_points(xs, ceiling)} {_points(xs[::-1], kept[::-1])}"/>',
        f'<polyline class="ceiling" points="{_points(xs, ceiling)}"/>',
        f'<polyline class="kept" points="{_points(xs, kept)}"/>',
    ]
    if m <= 30:
        parts += [_dot("kept", x, y, 2.5) for x, y in zip(xs, kept, strict=True)]
    at = min(max(k, 1), m) - 1
    x = number(xs[at])
    parts += [
        f'<path class="asked" d="M{x} {floor + 1}l-5 8h10z"/>',
        f'<g class="marker"><line x1="{x}" x2="{x}" y1="{top}" y2="{floor}"/>',
        _dot("ceiling", xs[at], ceiling[at], 4),
        _dot("kept", xs[at], kept[at], 6),
        "</g>",
    ]
    label = html.escape(words.chart.format(m))
    return (
        f'<svg class="curve" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def share_axis(left: float, right: float, top: float, floor: float) -> str:
    """Draw the lines of 0 to 100% between two heights."""
    lines = []
    for percent in (0, 25, 50, 75, 100):
        y = number(floor - (floor - top) * percent / 100)
        lines.append(
            f'<line class="grid" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
            f'<text x="{left - 6}" y="{y}" dy=".35em" text-anchor="end">{percent}%</text>'
        )
    return "".join(lines)


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


def round_steps() -> Sequence[int]:
    """Give the distances that ticks may have: 1, 2, 5, 10, ..."""
    return [digit * 10**power for power in range(7) for digit in (1, 2, 5)]


def _points(xs: Sequence[float], ys: Sequence[float]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in zip(xs, ys, strict=True))


def _dot(kind: str, x: float, y: float, radius: float) -> str:
    return f'<circle class="{kind}" cx="{number(x)}" cy="{number(y)}" r="{radius}"/>'


def number(value: float) -> str:
    """Write a coordinate."""
    return f"{value:.1f}".removesuffix(".0")


def shortened(name: str, letters: int = _LABEL_LENGTH) -> str:
    """Write a name for a chart, cut to so many letters."""
    cut = name if len(name) <= letters else name[: letters - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return html.escape(cut)
