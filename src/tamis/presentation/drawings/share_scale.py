"""The axis of shares: straight, zoomed to low shares, or by the logarithm of what is lost.

Where nearly all is explained a straight axis shows a flat line at 100%; what is lost still differs
by factors. Where little can be explained at all it would leave most of the picture empty.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["WHOLE", "ShareScale", "choose_column_scale", "choose_curve_scale"]

NEAR = 0.97  # share explained from which the losses are shown
MOSTLY = 0.95  # share explained by half of the numbers of columns, or of most columns, beside it
LOW = 0.6  # share below which the axis ends at the ceiling
MIN_LOSS = 1e-6  # below, a loss is rounding
MIN_COLUMN_LOSS = 1e-3  # shares of single columns are stored in thousandths
MIN_DROPPED = 4  # columns, of which a scale is chosen


@dataclass(frozen=True)
class ShareScale:
    """How a share becomes a height from 0 to 1: straight from 0 to `top`, or by what is lost.

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

    def place(self, share: float) -> float:
        """Give the height of a share, between 0 and 1."""
        if self.least is None:
            return min(max(share / self.top, 0.0), 1.0)
        lost = min(max(1.0 - share, self.least), self.most)
        return math.log(self.most / lost) / math.log(self.most / self.least)

    def share_at(self, height: float) -> float:
        """Give the share at a height: the inverse of `place`."""
        if self.least is None:
            return height * self.top
        return 1.0 - self.most * (self.least / self.most) ** height

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """The heights of lines across the picture, and what is written beside them."""
        if self.least is None:
            step = _round_step(self.top)
            count = round(self.top / step)
            return [(i / count, f"{100 * i * step:.3g}%") for i in range(count + 1)]
        decades = round(math.log10(self.most / self.least))
        digits = (1.0,) if decades > 1 else (1.0, 0.5, 0.2)
        losses = [self.most * digit / 10**i for i in range(decades + 1) for digit in digits]
        shown = [loss for loss in losses if loss >= self.least * (1 - 1e-9)]
        return [(self.place(1.0 - loss), f"{100 * loss:.4g}% lost") for loss in shown]

    @property
    def note(self) -> str:
        """What a reader must know of it, in a few words; nothing of the usual axis."""
        if self.least is not None:
            return "log scale of what is lost"
        return "" if self.top == 1.0 else f"axis up to {100 * self.top:.3g}%"

    @property
    def code(self) -> str:
        """The numbers with which a script draws the same axis."""
        return f"{self.top:.6g} {self.least or 0:.6g} {self.most:.6g}"


WHOLE = ShareScale()


def choose_curve_scale(
    k: int, retained: Sequence[float], bound: Sequence[float], high: Sequence[float] = ()
) -> ShareScale:
    """Choose the axis of a curve by what `k` columns explain; `high` is the top of a band.

    >>> choose_curve_scale(3, [0.8, 0.97, 0.992], [0.9, 0.98, 0.995])
    ShareScale(top=1.0, least=0.001, most=1.0)
    >>> choose_curve_scale(2, [0.1, 0.15], [0.12, 0.21]).top
    0.25
    >>> choose_curve_scale(2, [0.5, 0.75], [0.6, 0.8]) == WHOLE
    True
    """
    at = retained[min(max(k, 1), len(retained)) - 1] if retained else 0.0
    near = sum(share >= MOSTLY for share in retained)
    if at >= NEAR and 2 * near >= len(retained):
        loss = max(1.0 - at, MIN_LOSS)
        first = max(1.0 - min(retained), 10 * loss)
        return ShareScale(least=_power_below(max(loss / 5, MIN_LOSS)), most=_power_above(first))
    return _zoom(max([*retained, *bound, *high], default=1.0))


def choose_column_scale(shares: Sequence[float]) -> ShareScale:
    """Choose the axis for how much is explained of each dropped column.

    >>> choose_column_scale([0.99, 0.98, 0.999, 0.97]).note
    'log scale of what is lost'
    >>> choose_column_scale([0.05, 0.1, 0.12, 0.02]).top
    0.125
    """
    if len(shares) < MIN_DROPPED:
        return WHOLE
    near = sum(share >= MOSTLY for share in shares)
    if 4 * near >= 3 * len(shares):
        return ShareScale(least=MIN_COLUMN_LOSS, most=_power_above(1.0 - min(shares)))
    return _zoom(max(shares))


def _zoom(highest: float) -> ShareScale:
    if highest >= LOW or highest <= 0:
        return WHOLE
    step = _round_step(highest)
    return ShareScale(top=float(f"{step * math.ceil(highest / step - 1e-9):.6g}"))


def _round_step(width: float) -> float:
    """Give the distance of four or five ticks: 1, 2, 2.5 or 5 times a power of ten."""
    raw = width / (4 if width == 1.0 else 5)
    power = 10.0 ** math.floor(math.log10(raw) + 1e-9)
    return next(power * digit for digit in (1, 2, 2.5, 5, 10) if power * digit >= raw * (1 - 1e-9))


def _power_below(value: float) -> float:
    return float(f"1e{math.floor(math.log10(value) + 1e-9)}")


def _power_above(value: float) -> float:
    return min(float(f"1e{math.ceil(math.log10(max(value, 0.01)) - 1e-9)}"), 1.0)
