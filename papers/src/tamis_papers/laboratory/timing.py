"""Processor time of a piece of work, and how it grows with the size of the table.

Times differ from run to run: what is made of them is shown, and judged only by factors and powers
far beyond that.
"""

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["measure_power", "measure_seconds"]


def measure_seconds(work: Callable[[], Any], repeats: int = 3) -> float:
    """Give the least processor time of some repetitions: what disturbs a run only adds to it."""
    least = math.inf
    for _ in range(repeats):
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return least


def measure_power(seconds: Mapping[int, float]) -> float:
    """Give the power of the size that the time grows with, between the two largest sizes.

    >>> measure_power({10: 0.7, 100: 2.0, 200: 8.0})
    2.0
    """
    small, large = sorted(seconds)[-2:]
    return math.log(seconds[large] / seconds[small]) / math.log(large / small)
