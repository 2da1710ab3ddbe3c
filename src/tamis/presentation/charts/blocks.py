"""A table in the order of its clusters as a heat map, with a frame around every cluster."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from tamis.presentation.charts.heat import heat_png
from tamis.presentation.charts.svg import number, shorten_label

__all__ = ["block_map"]

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
