"""Shrinkage follows from held-out rows: where rows are few, and only there."""

from dataclasses import replace

import numpy as np
import pytest

import tamis
from tamis.algorithms.limits import Limits
from tamis.run import selection


def noisy(rows, columns=60, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, 4)) @ rng.normal(size=(4, columns)) + 2 * rng.normal(
        size=(rows, columns)
    )


def shrinkage(found):
    return found.search.options["shrink"]


def test_few_rows_are_shrunk_and_many_are_not():
    assert shrinkage(tamis.select(noisy(40), k=10)) > 0
    many = tamis.select(noisy(2000, 20), k=5)
    assert shrinkage(many) == 0
    assert many.names == tamis.select(noisy(2000, 20), k=5, method="sfs").names


@pytest.mark.parametrize(("shared", "tries"), [(0, [50]), (55, [50, 55])])
def test_the_number_found_by_the_rule_and_not_all_that_explain_95_percent_is_shrunk_for(
    shared, tries, monkeypatch
):
    rng = np.random.default_rng(0)
    base = rng.normal(size=(500, shared)).repeat(3, axis=1)
    X = np.hstack([base + 0.2 * rng.normal(size=base.shape), rng.normal(size=(500, 60))])
    tried = []
    settle = selection.settle_shrinkage
    monkeypatch.setattr(
        selection,
        "settle_shrinkage",
        lambda search, size: tried.append(size) or settle(search, size),
    )
    found = tamis.select(X, "auto")
    assert tried == tries
    assert found.k == max(shared, 1)


def signal_and_rare(rows=200, seed=1):
    """Make 20 columns with two factors, and others that differ from 0 in a few rows, often shared.

    What such columns explain of each other hangs on these rows.
    """
    rng = np.random.default_rng(seed)
    odd_row = rng.random((rows, 1)) < 0.02
    rare = (rng.random((rows, 60)) < np.where(odd_row, 0.4, 0.002)) * 1.0
    signal = rng.normal(size=(rows, 2)) @ rng.normal(size=(2, 20))
    signal += 2 * rng.normal(size=(rows, 20))
    # Rounded: rows that differ in the last digit, as products do by machine, have other folds.
    return np.hstack([signal.round(6), rare[:, rare.any(axis=0)]])


@pytest.mark.parametrize("seed", [2, 5])
def test_columns_that_differ_in_few_rows_count_as_noisier_where_that_holds_on_new_rows(seed):
    X = signal_and_rare(seed=seed)
    found, plain = tamis.select(X, k=8), tamis.select(X, k=8, method="sfs")
    noise = found.search.options["noise"]
    assert noise is not None
    assert max(noise.values()) > 10
    assert sum(found.indices < 20) > sum(plain.indices < 20)
    assert found.to_dict()["shrink_by_tails"]
    assert "larger for columns of heavy tails" in str(found)


def test_noise_that_is_given_is_taken_as_it_is():
    noise = {"x0": 50.0, "x1": 2.0}
    found = tamis.select(noisy(40), k=5, method="forward", options={"shrink": 0.5, "noise": noise})
    assert found.search.options["noise"] == {0: 50.0, 1: 2.0}
    assert "x0" not in found.names
    assert not found.to_dict()["shrink_by_tails"]


def test_a_number_is_taken_as_it_is():
    found = tamis.select(noisy(40), k=5, method="forward", options={"shrink": 0.25})
    assert shrinkage(found) == 0.25
    assert found.search.ridge == 0.25


def test_the_order_of_rows_and_batches_changes_nothing():
    X = noisy(50)
    plain = tamis.select(X, k=6)
    moved = tamis.select(np.random.default_rng(1).permutation(X), k=6)
    assert moved.names == plain.names
    assert shrinkage(moved) == shrinkage(plain)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_explains_new_rows_better_than_without_shrinkage(seed):
    X, new = noisy(30, 80, seed), noisy(3000, 80, seed)  # not the same factors: same structure
    rng = np.random.default_rng(seed)
    loadings, noise = rng.normal(size=(4, 80)), 2.0
    X = rng.normal(size=(30, 4)) @ loadings + noise * rng.normal(size=(30, 80))
    new = rng.normal(size=(3000, 4)) @ loadings + noise * rng.normal(size=(3000, 80))
    shares = []
    for method in ("forward", "sfs"):
        found = tamis.select(X, k=12, method=method)
        S, G = found.indices, np.corrcoef(X, rowvar=False)
        Z = (new - X.mean(axis=0)) / X.std(axis=0)
        ridge = 0.5 if method == "forward" else 1e-9
        left = Z - Z[:, S] @ np.linalg.solve(G[np.ix_(S, S)] + ridge * np.eye(12), G[S])
        left[:, S] = 0.0
        shares.append(1 - (left**2).sum() / (Z**2).sum())
    assert shares[0] > shares[1] + 0.1


def test_the_columns_kept_of_few_rows_depend_on_no_unit():
    same = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(90, 4)) @ rng.normal(size=(4, 25)) + rng.normal(size=(90, 25))
        found = tamis.select(X, 6)
        for other in (2.54 * X, X + 1000, X.astype(np.float32), X * rng.uniform(0.01, 100, 25)):
            again = tamis.select(other, 6)
            same.append(found.names == again.names)
            assert again.held_out == pytest.approx(found.held_out, abs=1e-5)
    assert sum(same) >= 15  # of 16


def test_folds_of_few_rows_keep_to_limits_wherever_they_come_from():
    search = tamis.select(noisy(40), k=10).search
    assert not search.is_ruled
    assert replace(search, limits=Limits.of(len(search.summary.varying), forbid=[0])).is_ruled
