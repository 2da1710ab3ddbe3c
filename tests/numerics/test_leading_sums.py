"""Sums over the largest eigenpairs without a row, against those of the pairs themselves."""

import numpy as np
import pytest

from tamis.numerics.secular import WithoutEachRow, sum_leading


def decompose(seed, size=80, factors=30):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((300, factors)) @ rng.standard_normal((factors, size))
    X += rng.standard_normal((300, size))
    return np.linalg.eigh(np.corrcoef(X, rowvar=False))


@pytest.mark.parametrize("count", [1, 10, 25, 78])
def test_sums_are_those_of_the_eigenpairs_up_to_what_they_may_miss(count):
    values, Q = decompose(count)
    half = 0.1 * np.random.default_rng(1).standard_normal((80, 7))
    found = sum_leading(values, Q, half, count)
    without = WithoutEachRow.of(values, Q, count)
    shared = np.square(without.project(half)).sum(axis=(1, 2))
    expected = without.roots.sum(axis=1) - shared
    told = ~found.unknown
    assert told.sum() > 60
    assert np.all(np.abs(found.sums - expected)[told] <= found.errors[told])
    assert found.errors.max() < 1e-4 * values.sum()


def test_an_eigenvalue_too_near_to_the_border_is_said():
    values, Q = decompose(3)
    Q = Q.copy()
    Q[5, -11] = 1e-9  # without row 5 an eigenvalue stays where it is: at the border of ten
    Q[5] /= np.linalg.norm(Q[5])
    assert sum_leading(values, Q, np.zeros((80, 1)), 10).unknown[5]


def test_equal_eigenvalues_have_no_border_between_them():
    values, Q = decompose(4)
    values[-11] = values[-10] - 1e-13
    assert sum_leading(values, Q, np.zeros((80, 1)), 10) is None
