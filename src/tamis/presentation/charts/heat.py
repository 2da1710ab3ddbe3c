"""Heat maps of similarity: palette PNG images inside inline SVG."""

import base64
import html
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from tamis.presentation.charts.svg import number, shorten_label, without_middle
from tamis.presentation.drawings.map_drawing import ColourRange, MapDrawing
from tamis.presentation.prose.words import VARIANCE, Words

__all__ = [
    "block_map",
    "colour_scale",
    "diverging_palette",
    "heat_map",
    "heat_png",
    "means_chart",
    "palette_png",
]

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


_MAX_LABELLED_COLUMNS = 48  # more columns than this have no room for names
_BLOCK_ROW_HEIGHT = 14  # of a column with a name
_LEAST, _MOST = 4, 400  # height of a column without one, and of all of them
_BLOCK_LETTER_WIDTH = 6.4
_TAG_WIDTH = 15


def block_map(picture: Mapping[str, Any], *, width: int) -> str:
    """Draw columns as lines and rows of the table from left to right, clusters framed and numbered.

    Examples
    --------
    >>> picture = {"values": [[100, 0], [0, -9]], "columns": ["a", "b"], "frames": [[[0, 1, 0, 1]]]}
    >>> block_map(picture, width=340).count("<rect")
    2
    """
    names, values, frames = picture["columns"], picture["values"], picture["frames"]
    down, across = len(values), len(values[0])
    letters = min(max(map(len, names)), 24 if width > 500 else 13)
    left = round(_BLOCK_LETTER_WIDTH * letters) + 8 if down <= _MAX_LABELLED_COLUMNS else 0
    each = _BLOCK_ROW_HEIGHT if left else max(min(_MOST / down, _BLOCK_ROW_HEIGHT), 1)
    step = (width - left - 2) / across
    boxes = [[_box(frame, left, step, each) for frame in cluster] for cluster in frames]
    image = base64.b64encode(heat_png(values)).decode("ascii")
    return (
        f'<svg class="blocks" viewBox="0 0 {width} {number(each * down + 2)}" role="img" '
        f'aria-label="Heat map of the table in the order of {len(frames)} clusters">'
        f"{_names(names, left, each) if left else ''}"
        f'<image class="diverging" x="{left + 1}" y="1" width="{number(step * across)}" '
        f'height="{number(each * down)}" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{image}"/>'
        f"{''.join(_frame(box) for cluster in boxes for box in cluster)}"
        f"{''.join(_tag(i, cluster) for i, cluster in enumerate(boxes, start=1) if cluster)}</svg>"
    )


def _names(names: Sequence[str], left: int, each: float) -> str:
    letters = int((left - 8) / _BLOCK_LETTER_WIDTH)
    heights = [number(1 + each * (line + 0.5)) for line in range(len(names))]
    return "".join(
        f'<text x="{left - 5}" y="{y}">{shorten_label(name, letters)}</text>'
        for y, name in zip(heights, names, strict=True)
    )


def _box(frame: Sequence[int], left: int, step: float, each: float) -> tuple[float, ...]:
    """Give the left, the top, the width and the height of a frame."""
    start, end, first, last = frame
    return left + 1 + step * start, 1 + each * first, step * (end - start), each * (last - first)


def _frame(box: Sequence[float]) -> str:
    x, y, wide, high = map(number, box)
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}"/>'


def _tag(cluster: int, boxes: Sequence[Sequence[float]]) -> str:
    """Write the number of a cluster into the corner of its largest part."""
    x, y, *_ = max(boxes, key=lambda box: box[2] * box[3])
    wide = _TAG_WIDTH + 7 * (len(str(cluster)) - 1)
    return (
        f'<g class="tag"><rect x="{number(x)}" y="{number(y)}" width="{wide}" '
        f'height="{_TAG_WIDTH}"/>'
        f'<text x="{number(x + wide / 2)}" y="{number(y + _TAG_WIDTH / 2)}">{cluster}</text></g>'
    )


_HEIGHT, _HEAD = 26, 40
_MEANS_LETTER_WIDTH = 6.6
_END = 2.0  # standard deviations at which the colours end
_MAX_MEANS_DRAWN = 30  # more are not drawn


def means_chart(
    columns: Sequence[str], means: Sequence[Sequence[float]], sizes: Sequence[int], width: int
) -> str:
    """Draw the mean of each column in each cluster, in standard deviations of all rows.

    >>> means_chart(["width"], [[-1.0], [2.0]], [20, 10], 340).count("<rect")
    2
    """
    columns = columns[:_MAX_MEANS_DRAWN]
    longest = max(map(len, columns))
    left = min(_MEANS_LETTER_WIDTH * longest + 14, 0.4 * width)
    side = min((width - left) / len(sizes), 110)
    palette = diverging_palette(201)
    parts = []
    for cluster, (size, values) in enumerate(zip(sizes, means, strict=True)):
        x = left + side * cluster
        middle = number(x + side / 2)
        parts.append(
            f'<text class="name" x="{middle}" y="14" text-anchor="middle">{cluster + 1}</text>'
            f'<text x="{middle}" y="31" text-anchor="middle">{size:,}</text>'
        )
        parts += [
            _cell(x, row, side, value, palette)
            for row, value in enumerate(values[:_MAX_MEANS_DRAWN])
        ]
    names = "".join(
        f'<text x="{number(left - 8)}" y="{number(_HEAD + _HEIGHT * (row + 0.5))}" dy=".35em" '
        f'text-anchor="end">{shorten_label(name, int((left - 12) / _MEANS_LETTER_WIDTH))}</text>'
        for row, name in enumerate(columns)
    )
    heads = (
        f'<text x="{number(left - 8)}" y="14" text-anchor="end">cluster</text>'
        f'<text x="{number(left - 8)}" y="31" text-anchor="end">rows</text>'
    )
    height = _HEAD + _HEIGHT * len(columns)
    label = f"Means of {len(columns)} columns in {len(sizes)} clusters"
    return (
        f'<svg class="means" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
        f"{heads}{names}{''.join(parts)}</svg>"
    )


def _cell(
    x: float, row: int, side: float, value: float, palette: Sequence[tuple[int, int, int]]
) -> str:
    """Draw one field with its number, dark on light or light on dark."""
    level = round(100 * min(max(value / _END, -1.0), 1.0))
    y = _HEAD + _HEIGHT * row
    ink = "#ffffff" if abs(level) > 65 else "#24282c"
    sign = "\N{MINUS SIGN}" if round(value, 1) < 0 else ""
    return (
        f'<g class="diverging"><rect x="{number(x + 1)}" y="{y + 1}" width="{number(side - 2)}" '
        f'height="{_HEIGHT - 2}" fill="#{bytes(palette[level + 100]).hex()}"/>'
        f'<text x="{number(x + side / 2)}" y="{y + _HEIGHT / 2}" dy=".35em" text-anchor="middle" '
        f'style="fill:{ink}">{sign}{abs(value):.1f}</text></g>'
    )
