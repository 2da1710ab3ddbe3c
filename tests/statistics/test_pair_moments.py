"""Sums over the rows that two columns have in common, against their definition."""

from functools import reduce

import numpy as np
import pytest

from tamis.numerics.eigen import is_scatter, make_definite
from tamis.statistics.pairwise import PairMoments, shrink_uncertain


def correlations_by_definition(X):
    """Correlate every two columns over the rows that have both, one pair at a time."""
    d = X.shape[1]
    found = np.eye(d)
    for i in range(d):
        for j in range(i):
            both = ~np.isnan(X[:, i]) & ~np.isnan(X[:, j])
            a, b = (X[both, j] / np.nanmax(np.abs(X[:, j])) for j in (i, j))
            if both.sum() >= 3 and len({*a}) > 1 and len({*b}) > 1:
                found[i, j] = found[j, i] = np.corrcoef(a, b)[0, 1]
    return found


def with_holes(rows=120, share=0.3, seed=0):
    """Make a table with holes; columns far from zero, in tiny units, half empty and constant."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 6)) @ rng.normal(size=(6, 6))
    X = X * [1, 1e-170, 1e6, 1, 1, 0] + [0, 0, 1e9, 1e5, 0, 7]
    X[rng.random(X.shape) < share] = np.nan
    X[: rows // 2, 4] = np.nan
    return X


CUTS = [[], [1], [60], [3, 4, 50, 60, 60, 119]]


@pytest.mark.parametrize("cuts", CUTS)
def test_correlations_are_those_of_the_rows_in_common_whatever_the_batches(cuts):
    X = with_holes()
    found = reduce(PairMoments.merge, map(PairMoments.from_batch, np.split(X, cuts)))
    np.testing.assert_allclose(found.correlations(), correlations_by_definition(X), atol=1e-9)
    assert found.rows == 120
    np.testing.assert_array_equal(np.diagonal(found.count), (~np.isnan(X)).sum(axis=0))
    np.testing.assert_allclose(found.mean, np.nanmean(X, axis=0), rtol=1e-12)
    assert found.std[5] == 0


def test_standard_deviations_are_those_of_the_values_there():
    X = with_holes()
    found = PairMoments.from_batch(X)
    units = np.array([1, 1e-170, 1e6, 1, 1, 1])
    np.testing.assert_allclose(found.std / units, np.nanstd(X / units, axis=0), rtol=1e-9)


def test_columns_that_never_meet_are_unrelated_and_copies_are_copies():
    x = np.random.default_rng(0).normal(size=40)
    X = np.column_stack([x, 2 * x + 1, x])
    X[:20, 0] = X[20:, 2] = np.nan
    found = PairMoments.from_batch(X).correlations()
    np.testing.assert_allclose(found, [[1, 1, 0], [1, 1, 1], [0, 1, 1]], atol=1e-12)


@pytest.mark.parametrize("share", [0.1, 0.4, 0.7])
def test_what_stands_for_them_is_positive_definite(share):
    X = np.random.default_rng(1).normal(size=(30, 3)) @ np.random.default_rng(2).normal(
        size=(3, 12)
    )
    X[np.random.default_rng(3).random(X.shape) < share] = np.nan
    found = make_definite(PairMoments.from_batch(X).correlations())
    assert is_scatter(found)
    assert np.linalg.eigvalsh(found)[0] > 0
    np.testing.assert_allclose(np.diagonal(found), 1.0)


def test_a_matrix_that_is_definite_stays_as_it_is():
    R = np.corrcoef(np.random.default_rng(0).normal(size=(5, 40)))
    assert make_definite(R) is R


def test_correlations_of_few_rows_are_nearer_to_0_and_copies_and_full_pairs_stay():
    R = np.array([[1.0, 1.0, 0.4], [1.0, 1.0, 0.4], [0.4, 0.4, 1.0]])
    full, few = np.full((3, 3), 50.0), np.full((3, 3), 8.0)
    np.testing.assert_allclose(shrink_uncertain(R, full, 50), R)
    found = shrink_uncertain(R, few, 50)
    assert 0 < found[0, 2] < 0.4
    assert found[0, 1] == 1
    drawn = np.random.default_rng(0).normal(size=(4000, 8, 2))
    chance = np.array([np.corrcoef(rows.T)[0, 1] for rows in drawn])
    shrunk = shrink_uncertain(chance, np.full(4000, 8.0), 400)
    assert np.square(shrunk).mean() < 0.7 * np.square(chance).mean()
