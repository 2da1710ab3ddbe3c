"""`jmi`: worked by hand, scikit-learn as the definition, planted groups, chance."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from sklearn.metrics import mutual_info_score
from tests.algorithms.test_limits import random_problem
from tests.algorithms.test_limits_of_methods import take_slowly

import tamis
from tamis.algorithms.filters import jmi
from tamis.algorithms.limits import Limits
from tamis.sources.arrays import ArraySource
from tamis.statistics import class_table as tables
from tamis.statistics.class_table import collect_class_table

BIT = np.log(2)


def joined(*columns):
    """Give columns as one, with a value for every combination."""
    return np.unique(np.column_stack(columns), axis=0, return_inverse=True)[1].ravel()


def join_by_hand(X, y, k):
    """Add up, for every column, what it and each kept one together share with the class."""
    alone = [mutual_info_score(column, y) / BIT for column in X.T]
    taken, scores = [int(np.argmax(np.round(alone, 9)))], [max(alone)]
    while len(taken) < k:
        sums = [
            -1.0
            if j in taken
            else sum(mutual_info_score(joined(X[:, j], X[:, s]), y) for s in taken) / BIT
            for j in range(X.shape[1])
        ]
        taken.append(int(np.argmax(np.round(sums, 9))))
        scores.append(max(sums) / (len(taken) - 1))
    return taken, scores


def codes_and_classes(rng, rows=400, columns=8, classes=3):
    y = rng.integers(classes, size=rows)
    X = rng.integers(4, size=(rows, columns))
    X[:, 2] = np.where(rng.random(rows) < 0.6, y, X[:, 2])
    X[:, 5] = (X[:, 1] + y) % 4
    return X.astype(float), y


def class_table(X, y, binning="depth"):
    source = ArraySource(X, None, "X")
    return collect_class_table(source, range(X.shape[1]), labels=y, binning=binning).statistic


def exclusive(seed=0, rows=500, noise=30, flips=0.05):
    """Plant `y = a xor b` among columns of noise, at random places."""
    rng = np.random.default_rng(seed)
    X = rng.integers(2, size=(rows, noise))
    a, b = (int(j) for j in rng.choice(noise, 2, replace=False))
    y = X[:, a] ^ X[:, b] ^ (rng.random(rows) < flips)
    return X.astype(float), y, {a, b}


def test_the_worked_example():
    # Column 0 is right about the class in 6 rows of 8; 1 and 2 decide it only together.
    a, b = [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    y = [0, 0, 1, 1, 1, 1, 0, 0]
    X = np.column_stack([[0, 0, 1, 1, 1, 1, 1, 1], a, b]).astype(float)
    path = tamis.select(X, 3, method="jmi", y=y, options={"start": "pair"}).path
    assert path.indices[:2].tolist() == [1, 2]
    assert path.scores[2] == pytest.approx(1.0)
    # 1 bit less the entropy of 2 of 6 in the larger level.
    first = 1 - 0.75 * scipy.stats.entropy([1, 2], base=2)
    assert tamis.select(X, 1, method="jmi", y=y).scores[0] == pytest.approx(first)


@pytest.mark.parametrize("seed", range(5))
def test_order_and_scores_equal_the_definition(seed):
    X, y = codes_and_classes(np.random.default_rng(seed))
    taken, scores = join_by_hand(X, y, 8)
    found = tamis.select(X, 8, method="jmi", y=y)
    assert found.path.indices.tolist() == taken
    assert found.path.scores[taken] == pytest.approx(scores, rel=1e-9)


@pytest.mark.usefixtures("batches")
def test_real_tables_in_any_batches_equal_the_definition(labelled):
    X, y = labelled
    some = np.random.default_rng(0).permutation(len(X))[:800]
    X, y = X[some][:, X[some].std(axis=0) > 0], y[some]
    taken, _ = join_by_hand(X, y, 4)
    found = tamis.select(X, 4, method="jmi", y=y, options={"bins": 10})
    assert found.path.indices.tolist() == taken


def test_the_best_pair_is_the_best_of_all_pairs():
    for seed in range(4):
        X, y = codes_and_classes(np.random.default_rng(seed), rows=120)
        pairs = list(combinations(range(X.shape[1]), 2))
        shared = [mutual_info_score(joined(X[:, i], X[:, j]), y) for i, j in pairs]
        found = tamis.select(X, 2, method="jmi", y=y, options={"start": "pair"})
        assert {*found.path.indices.tolist()} == {*pairs[int(np.argmax(shared))]}


def test_planted_pairs_are_found_that_single_filters_miss():
    missed, second = 0, 0
    for seed in range(10):
        X, y, pair = exclusive(seed)
        single = tamis.select(X, 2, method="information-gain", y=y)
        missed += {*single.path.kept.tolist()} != pair
        found = tamis.select(X, method="jmi", y=y, options={"start": "pair"})
        assert {*found.path.kept.tolist()} == pair
        order = tamis.select(X, 30, method="jmi", y=y).path.indices.tolist()
        places = sorted(order.index(j) for j in pair)
        second += places[1] == places[0] + 1
    assert missed == 10
    assert second == 10


def test_a_column_that_repeats_a_kept_one_is_not_added_without_a_number():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=600)
    X = rng.standard_normal((600, 6))
    X[:, 1] += 2 * (y == 0)
    X[:, 4] += 2 * (y == 1)
    X[:, 5] = X[:, 1]
    found = tamis.select(X, method="jmi", y=y)
    assert sorted(found.path.kept.tolist()) == [1, 4]


def test_the_test_of_a_column_given_another_is_the_g_test_within_its_levels():
    rng = np.random.default_rng(1)
    X, y = codes_and_classes(rng)
    table = class_table(X, y)
    _, _, p = jmi.joint_information(table.counts, table.pairs, 2)
    for j in (0, 1, 5):
        G, freedom = 0.0, 0
        for level in range(4):
            here = X[:, 2] == level
            both = pd.crosstab(X[here, j], y[here]).to_numpy()
            found = scipy.stats.chi2_contingency(both, correction=False, lambda_="log-likelihood")
            G, freedom = G + found.statistic, freedom + found.dof
        assert p[j] == pytest.approx(scipy.stats.chi2.sf(G, freedom), rel=1e-6)


def test_columns_of_many_values_are_not_favoured_once_chance_is_subtracted():
    taken = {False: 0, True: 0}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        y = rng.integers(2, size=400)
        frame = pd.DataFrame({f"n{i}": rng.integers(2, size=400).astype(str) for i in range(5)})
        frame["signal"] = np.where(rng.random(400) < 0.75, y, 1 - y).astype(str)
        frame["many"] = rng.integers(12, size=400).astype(str)
        for corrected in taken:
            options = {"corrected": corrected}
            found = tamis.select(frame, 2, method="jmi", y=y, options=options)
            assert found.names[0] == "signal"
            taken[corrected] += found.names[1] == "many"
    assert taken[False] == 10
    assert taken[True] <= 5


@pytest.mark.parametrize("binning", ["mdl", "chimerge", "width"])
def test_bins_of_every_kind_are_counted_again_as_they_were_first(binning):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    X = rng.standard_normal((300, 4)) + np.outer(y, [0, 1, 0, 2])
    table = class_table(X, y, binning)
    for j in range(4):
        alone = table.counts.block(j)
        again = table.pairs.count_beside(j, slice(j, j + 1)).table.sum(axis=0)
        assert again.reshape(alone.shape).tolist() == alone.tolist()


def test_counts_in_small_groups_of_columns_and_tables_read_again_give_the_same(monkeypatch):
    X, y = codes_and_classes(np.random.default_rng(3))
    whole = tamis.select(X, 5, method="jmi", y=y).path
    monkeypatch.setattr(jmi, "_MAX_COUNTS_HELD", 50)
    monkeypatch.setattr(tables, "_MAX_CODES_HELD", 0)
    parts = tamis.select(X, 5, method="jmi", y=y).path
    assert parts.indices.tolist() == whole.indices.tolist()
    assert parts.scores == pytest.approx(whole.scores)


def test_included_columns_come_first_and_lead_to_their_partners():
    X, y, pair = exclusive(2)
    a, b = sorted(pair)
    found = tamis.select(X, 2, method="jmi", y=y, include=[f"x{a}"])
    assert found.path.kept.tolist() == [a, b]


def test_within_limits_the_best_allowed_column_is_joined_at_each_step():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X, y = codes_and_classes(rng, rows=150, columns=7)
        _, k, own = random_problem(seed, d=7)
        alone = np.array([mutual_info_score(column, y) for column in X.T]) / BIT

        def join(kept, X=X, y=y, alone=alone):
            if not kept:
                return alone
            pairs = [[joined(X[:, j], X[:, s]) for s in kept] for j in range(X.shape[1])]
            return np.array([np.mean([mutual_info_score(p, y) for p in some]) for some in pairs])

        found = jmi.join_informative(class_table(X, y), k, retain=9.0, limits=Limits.of(7, **own))
        assert found.indices.tolist() == take_slowly(join, k, own, 7), seed
