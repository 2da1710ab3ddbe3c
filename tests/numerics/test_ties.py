import numpy as np
import pytest

from tamis.numerics.ties import first_best, last_best


@pytest.mark.parametrize(
    ("score", "first", "last"),
    [
        ([1.0, 3.0, 3.0 * (1 - 1e-12), 2.0], 1, 2),
        ([3.0, 3.0 * (1 - 1e-6)], 0, 0),  # further apart than rounding
        ([-5.0, -5.0 * (1 + 1e-12), -7.0], 0, 1),
        ([-np.inf, 0.0, -np.inf], 1, 1),
        ([0.0, 0.0], 0, 1),
    ],
)
def test_scores_that_differ_by_rounding_are_equal(score, first, last):
    assert (first_best(np.array(score)), last_best(np.array(score))) == (first, last)
