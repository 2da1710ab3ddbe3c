"""The axis of shares: straight, zoomed to low shares, or by the logarithm of what is lost.

Where nearly all is explained a straight axis shows a flat line at 100%; what is lost still differs
by factors. Where little can be explained at all it would leave most of the picture empty.
"""

import math
from collections.abc import Sequence

from tamis.rules.pictures import (
    HIGH_SHARE,
    LOW_SHARE,
    MAX_LOSS_TICKS,
    MIN_COLUMN_LOSS,
    MIN_DROPPED,
    MOSTLY,
)
from tamis.values import dataclass

MOST_ABOVE = 0.9  # share that three quarters of a curve exceed where its losses are shown
MIN_LOSS = 1e-6  # below, a loss is rounding
_DIGITS = (1, 2, 2.5, 5, 10)  # of the distances of ticks
MAX_DEPTH = 100  # of the loss at the choice: no smaller loss is on the axis


@dataclass(frozen=True)
class ShareScale:
    """How a share becomes a height from 0 to 1: straight from `low` to `top`, or by what is lost.

    With `least` the height is the logarithm of the loss, from `most` (0) down to `least` (1).

    Examples
    --------
    >>> scale = ShareScale(least=0.001)
    >>> [round(scale.place(share), 2) for share in (0.0, 0.9, 0.99, 1.0)]
    [0.0, 0.33, 0.67, 1.0]
    >>> [text for _, text in scale.ticks]
    ['100% lost', '10% lost', '1% lost', '0.1% lost']
    """

    top: float = 1.0
    least: float | None = None
    most: float = 1.0
    low: float = 0.0

    def place(self, share: float) -> float:
        """Give the height of a share, between 0 and 1."""
        if self.least is None:
            return min(max((share - self.low) / (self.top - self.low), 0.0), 1.0)
        lost = min(max(1.0 - share, self.least), self.most)
        return math.log(self.most / lost) / math.log(self.most / self.least)

    def share_at(self, height: float) -> float:
        """Give the share at a height: the inverse of `place`."""
        if self.least is None:
            return self.low + height * (self.top - self.low)
        return 1.0 - self.most * (self.least / self.most) ** height

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """The heights of lines across the picture, and what is written beside them."""
        if self.least is None:
            width = self.top - self.low
            step = round_up(width / (4 if width == 1.0 else 5), _DIGITS)
            count = round(width / step)
            return [(i / count, f"{100 * (self.low + i * step):.3g}%") for i in range(count + 1)]
        losses = _list_losses(self.most, self.least)
        return [(self.place(1.0 - loss), f"{100 * loss:.4g}% lost") for loss in losses]

    @property
    def note(self) -> str:
        """What a reader must know of it, in a few words; nothing of the usual axis."""
        if self.least is not None:
            return "log scale of what is lost"
        if self.low:
            return f"axis from {100 * self.low:.3g}%"
        return "" if self.top == 1.0 else f"axis up to {100 * self.top:.3g}%"

    @property
    def code(self) -> str:
        """The numbers with which a script draws the same axis."""
        return f"{self.top:.6g} {self.least or 0:.6g} {self.most:.6g} {self.low:.6g}"


WHOLE = ShareScale()


def choose_curve_scale(
    k: int, retained: Sequence[float], bound: Sequence[float], held: Sequence[float] = ()
) -> ShareScale:
    """Choose the axis of a curve: losses where most of it is near 100%.

    `k` columns are the choice, `held` is what else the axis has to show.

    >>> choose_curve_scale(3, [0.8, 0.95, 0.97, 0.98, 0.992], [0.9, 0.96, 0.98, 0.99, 0.995])
    ShareScale(top=1.0, least=0.005, most=0.2, low=0.0)
    >>> choose_curve_scale(2, [0.1, 0.15], [0.12, 0.21]).top
    0.25
    >>> choose_curve_scale(2, [0.5, 0.75], [0.6, 0.8]) == WHOLE
    True
    """
    near = sum(share >= MOST_ABOVE for share in retained)
    if 4 * near > 3 * len(retained):
        at = retained[min(max(k, 1), len(retained)) - 1]
        losses = [1.0 - share for share in (*retained, *bound) if 1.0 - share > MIN_LOSS]
        loss = max(1.0 - at, MIN_LOSS)
        least = max(min([loss / 5, *losses]), loss / MAX_DEPTH, MIN_LOSS)
        most = max(1.0 - min([*retained, *held]), 10 * least)
        # What is rounded up in the denominator is rounded down.
        return ShareScale(least=1.0 / round_up(1.0 / least), most=min(round_up(most), 1.0))
    return _zoom(max([*retained, *bound, *held], default=1.0))


