"""The share of each component as a bar, and their running total as points, joined where many."""

import html
from collections.abc import Sequence
from itertools import accumulate

from tamis.presentation.charts.svg import number, share_axis
from tamis.presentation.drawings.axis_ticks import round_steps

__all__ = ["MAX_UNJOINED", "share_chart"]

MAX_UNJOINED = 4  # points: a line between two or three would promise values in between


def share_chart(
    shares: Sequence[float], label: str, thing: str, *, width: int = 720, height: int = 240
) -> str:
    """Draw the shares from 0 to 100%, with each `thing` counted as in its name, from 1."""
    left, right, top, floor = 42, 12, 10, height - 46
    slot = (width - left - right) / len(shares)
    wide = min(slot * 0.7, 56)
    middles = [left + slot * (i + 0.5) for i in range(len(shares))]

    def level(share: float) -> float:
        return floor - (floor - top) * min(max(share, 0.0), 1.0)

    bars = "".join(
        f'<rect class="held" x="{number(x - wide / 2)}" y="{number(level(share))}" '
        f'width="{wide:.2f}" height="{number(floor - level(share))}"/>'
        for x, share in zip(middles, shares, strict=True)
    )
    sums = [level(total) for total in accumulate(shares)]
    points = " ".join(f"{number(x)},{number(y)}" for x, y in zip(middles, sums, strict=True))
    dots = "".join(
        f'<circle cx="{number(x)}" cy="{number(y)}" r="3.5"/>'
        for x, y in zip(middles, sums, strict=True)
        if slot >= 14
    )
    line = f'<polyline points="{points}"/>' if len(shares) > MAX_UNJOINED else ""
    return (
        f'<svg class="shares" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{html.escape(label)}">{share_axis(left, width - right, top, floor)}{bars}'
        f"{line}{dots}{_counts(middles, floor, width, thing)}</svg>"
    )


def _counts(middles: Sequence[float], floor: float, width: float, thing: str) -> str:
    step = next(s for s in round_steps() if len(middles) / s <= width / 40)
    texts = "".join(
        f'<text x="{number(middles[i - 1])}" y="{floor + 18}" text-anchor="middle">{i}</text>'
        for i in sorted({1, *range(step, len(middles) + 1, step)})
    )
    middle = number((middles[0] + middles[-1]) / 2)
    return f'{texts}<text x="{middle}" y="{floor + 38}" text-anchor="middle">{thing}</text>'
