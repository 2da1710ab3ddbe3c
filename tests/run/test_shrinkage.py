"""Shrinkage follows from held-out rows: where rows are few, and only there."""

import numpy as np
import pytest

import tamis


def noisy(rows, columns=60, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, 4)) @ rng.normal(size=(4, columns)) + 2 * rng.normal(
        size=(rows, columns)
    )


def shrinkage(found):
    return found.longer.options["shrink"]


def test_few_rows_are_shrunk_and_many_are_not():
    assert shrinkage(tamis.select(noisy(40), k=10)) > 0
    many = tamis.select(noisy(2000, 20), k=5)
    assert shrinkage(many) == 0
    assert many.names == tamis.select(noisy(2000, 20), k=5, method="sfs").names


def test_a_number_is_taken_as_it_is():
    found = tamis.select(noisy(40), k=5, method="forward", options={"shrink": 0.25})
    assert shrinkage(found) == 0.25
    assert found.longer.ridge == 0.25


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
