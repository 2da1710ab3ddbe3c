"""What the drawings share: how a coordinate and a name are written, and the axis of shares."""

import html
from collections.abc import Sequence

__all__ = ["number", "round_steps", "share_axis", "shortened"]

_LABEL_LENGTH = 17


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


def number(value: float) -> str:
    """Write a coordinate."""
    return f"{value:.1f}".removesuffix(".0")


def shortened(name: str, letters: int = _LABEL_LENGTH) -> str:
    """Write a name for a chart, cut to so many letters."""
    cut = name if len(name) <= letters else name[: letters - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return html.escape(cut)
