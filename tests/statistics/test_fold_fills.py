"""Moments filled anew against those of rows that are filled anew."""

import numpy as np
import pytest

import tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.statistics import read_blocks
from tamis.statistics.fills import MarkedFills
from tamis.statistics.missing import learn_fills
from tamis.statistics.moments import Moments


def build_gaps(seed=0, n=60, d=5):
    """Make a table far from zero, with missing values in three columns, one in a tiny unit."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) @ rng.standard_normal((d, d)) + 1e5
    X[:, 3] = 1e-170 * rng.standard_normal(n)
    X[:, [1, 3, 4]] = np.where(rng.random((n, 3)) < 0.3, np.nan, X[:, [1, 3, 4]])
    return X


def marked_by(X):
    learnt = learn_fills([X], [*"abcde"], MissingPolicy.MEAN)
    filled = np.where(np.isnan(X), learnt.values, X)
    fills = MarkedFills.of(learnt)
    return fills, fills.add_marks(filled, X)


@pytest.mark.parametrize("part", [slice(0, 40), slice(40, 60)])
def test_the_moments_are_those_of_rows_filled_with_the_means_of_the_training_rows(part):
    X = build_gaps()
    fills, table = marked_by(X)
    known = Moments.from_batch(table[:40])
    found = fills.refill_moments(Moments.from_batch(table[part]), known)
    means = np.nanmean(X[:40], axis=0)
    expected = Moments.from_batch(np.where(np.isnan(X[part]), means, X[part]))
    np.testing.assert_allclose(found.mean, expected.mean, rtol=1e-14)
    scale = np.sqrt(np.outer(np.diagonal(expected.scatter), np.diagonal(expected.scatter)))
    ratio = np.multiply.outer(found.unit / expected.unit, found.unit / expected.unit)
    np.testing.assert_allclose(found.scatter * ratio, expected.scatter, atol=1e-9 * scale.min())


def test_values_that_are_all_the_same_in_the_training_rows_do_not_vary():
    X = build_gaps()
    X[:40, 1] = np.where(np.isnan(X[:40, 1]), np.nan, 1.0)
    fills, table = marked_by(X)
    known = Moments.from_batch(table[:40])
    assert fills.refill_moments(known, known).std[1] == 0.0


def test_rows_are_filled_with_the_means_of_those_that_are_known():
    X = build_gaps()
    fills, table = marked_by(X)
    rows, filled = fills.apart(table)
    known = np.arange(60) < 40
    expected = np.where(np.isnan(X), np.nanmean(X[:40], axis=0), X)
    np.testing.assert_allclose(fills.refill_rows(rows, filled, known), expected, rtol=1e-14)


def test_of_some_columns_the_marks_of_these_are_kept():
    fills, _ = marked_by(build_gaps())
    some, where = fills.of_columns(np.array([0, 3, 4]))
    assert some.columns.tolist() == [1, 2]
    assert where.tolist() == [0, 3, 4, 6, 7]
    assert some.total == 5


def test_where_marks_do_not_fit_the_means_of_all_rows_serve(monkeypatch):
    X = np.tile(build_gaps(n=30), (10, 1)) + np.arange(300)[:, None]
    exact = tamis.select(X, 2, method="sfs", missing="mean", held_out=True)
    monkeypatch.setattr(read_blocks, "fits_in", lambda width, _: width <= 5)
    found = tamis.select(X, 2, method="sfs", missing="mean", held_out=True)
    assert found.summary.blocks.fills is None
    np.testing.assert_allclose(found.held_out, exact.held_out, atol=0.05)
