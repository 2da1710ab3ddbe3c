"""As many columns drawn at random are regressed on as the kept ones are."""

import numpy as np

import tamis
from tamis.evaluation.held_out import compare_with_random


def factors(rows=200, columns=30, noise=1.0, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, 3)) @ rng.normal(size=(3, columns)) + noise * rng.normal(
        size=(rows, columns)
    )


def drawn(found, k):
    return compare_with_random(found.search, found.folds, k)


def test_unrelated_columns_are_no_better_than_random_ones_and_that_is_said():
    found = tamis.select(factors(100, noise=1e6), k=5)
    share, beaten = drawn(found, 5)
    assert not beaten
    assert abs(share - found.held_out[-1]) < 0.05
    assert found.to_dict()["held_out"]["beats_random"] is False
    assert "5 columns drawn at random do as well" in str(found)


def test_columns_that_explain_others_beat_random_ones_and_nothing_is_said():
    rng = np.random.default_rng(1)
    hubs = rng.normal(size=(300, 3))
    X = np.hstack([hubs, hubs[:, rng.integers(3, size=27)] + rng.normal(size=(300, 27))])
    found = tamis.select(X, k=3)
    assert drawn(found, 3)[1]
    assert found.to_dict()["held_out"]["random"] < found.held_out[-1]
    assert "at random" not in str(found)


def test_the_share_is_about_that_of_many_draws():
    X = factors(150)
    found = tamis.select(X, k=4, method="sfs", held_out=True)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    rng, shares = np.random.default_rng(5), []
    for _ in range(60):
        S, new = rng.choice(30, 4, replace=False), rng.random(150) < 0.1
        weights = np.linalg.lstsq(Z[~new][:, S], Z[~new], rcond=None)[0]
        left = Z[new] - Z[new][:, S] @ weights
        shares.append(1 - np.square(left).sum() / np.square(Z[new]).sum())
    assert abs(drawn(found, 4)[0] - np.mean(shares)) < 0.06


def test_it_is_left_out_where_it_would_cost_much_or_not_compare():
    assert drawn(tamis.select(factors(60, 8), k=8), 8) is None
    assert drawn(tamis.select(factors(60, 8), k=2, include=["x3"]), 2) is None
    wide = tamis.select(factors(120, 3000), k=40, method="sfs", held_out=True)
    assert wide.to_dict()["held_out"]["random"] is None
