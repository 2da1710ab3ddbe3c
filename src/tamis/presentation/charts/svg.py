"""What the drawings share: how a coordinate and a name are written, and the axis of shares."""

import html
from collections.abc import Sequence

from tamis.presentation.drawings.share_scale import WHOLE, ShareScale
from tamis.presentation.prose.names import cut

__all__ = ["free_spot", "number", "share_axis", "shorten_label", "without_middle"]

_LABEL_LENGTH = 17


def share_axis(
    left: float, right: float, top: float, floor: float, scale: ShareScale = WHOLE
) -> str:
    """Draw the lines of an axis of shares between two heights."""
    lines = []
    for height, text in scale.ticks:
        y = number(floor - (floor - top) * height)
        lines.append(
            f'<line class="grid" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
            f'<text x="{left - 6}" y="{y}" dy=".35em" text-anchor="end">{text}</text>'
        )
    return "".join(lines)


def free_spot(
    spots: Sequence[tuple[float, float, float, float]], points: Sequence[tuple[float, float]]
) -> int:
    """Choose the first of some boxes (left, top, right, bottom) that holds the fewest points.

    >>> free_spot([(0, 0, 9, 9), (20, 0, 29, 9)], [(5, 5), (8, 2), (40, 40)])
    1
    """

    def held(spot: tuple[float, float, float, float]) -> int:
        left, top, right, bottom = spot
        return sum(left <= x <= right and top <= y <= bottom for x, y in points)

    counts = [held(spot) for spot in spots]
    return counts.index(min(counts))


def number(value: float) -> str:
    """Write a coordinate."""
    return f"{value:.1f}".removesuffix(".0")


def shorten_label(name: str, letters: int = _LABEL_LENGTH) -> str:
    """Write a name for a chart, cut to so many letters."""
    short = name if len(name) <= letters else name[: letters - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return html.escape(short)


def without_middle(name: str, letters: int = _LABEL_LENGTH) -> str:
    """Write a name for a chart with both its ends: long questions often begin alike."""
    return html.escape(cut(name, letters))
