"""Draw a scene as inline SVG, and colours as a PNG image within it."""

import base64
import html
import struct
import zlib
from collections.abc import Mapping, Sequence

from tamis.presentation.scenes.scene import Mark, Point, Scene
from tamis.rules.pictures import LABEL_LETTERS

Colour = tuple[int, int, int]


def draw_svg(scene: Scene) -> str:
    """Draw a scene in pixels."""
    size = f"{number(scene.width)} {number(scene.height)}"
    return (
        f'<svg class="{scene.role}" viewBox="0 0 {size}"{_attributes(scene.more)} role="img" '
        f'aria-label="{html.escape(scene.about)}">{draw_marks(scene.marks)}</svg>'
    )


def draw_marks(marks: Sequence[Mark]) -> str:
    """Draw marks as elements."""
    return "".join(map(_draw_mark, marks))


def _draw_mark(mark: Mark) -> str:
    look = (f' class="{mark.role}"' if mark.role else "") + _attributes(mark.more)
    title = f"<title>{html.escape(mark.label)}</title>" if mark.label else ""
    points = [(number(x), number(y)) for x, y in mark.points]
    match mark.shape:
        case "line":
            dots = [Mark("dot", mark.role, (point,), size=mark.size) for point in mark.points]
            return f'<polyline{look} points="{_join(points)}"/>' + (
                draw_marks(dots) if mark.size else ""
            )
        case "band":
            return f'<polygon{look} points="{_join(points)}"/>'
        case "rule":
            (x, y), (u, v) = points
            return f'<line{look} x1="{x}" x2="{u}" y1="{y}" y2="{v}"/>'
        case "path":
            runs = "".join(_draw_run(run) + mark.text for run in mark.runs)
            return f'<path{look} d="{runs}"/>'
        case "glyph":
            return f'<path{look} d="{mark.text}"/>'
        case "defs":
            return f"<defs>{draw_marks(mark.marks)}</defs>"
        case "group":
            return f"<g{look}>{title}{draw_marks(mark.marks)}</g>"
    x, y = points[0]
    if mark.shape == "dot":
        return f'<circle{look} cx="{x}" cy="{y}" r="{mark.size:g}"/>'
    if mark.shape == "use":
        return f'<use href="#{mark.text}" x="{x}" y="{y}"/>'
    if mark.shape == "text":
        return f'<text{look} x="{x}" y="{y}">{html.escape(mark.text)}</text>'
    (left, top), (right, floor) = mark.points
    box = f'x="{x}" y="{y}" width="{number(right - left)}" height="{number(floor - top)}"'
    if mark.shape == "image":
        href = f'href="data:image/png;base64,{mark.text}"'
        return f'<image{look} {box} preserveAspectRatio="none" {href}/>'
    return f"<rect{look} {box}>{title}</rect>" if title else f"<rect{look} {box}/>"


def _draw_run(run: Sequence[Point]) -> str:
    """Write one line of a path, level and upright steps by one coordinate."""
    (x, y), *rest = ((number(x), number(y)) for x, y in run)
    steps = f"M{x} {y}"
    for u, v in rest:
        steps += f"V{v}" if u == x else f"H{u}" if v == y else f"L{u} {v}"
        x, y = u, v
    return steps


def _join(points: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _attributes(more: Mapping[str, str | float]) -> str:
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())


def number(value: float) -> str:
    """Write a coordinate."""
    return f"{value:.1f}".removesuffix(".0")


def shorten_label(name: str, letters: int = LABEL_LETTERS) -> str:
    """Cut a name to so many letters at its end."""
    return name if len(name) <= letters else name[: letters - 1] + "\N{HORIZONTAL ELLIPSIS}"


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
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def encode_png(png: bytes) -> str:
    """Write an image in letters."""
    return base64.b64encode(png).decode("ascii")
