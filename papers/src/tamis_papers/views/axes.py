"""Axes of a drawing: their ends, their ticks, and how a coordinate is written."""

import math
from collections.abc import Sequence

__all__ = ["choose_range", "list_steps", "write_number"]

_TICKS = (1, 2, 2.5, 5, 10)


def list_steps() -> Sequence[int]:
    """Give the distances that ticks of integers may have: 1, 2, 5, 10, ..."""
    return [digit * 10**power for power in range(7) for digit in (1, 2, 5)]


def choose_range(low: float, high: float) -> tuple[float, float, list[float]]:
    """Give the ends of an axis and its ticks.

    >>> choose_range(1, 9)
    (0.0, 10.0, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0])
    """
    raw = max(high - low, 1e-3) / 4
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * digit for digit in _TICKS if power * digit >= raw * (1 - 1e-9))
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    return first * step, last * step, [step * i for i in range(first, last + 1)]


def write_number(value: float) -> str:
    """Write a coordinate.

    >>> write_number(2.04), write_number(2.06)
    ('2', '2.1')
    """
    return f"{value:.1f}".removesuffix(".0")
