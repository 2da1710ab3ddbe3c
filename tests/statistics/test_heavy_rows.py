import numpy as np
import pytest

from tamis.statistics.row_patterns import HeavyRows


def find_heavy(X, step=1000):
    count = np.isfinite(X).sum(axis=0).astype(float)
    met = HeavyRows(np.nanmean(X, axis=0), np.nanvar(X, axis=0), count)
    for start in range(0, len(X), step):
        met.add(X[start : start + step])
    return met.find()


@pytest.mark.parametrize("width", [4, 700])
@pytest.mark.parametrize("step", [1000, 13])
def test_the_share_of_a_row_is_that_of_the_standardised_table(width, step):
    X = np.random.default_rng(0).normal(size=(300, width))
    X[56], X[200, : width // 2] = 20.0, -15.0
    X[3, 1] = np.nan
    Z = (X - np.nanmean(X, axis=0)) / np.nanstd(X, axis=0)
    shares = np.nansum(Z**2, axis=1) / np.nansum(Z**2)
    found = find_heavy(X, step)
    assert [one.row for one in found] == [57, 201]
    assert [one.share for one in found] == pytest.approx([shares[56], shares[200]])


def test_no_row_of_an_ordinary_table_carries_much():
    rng = np.random.default_rng(1)
    assert find_heavy(rng.normal(size=(500, 6))) == ()
    assert find_heavy(rng.normal(size=(8, 30))) == ()  # each of few rows carries an eighth
    assert find_heavy(rng.standard_t(3, size=(2000, 300))) == ()


@pytest.mark.parametrize(("value", "possible"), [(4.0, False), (60.0, True), (1e200, True)])
def test_the_ends_of_columns_say_that_no_row_can_carry_much(value, possible):
    X = np.random.default_rng(2).normal(size=(500, 6))
    X[123] = value
    mean, variance = (np.zeros(6), np.ones(6)) if value > 1e100 else (X.mean(axis=0), X.var(axis=0))
    met = HeavyRows(mean, variance, np.full(6, 500.0))
    assert met.may_be_any(X.min(axis=0), X.max(axis=0)) == possible
    met.add(X)
    assert possible or met.find() == ()
