"""Sums that lose nothing to rounding."""

from tamis.numerics.types import Floats


def exact_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Add two numbers without loss: the rounded sum, and the rounding error.

    Examples
    --------
    >>> import numpy as np
    >>> total, rest = exact_sum(np.array([1e16]), np.array([1.0]))
    >>> total.tolist(), rest.tolist()
    ([1e+16], [1.0])
    """
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)
