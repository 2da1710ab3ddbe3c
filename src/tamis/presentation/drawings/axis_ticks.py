"""Where the ticks of an axis stand."""

import math
from collections.abc import Sequence

__all__ = ["axis_range", "round_steps"]

_TICK_STEPS = (1, 2, 2.5, 5, 10)


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
    step = next(power * digit for digit in _TICK_STEPS if power * digit >= raw * (1 - 1e-9))
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    return first * step, last * step, [step * i for i in range(first, last + 1)]