def choose_column_scale(shares: Sequence[float]) -> ShareScale:
    """Choose the axis for how much is explained of each dropped column.

    >>> choose_column_scale([0.99, 0.98, 0.999, 0.97]).note
    'log scale of what is lost'
    >>> choose_column_scale([0.05, 0.1, 0.12, 0.02]).top
    0.125
    >>> choose_column_scale([0.65, 0.7, 0.9, 0.8]).note
    'axis from 60%'
    """
    if not shares:
        return WHOLE
    near = sum(share >= MOSTLY for share in shares)
    if len(shares) >= MIN_DROPPED and 4 * near >= 3 * len(shares):
        most = max(1.0 - min(shares), 10 * MIN_COLUMN_LOSS)
        return ShareScale(least=MIN_COLUMN_LOSS, most=min(round_up(most), 1.0))
    return _zoom(max(shares), min(shares))


def _zoom(highest: float, least: float = 0.0) -> ShareScale:
    """End the axis at a low share, or begin it near a high one."""
    if 0 < highest < LOW_SHARE:
        step = round_up(highest / 5, _DIGITS)
        return ShareScale(top=float(f"{step * math.ceil(highest / step - 1e-9):.6g}"))
    return ShareScale(low=min(math.floor(10 * least) / 10, 0.9)) if least >= HIGH_SHARE else WHOLE


def _list_losses(most: float, least: float) -> list[float]:
    """Give the losses at which an axis has ticks, the largest first.

    >>> _list_losses(0.5, 0.01)
    [0.5, 0.2, 0.1, 0.05, 0.02, 0.01]
    """
    last = math.floor(math.log10(least) + 1e-9)
    every = [float(f"{d}e{power}") for power in range(0, last - 1, -1) for d in (5, 2, 1)]
    there = [loss for loss in every if least * (1 - 1e-9) <= loss <= most * (1 + 1e-9)]
    tens = [loss for loss in there if f"{loss:e}".startswith("1")]
    return there if len(there) <= MAX_LOSS_TICKS else tens


def round_up(value: float, digits: Sequence[float] = (1, 2, 5, 10)) -> float:
    """Give the next of these digits times a power of ten that is no smaller.

    >>> round_up(0.3), round_up(2.1, (1, 2, 2.5, 5, 10))
    (0.5, 2.5)
    """
    power = 10.0 ** math.floor(math.log10(value) + 1e-9)
    digit = next(digit for digit in digits if power * digit >= value * (1 - 1e-9))
    return float(f"{power * digit:.6g}")


def list_ticks(low: float, high: float, distance: float, digits: Sequence[float]) -> list[float]:
    """Give round numbers around a range, two at least, about so far apart.

    >>> list_ticks(0.62, 0.91, 0.07, (1, 2, 5, 10))
    [0.6, 0.7, 0.8, 0.9, 1.0]
    """
    step = round_up(distance, digits)
    start, end = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{i * step:.10g}") for i in range(start, max(end, start + 1) + 1)]


def round_steps() -> Sequence[int]:
    """Give the distances that ticks may have: 1, 2, 5, 10, ..."""
    return [digit * 10**power for power in range(7) for digit in (1, 2, 5)]


def count_ticks(count: int, most: float) -> list[int]:
    """Give the numbers from 1 to a count that stand under an axis with room for so many.

    >>> count_ticks(9, 10), count_ticks(70, 8)
    ([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 10, 20, 30, 40, 50, 60, 70])
    """
    step = next(step for step in round_steps() if count / step <= most)
    return sorted({1, *range(step, count + 1, step)})


def axis_ticks(low: float, high: float, *, powers: bool = False) -> list[float]:
    """Give the ticks of an axis, its ends among them; `powers` of ten at integers.

    >>> axis_ticks(1, 9)
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    """
    if powers:
        first, last = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
        step = max(1, (last - first) // 4)
        return [float(power) for power in range(first, last + step, step)]
    return list_ticks(low, high, max(high - low, 1e-3) / 4, _DIGITS)
