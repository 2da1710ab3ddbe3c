"""Heat maps of similarity: palette PNG images inside inline SVG."""

import base64
import html
import struct
import zlib
from collections.abc import Sequence

from tamis.presentation.charts.svg import number, without_middle
from tamis.presentation.drawings.map_drawing import ColourRange, MapDrawing
from tamis.presentation.prose.words import VARIANCE, Words

__all__ = ["colour_scale", "diverging_palette", "heat_map", "heat_png", "palette_png"]

Colour = tuple[int, int, int]

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
_MAX_LABELLED_ROWS = 24  # a heat map with more rows than this has no room for names
_GUTTER = 112


def diverging_palette(levels: int = 201) -> list[Colour]:
    """Return `levels` colours (red, green, blue) from blue over white to red.

    >>> diverging_palette(3)
    [(33, 102, 172), (247, 247, 247), (178, 24, 43)]
    """
    ends = len(_STOPS) - 1
    return [_mix_colours(ends * level / (levels - 1)) for level in range(levels)]


def _mix_colours(at: float) -> Colour:
    """Mix the two stops on either side of a point."""
    low = min(int(at), len(_STOPS) - 2)
    pairs = zip(_STOPS[low], _STOPS[low + 1], strict=True)
    red, green, blue = (round(a + (at - low) * (b - a)) for a, b in pairs)
    return red, green, blue


def palette_png(
    pixels: Sequence[Sequence[int]], palette: Sequence[Colour], alphas: Sequence[int] = ()
) -> bytes:
    """Encode a matrix of palette positions as an 8-bit PNG image; `alphas` say how opaque."""
    height, width = len(pixels), len(pixels[0])
    rows = b"".join(b"\0" + bytes(row) for row in pixels)  # each row starts with filter type 0
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", b"".join(map(bytes, palette))),
        *([(b"tRNS", bytes(alphas))] if alphas else []),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def heat_png(values: Sequence[Sequence[int]]) -> bytes:
    """Encode similarity in hundredths (-100..100) as a PNG, one pixel each."""
    pixels = [[min(max(value, -100), 100) + 100 for value in row] for row in values]
    return palette_png(pixels, diverging_palette(201))


def heat_map(drawing: MapDrawing) -> str:
    """Draw a matrix of similarity as SVG, with names where they fit and ticks at marked rows."""
    n = len(drawing.names)
    side = 360 - _GUTTER
    colours = drawing.colours
    shades = [[colours.place(value) for value in row] for row in drawing.values]
    image = base64.b64encode(heat_png(_mute_diagonal(shades))).decode("ascii")
    names = "".join(
        f'<text x="{_GUTTER - 10}" y="{number(side * (row + 0.5) / n)}">'
        f"{without_middle(name)}</text>"
        for row, name in enumerate(drawing.names)
        if n <= _MAX_LABELLED_ROWS
    )
    each = side / max(n, 1)
    ticks = "".join(
        f"M{_GUTTER - 7} {number(each * (row + 0.5))}h5"
        for row, is_kept in enumerate(drawing.marked)
        if is_kept
    )
    about = html.escape(drawing.about)
    return (
        f'<svg class="heat" viewBox="0 0 360 {side}" data-colours="{colours.code}" '
        f'role="img" aria-label="{about}">'
        f'<g class="names">{names}</g><path class="ticks" d="{ticks}"/>'
        f'<image class="diverging" x="{_GUTTER}" y="0" width="{side}" height="{side}" '
        f'preserveAspectRatio="none" href="data:image/png;base64,{image}"/>'
        f'<rect class="cursor" x="0" y="0" width="0" height="0"/></svg>'
    )


def _mute_diagonal(values: Sequence[Sequence[int]]) -> list[list[int]]:
    """Leave the diagonal white: every column is like itself."""
    return [[0 if i == j else value for j, value in enumerate(row)] for i, row in enumerate(values)]


def colour_scale(words: Words = VARIANCE, reach: ColourRange | None = None) -> str:
    """Draw the legend of the heat maps: all colours, or their upper half where none are below."""
    reach = reach or ColourRange()
    upper = words.lowest >= 0 or reach.low is not None
    colours = _STOPS[len(_STOPS) // 2 :] if upper else _STOPS
    stops = "".join(
        f'<stop offset="{100 * place / (len(colours) - 1)}%" stop-color="#{bytes(stop).hex()}"/>'
        for place, stop in enumerate(colours)
    )
    high, low = reach.high / 100, (reach.low or 0) / 100 if upper else -reach.high / 100
    ends = [f"{end:g}".replace("-", "\N{MINUS SIGN}") for end in (low, (low + high) / 2, high)]
    if reach.beyond:
        ends[2] = f"\N{GREATER-THAN OR EQUAL TO} {ends[2]}"
        ends[0] = ends[0] if upper else f"\N{LESS-THAN OR EQUAL TO} {ends[0]}"
    return (
        '<svg class="scale" viewBox="0 0 240 30" role="img" '
        f'aria-label="{html.escape(words.scale)}">'
        f'<defs><linearGradient id="diverging">{stops}</linearGradient></defs>'
        '<rect class="diverging" x="8" y="0" width="224" height="12" fill="url(#diverging)"/>'
        f'<text x="8" y="26" text-anchor="start">{ends[0]}</text>'
        f'<text x="120" y="26" text-anchor="middle">{ends[1]}</text>'
        f'<text x="232" y="26" text-anchor="end">{ends[2]}</text></svg>'
    )
