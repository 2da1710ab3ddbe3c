"""Classes with equal means: rounding noise is no direction."""

import numpy as np
import pytest

from tamis.algorithms.extraction.kernels import kernel_discriminants
from tamis.algorithms.extraction.lda import discriminants, local_discriminants
from tamis.errors import TamisError

WAYS = {
    **{s: lambda X, y, s=s: discriminants(X, y, solver=s) for s in ("auto", "svd", "pca+lda")},
    "scaled": lambda X, y: discriminants(X, y, scale=True),
    "kda": lambda X, y: kernel_discriminants(X, y, kernel="linear"),
    "kda unscaled": lambda X, y: kernel_discriminants(X, y, kernel="linear", scale=False),
    "lfda": lambda X, y: local_discriminants(X, y, affinity="constant"),
}


def same_means(seed, n, d, offset, spread=1.0):
    """Give two classes that hold the same rows in another order, in awkward decimals."""
    rng = np.random.default_rng(seed)
    rows = offset + spread * rng.standard_normal((n, d)).round(3)
    return np.vstack([rows, rows[rng.permutation(n)]]), np.repeat([0, 1], n)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", [(60, 3), (500, 7), (8, 40)], ids=str)
@pytest.mark.parametrize("offset", [0.1, 1e6])
def test_classes_of_equal_means_are_refused_not_separated_by_rounding(way, shape, offset):
    for seed in range(3):
        X, y = same_means(seed, *shape, offset)
        with pytest.raises(TamisError, match="equal up to rounding, so no direction separates"):
            WAYS[way](X, y)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_a_small_but_real_difference_of_means_is_found(way, unit):
    X, y = same_means(0, 60, 3, 0.1)
    X[:, 1] += 1e-4 * y
    found = WAYS[way](X * unit, y)
    scores = found.project(X * unit)[:, 0]
    assert found.size >= 1
    gap = scores[y == 1].mean() - scores[y == 0].mean()
    assert abs(gap) > 1e-5 * scores.std()


def test_a_difference_that_the_leading_components_do_not_hold_is_no_direction():
    """The classes differ along a third column only, which `pca+lda` leaves out here."""
    X, y = same_means(0, 3, 8, 0.1)
    wide = np.column_stack([100 * X, 1e-3 * y])
    assert discriminants(wide, y).size == 1
    with pytest.raises(TamisError, match="no direction separates"):
        discriminants(wide, y, solver="pca+lda")
