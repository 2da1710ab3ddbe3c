"""What the drawings share: how a coordinate and a name are written, and the axis of shares."""

import html
import math
from collections.abc import Sequence

from tamis.presentation.prose.names import cut

__all__ = ["axis_range", "number", "round_steps", "share_axis", "shortened", "without_middle"]

_LABEL_LENGTH = 17
_TICKS = (1, 2, 2.5, 5, 10)


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


def round_steps() -> Sequence[int]:
    """Give the distances that ticks may have: 1, 2, 5, 10, ..."""
    return [digit * 10**power for power in range(7) for digit in (1, 2, 5)]


def axis_range(low: float, high: float, *, whole: bool = False) -> tuple[float, float, list[float]]:
    """Give the ends of an axis and its ticks; `whole` for powers of ten.

    >>> axis_range(1, 9)
    (0.0, 10.0, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0])
    """
    if whole:
        first, last = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
        powers = range(first, last + 1, max(1, (last - first) // 4))
        return first, last, [float(tick) for tick in powers]
    raw = max(high - low, 1e-3) / 4
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * digit for digit in _TICKS if power * digit >= raw * (1 - 1e-9))
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    return first * step, last * step, [step * i for i in range(first, last + 1)]


def number(value: float) -> str:
    """Write a coordinate."""
    return f"{value:.1f}".removesuffix(".0")


def shortened(name: str, letters: int = _LABEL_LENGTH) -> str:
    """Write a name for a chart, cut to so many letters."""
    short = name if len(name) <= letters else name[: letters - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return html.escape(short)


def without_middle(name: str, letters: int = _LABEL_LENGTH) -> str:
    """Write a name for a chart with both its ends: long questions often begin alike."""
    return html.escape(cut(name, letters))
