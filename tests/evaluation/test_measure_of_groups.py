"""What groups explain of each other, against regressions on their columns."""

import numpy as np
import pandas as pd
import pytest
from tests.algorithms.forward.test_forward import random_table

import tamis
from tamis.evaluation.measure import Variance
from tamis.statistics.gram import DenseGram
from tamis.statistics.summary import as_summary


@pytest.fixture(params=range(4))
def table(request):
    Z, groups = random_table(request.param)
    return Z, groups, Variance(as_summary(DenseGram(Z.T @ Z), groups))


def shares_by_regression(Z, groups, kept):
    J = groups.members(kept)
    left = Z - Z[:, J] @ np.linalg.lstsq(Z[:, J], Z, rcond=1e-9)[0]
    return 1 - groups.sum_up((left**2).sum(axis=0)) / groups.sum_up((Z**2).sum(axis=0))


def test_shares_of_all_columns_are_those_of_regressions(table):
    Z, groups, measure = table
    kept = np.array([2, 0, 1])
    known = measure.reproduction(kept)
    for step in (1, 2, 3):
        expected = shares_by_regression(Z, groups, kept[:step])
        np.testing.assert_allclose(known.shares_at(step), expected, atol=1e-9)
    for place, group in enumerate(kept):
        np.testing.assert_allclose(
            known.links[place], shares_by_regression(Z, groups, [group]), atol=1e-9
        )


def test_no_set_explains_more_than_the_ceiling(table):
    Z, groups, measure = table
    bound = measure.ceiling(3)
    assert (np.diff(bound) >= -1e-12).all()
    for first in range(len(groups.sizes)):
        for second in range(first):
            share = shares_by_regression(Z, groups, [first, second]).mean()
            assert share <= bound[1] + 1e-9


def test_additions_and_swaps_are_those_of_regressions(table):
    Z, groups, measure = table
    kept = np.array([0, 2])
    before = shares_by_regression(Z, groups, kept).mean()
    for j, gain in enumerate(measure.additions(kept)):
        if j not in kept:
            after = shares_by_regression(Z, groups, [*kept, j]).mean()
            assert gain == pytest.approx(after - before, abs=1e-9)
    (changes,) = measure.swaps(kept, [1])
    for j in range(len(groups.sizes)):
        if j in kept:
            assert np.isnan(changes[j])
        else:
            after = shares_by_regression(Z, groups, [0, j]).mean()
            assert changes[j] == pytest.approx(after - before, abs=1e-9)


def test_similarities_are_symmetric_and_that_of_a_column_with_itself_is_one(table):
    measure = table[2]
    every = np.arange(len(table[1].sizes))
    pairs = measure.pairs(every)
    np.testing.assert_allclose(pairs, pairs.T)
    np.testing.assert_allclose(np.diagonal(pairs), 1.0)
    assert (np.abs(pairs) <= 1 + 1e-12).all()


def test_chance_counts_the_levels_of_the_kept_categories():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{j}": rng.normal(size=120) for j in range(3)})
    frame["town"] = rng.permutation([f"t{i % 6}" for i in range(120)])
    frame["county"] = rng.permutation([f"c{i % 3}" for i in range(120)])
    found = tamis.select(frame, include=["county", "town", "x0"], k=3)
    assert found.curve.chance == pytest.approx([2 / 119, 7 / 119, 8 / 119])
    kept = pd.get_dummies(frame[["county", "town", "x0"]], dtype=float).to_numpy()
    kept -= kept.mean(axis=0)
    noise = rng.normal(size=(120, 4000))
    noise -= noise.mean(axis=0)
    fitted = kept @ np.linalg.lstsq(kept, noise, rcond=None)[0]
    share = np.square(fitted).sum() / np.square(noise).sum()
    assert found.chance == pytest.approx(share, rel=0.05)
