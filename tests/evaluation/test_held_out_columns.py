"""Held-out shares of single columns against the slow way: refit every regression."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from tamis.evaluation.held_out_columns import hold_out_columns
from tamis.sources.arrays import ArraySource
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.row_hash import block_numbers


def refit(X, kept):
    """Fit on the training rows of every fold, and add up the errors on the others."""
    numbers, errors, totals = block_numbers(X, 20), np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for fold in range(10):
        out = numbers % 10 == fold
        if not out.any():
            continue
        mean, std = X[~out].mean(axis=0), X[~out].std(axis=0)
        train, test = ((part - mean) / std for part in (X[~out], X[out]))
        fit = LinearRegression().fit(train[:, kept], train)
        errors += np.square(test - fit.predict(test[:, kept])).sum(axis=0)
        totals += np.square(test).sum(axis=0)
    return 1 - errors / totals


def summarise(X):
    source = ArraySource(X)
    return collect_blocks(source, list(range(X.shape[1])), scale=True)


@pytest.mark.parametrize(("rows", "columns"), [(300, 7), (40, 60)])
def test_shares_of_columns_equal_those_of_refitted_regressions(rows, columns):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(rows, columns))
    X[:, 2] = X[:, 0] + 0.5 * X[:, 1]
    X[:, 3] += 0.8 * X[:, 1]
    kept = np.array([1, 0, 4])
    found = hold_out_columns(summarise(X).blocks, kept, columns)
    expected = refit(X, kept)
    expected[kept] = 1.0
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert found[2] == pytest.approx(1.0)


def test_an_unrelated_column_is_not_explained_and_shrinkage_keeps_it_near_the_mean():
    X = np.random.default_rng(1).normal(size=(30, 25))
    blocks, kept = summarise(X).blocks, np.arange(12)
    plain, shrunken = (hold_out_columns(blocks, kept, 25, shrink=s) for s in (0.0, None))
    assert plain[20] < 0
    assert shrunken[12:].mean() > plain[12:].mean()
