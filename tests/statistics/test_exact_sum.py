from fractions import Fraction

import numpy as np

from tamis.statistics.moments import exact_sum


def test_sum_and_rest_together_are_exact_at_any_scale():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 200)) * 10.0 ** rng.integers(-20, 20, size=(2, 200))
    total, rest = exact_sum(a, b)
    for x, y, t, r in zip(a, b, total, rest, strict=True):
        assert Fraction(t) + Fraction(r) == Fraction(x) + Fraction(y)
        assert t == x + y
