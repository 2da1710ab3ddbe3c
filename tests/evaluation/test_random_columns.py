"""Columns that are chosen in other ways are regressed on as the kept ones are."""

import re

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.algorithms.backward.correlation import keep_again
from tamis.algorithms.fold import hold_out_blocks
from tamis.evaluation.held_out import compare_with_others, list_variances
from tamis.statistics.gram import DenseGram
from tamis.statistics.row_blocks import choose_folds


def factors(rows=200, columns=30, noise=1.0, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, 3)) @ rng.normal(size=(3, columns)) + noise * rng.normal(
        size=(rows, columns)
    )


def compare(found, k):
    names = [f"x{j}" for j in range(len(found.search.summary.varying))]
    return compare_with_others(found.search, found.folds, k, names)


def test_unrelated_columns_are_no_better_than_others_and_that_is_said():
    found = tamis.select(factors(100, noise=1e6), k=5)
    shares = compare(found, 5)
    assert not shares["beats_random"]
    assert abs(shares["random"] - found.held_out[-1]) < 0.05
    assert found.to_dict()["held_out"]["beats_rule"] is False
    assert re.search("The kept ones are not( clearly)? better than either", str(found))


def test_columns_that_explain_others_beat_random_ones():
    rng = np.random.default_rng(1)
    hubs = rng.normal(size=(300, 3))
    X = np.hstack([hubs, hubs[:, rng.integers(3, size=27)] + rng.normal(size=(300, 27))])
    found = tamis.select(X, k=3)
    assert compare(found, 3)["beats_random"]
    assert found.to_dict()["held_out"]["random"] < found.held_out[-1]
    assert "3 columns drawn at random explain" in str(found)
    assert "not better than those of the filter" in str(found)  # which finds the hubs, too


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
    assert abs(compare(found, 4)["random"] - np.median(shares)) < 0.06


def test_what_a_rule_keeps_is_chosen_in_the_training_rows():
    X = factors(150) * np.linspace(1, 3, 30)
    found = tamis.select(X, k=4, method="sfs", scale=False, held_out=True)
    search, errors, totals = found.search, 0.0, 0.0
    for fold in hold_out_blocks(search.summary.blocks, choose_folds(search.summary.blocks)):
        largest = np.argsort(-fold.training.gram.diagonal())[:4]
        errors += fold.errors(largest, 0.0).errors[-1]
        totals += fold.total
    shares = compare(found, 4)
    assert shares["rule"] == "variance"
    assert abs(shares["by_rule"] - (1 - errors / totals)) < 1e-12


@pytest.mark.parametrize(("names", "rule"), [(range(400, 430), "variance"), (None, "correlation")])
def test_the_obvious_rule_for_a_spectrum_is_the_largest_variance(names, rule):
    names = [f"x{j}" for j in range(30)] if names is None else list(map(str, names))
    frame = pd.DataFrame(factors(), columns=names)
    found = tamis.select(frame, k=3)
    assert found.to_dict()["held_out"]["rule"] == rule


def test_of_a_spectrum_the_variances_are_those_of_its_own_units():
    for rows in (200, 25):  # held by products, and by rows
        X = factors(rows) * 1.0
        X[:, [4, 7]] *= 10.0
        search = tamis.select(X, k=2, method="sfs", held_out=True).search
        for fold in hold_out_blocks(search.summary.blocks, choose_folds(search.summary.blocks)):
            variances = list_variances(fold, search.summary)
            assert set(np.argsort(-variances)[:2]) == {4, 7}


def test_a_filter_near_a_threshold_keeps_about_the_same_columns():
    gram = DenseGram(np.corrcoef(factors(400, 60, 0.5), rowvar=False))
    for k in (5, 20, 40):
        kept, threshold = keep_again(gram, k)
        again, _ = keep_again(gram, k, threshold)
        assert len(kept) == len(again) == k
        assert len(np.intersect1d(kept, again)) > 0.8 * k


def test_nothing_is_compared_where_it_would_cost_much_or_say_nothing():
    assert compare(tamis.select(factors(60, 8), k=8), 8) == {}
    assert compare(tamis.select(factors(60, 8), k=2, include=["x3"]), 2) == {}
    wide = tamis.select(factors(120, 3000), k=40, method="sfs", held_out=True)
    assert wide.to_dict()["held_out"]["random"] is None
    middling = tamis.select(factors(120, 400), k=4, method="sfs", held_out=True)
    assert middling.to_dict()["held_out"]["random"] is not None
    assert middling.to_dict()["held_out"]["rule"] is None
