"""Held-out shares of single columns against the slow way: refit every regression."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from tamis.evaluation.held_out import hold_out_columns, share_of_columns
from tamis.sources.arrays import ArraySource
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.row_blocks import stretch_choices
from tamis.statistics.row_hash import RowRules, number_rows, number_stretches


def refit(X, kept, folds=None):
    """Fit on the training rows of every fold, and add up the errors on the held-out ones.

    The folds mark rows: 1 for training, 0 for held out, 2 for neither.
    """
    errors, totals = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    if folds is None:
        folds = [(number_rows(X) % 10 != fold).astype(int) for fold in range(10)]
    for marks in folds:
        out, known = marks == 0, X[marks == 1]
        if not out.any():
            continue
        mean, std = known.mean(axis=0), X.std(axis=0)
        train, test = ((part - mean) / std for part in (known, X[out]))
        fit = LinearRegression().fit(train[:, kept], train)
        errors += np.square(test - fit.predict(test[:, kept])).sum(axis=0)
        totals += np.square(test).sum(axis=0)
    return 1 - errors / totals


def summarise(X, rules=None):
    source = ArraySource(X)
    return collect_blocks(source, list(range(X.shape[1])), scale=True, rules=rules)


@pytest.mark.parametrize(("rows", "columns"), [(300, 7), (40, 60)])
def test_shares_of_columns_equal_those_of_refitted_regressions(rows, columns):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(rows, columns))
    X[:, 2] = X[:, 0] + 0.5 * X[:, 1]
    X[:, 3] += 0.8 * X[:, 1]
    kept = np.array([1, 0, 4])
    found = share_of_columns(*hold_out_columns(summarise(X).blocks, kept, columns), kept)
    expected = refit(X, kept)
    expected[kept] = 1.0
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert found[2] == pytest.approx(1.0)


def test_an_unrelated_column_is_not_explained_and_shrinkage_keeps_it_near_the_mean():
    X = np.random.default_rng(1).normal(size=(30, 25))
    blocks, kept = summarise(X).blocks, np.arange(12)
    plain, shrunken = (
        share_of_columns(*hold_out_columns(blocks, kept, 25, ridge=ridge), kept)
        for ridge in (0.0, None)
    )
    assert plain[20] < 0
    assert shrunken[12:].mean() > plain[12:].mean()


@pytest.mark.parametrize(("rows", "columns"), [(300, 7), (60, 70)])
def test_of_rows_in_order_a_stretch_is_held_out_and_its_neighbours_are_not_learnt_from(
    rows, columns
):
    X = np.cumsum(np.random.default_rng(5).normal(size=(rows, columns)), axis=0)
    numbers, kept = number_stretches(rows), np.array([1, 0, 4])
    blocks = summarise(X, RowRules(numbers, ordered=True)).blocks
    expected = refit(X, kept, stretch_choices(np.bincount(numbers))[:, numbers])
    expected[kept] = 1.0
    found = share_of_columns(*hold_out_columns(blocks, kept, columns), kept)
    np.testing.assert_allclose(found, expected, atol=1e-7)
