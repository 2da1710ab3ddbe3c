"""The greedy loop on groups of columns, against regressions on every candidate."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.algorithms.forward.forward import take_by_importance, take_groups
from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.algorithms.limits import Limits
from tamis.numerics.ties import first_best
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.grouped import Groups
from tamis.statistics.summary import as_summary


def random_table(seed, rows=60, wide=False):
    """Make numbers and categories that share factors: centred columns, and the groups."""
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(rows, 3))
    parts = []
    for _ in range(int(rng.integers(4, 9)) * (4 if wide else 1)):
        mixed = factors @ rng.normal(size=3) + rng.normal(size=rows) * rng.choice([0.2, 1.0])
        levels = int(rng.integers(1, 6))
        if levels == 1:
            part = mixed[:, None]
        else:
            codes = np.searchsorted(np.sort(rng.normal(size=levels - 1)), mixed)
            part = (codes[:, None] == np.unique(codes)).astype(float)
            part /= np.sqrt(part.mean(axis=0))
        part = part - part.mean(axis=0)
        if part.any():
            parts.append(part / np.sqrt((part**2).sum()))
    return np.hstack(parts), Groups(np.array([part.shape[1] for part in parts]))


def slow_picks(Z, groups, k, shrink, noise=None):
    """Choose by the error of a regression on every candidate, fitted anew."""
    kept, G = [], Z.T @ Z
    D = np.diag(shrink * np.ones(len(G)) if noise is None else shrink * noise[groups.owner])
    for _ in range(k):
        J = groups.members(kept)
        R = G - G[:, J] @ np.linalg.pinv((G + D)[np.ix_(J, J)], 1e-9) @ G[J]
        gains = np.zeros(len(groups.sizes))
        for g in set(range(len(gains))) - set(kept):
            C = groups.members([g])
            inverse = np.linalg.pinv((R + D)[np.ix_(C, C)], 1e-9)
            gains[g] = np.trace(inverse @ R[C] @ R[:, C])
        kept.append(first_best(gains))
    return kept


@pytest.mark.parametrize("shrink", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("seed", range(25))
def test_picks_are_those_of_regressions_on_every_candidate_group(seed, shrink):
    Z, groups = random_table(seed)
    k = min(4, len(groups.sizes))
    found = take_groups(as_summary(DenseGram(Z.T @ Z), groups), k, shrink=shrink)
    assert found.indices.tolist() == slow_picks(Z, groups, k, shrink)[: len(found.indices)]
    J = groups.members(found.indices)
    left = Z - Z[:, J] @ np.linalg.lstsq(Z[:, J], Z, rcond=None)[0]
    assert found.retained[-1] == pytest.approx(1 - (left**2).sum() / (Z**2).sum(), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_columns_that_are_noisier_are_shrunk_more(seed):
    Z, groups = random_table(seed)
    k, noise = min(4, len(groups.sizes)), np.random.default_rng(seed).uniform(0.5, 30, 40)
    noise = noise[: len(groups.sizes)]
    given = dict(enumerate(noise))
    statistics = [as_summary(gram, groups) for gram in (DenseGram(Z.T @ Z), RowGram(Z))]
    for one in statistics:
        found = take_groups(one, k, shrink=0.05, noise=given)
        assert found.indices.tolist() == slow_picks(Z, groups, k, 0.05, noise)


@pytest.mark.parametrize("shrink", [0.0, 0.05])
def test_rows_in_place_of_the_matrix_give_the_same_picks(shrink):
    for seed in range(5):
        Z, groups = random_table(seed, rows=20, wide=True)
        statistics = [as_summary(gram, groups) for gram in (DenseGram(Z.T @ Z), RowGram(Z))]
        first, second = (take_groups(one, 6, shrink=shrink) for one in statistics)
        assert first.indices.tolist() == second.indices.tolist()
        np.testing.assert_allclose(first.retained, second.retained, atol=1e-9)


def test_single_columns_without_shrinkage_are_those_of_sfs():
    Z = random_table(3, rows=80, wide=True)[0]
    gram = DenseGram(Z.T @ Z)
    first, second = take_groups(gram, 9), greedy_reconstruction(gram, 9)
    assert first.indices.tolist() == second.indices.tolist()


def test_many_steps_with_shrinkage_keep_their_digits():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(40, 3)) @ rng.normal(size=(3, 60)) + 0.01 * rng.normal(size=(40, 60))
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0) / np.sqrt(40)
    groups = Groups(np.ones(60, dtype=int))
    for gram in (DenseGram(Z.T @ Z), RowGram(Z)):
        found = take_groups(gram, 12, shrink=1e-3)
        assert found.indices.tolist() == slow_picks(Z, groups, 12, 1e-3)


def test_forbidden_and_priced_groups():
    Z, groups = random_table(1)
    statistic = as_summary(DenseGram(Z.T @ Z), groups)
    best = int(take_groups(statistic, 1).indices[0])
    assert (
        best
        not in take_groups(statistic, 3, limits=Limits.of(len(groups.sizes), forbid=[best])).indices
    )
    assert (
        take_groups(statistic, 1, limits=Limits.of(len(groups.sizes), costs={best: 1e6})).indices[0]
        != best
    )
    assert take_groups(statistic, 2, include=[2]).indices[0] == 2


def slow_weighted_picks(Z, groups, k, importance):
    """Choose by the weighted error of a regression of all columns on every candidate set."""
    kept = []
    weights = importance[groups.owner]
    for _ in range(k):
        shares = np.full(len(groups.sizes), -np.inf)
        for g in set(range(len(shares))) - set(kept):
            J = groups.members([*kept, g])
            left = Z - Z[:, J] @ np.linalg.lstsq(Z[:, J], Z, rcond=1e-9)[0]
            shares[g] = 1 - weights @ (left**2).sum(axis=0) / (weights @ (Z**2).sum(axis=0))
        kept.append(first_best(shares))
    return kept, shares[kept[-1]]


@pytest.mark.parametrize("seed", range(12))
def test_importance_weighs_what_is_to_be_explained(seed):
    Z, groups = random_table(seed)
    importance = np.random.default_rng(seed).choice([0.0, 0.5, 2.0], len(groups.sizes))
    importance[0] = 1.0
    statistic = as_summary(DenseGram(Z.T @ Z), groups)
    found = take_by_importance(statistic, 3, importance=importance)
    kept, share = slow_weighted_picks(Z, groups, len(found.indices), importance)
    assert found.indices.tolist() == kept
    assert found.retained[-1] == pytest.approx(share, abs=1e-9)


def test_a_response_is_a_column_of_importance_one_that_is_never_taken():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 12))
    y = X[:, 3] - 0.5 * X[:, 7] + 0.1 * rng.normal(size=80)
    Z = np.column_stack([X, y])
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0) / np.sqrt(80)
    importance = np.array([0.0] * 12 + [1.0])
    for gram in (DenseGram(Z.T @ Z), RowGram(Z)):
        found = take_by_importance(
            as_summary(gram), 2, importance, limits=Limits.of(13, forbid=[12])
        )
        assert found.indices.tolist() == [3, 7]
        fitted = np.linalg.lstsq(Z[:, [3, 7]], Z[:, 12], rcond=None)[0]
        share = 1 - ((Z[:, 12] - Z[:, [3, 7]] @ fitted) ** 2).sum()
        assert found.retained[-1] == pytest.approx(share)


@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_a_response_counts_the_share_it_is_given(share):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 3)) @ rng.normal(size=(3, 9)) + rng.normal(size=(80, 9))
    y = X[:, 1] - X[:, 4] + rng.normal(size=80)
    Z = np.column_stack([X, y])
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0) / np.sqrt(80)
    table = replace(as_summary(DenseGram(Z.T @ Z)), n_rows=80, responses=1)
    importance = np.array([(1 - share) / 9] * 9 + [share])
    found = take_groups(table, 3, y_weight=share)
    kept = []
    for _ in range(3):
        errors = np.full(9, np.inf)
        for j in set(range(9)) - set(kept):
            A = Z[:, [*kept, j]]
            left = Z - A @ np.linalg.lstsq(A, Z, rcond=None)[0]
            errors[j] = importance @ (left**2).sum(axis=0)
        kept.append(int(errors.argmin()))
    assert found.indices.tolist() == kept
    assert found.retained[-1] == pytest.approx(1 - errors.min())


def test_a_column_of_no_importance_explains_and_is_not_explained():
    rng = np.random.default_rng(6)
    a, noise = rng.normal(size=(2, 60))
    X = np.column_stack(
        [a + 0.1 * noise, a - 0.1 * noise, *rng.normal(size=(5, 3, 60)).sum(axis=1)]
    )
    own = {"importance": {f"x{j}": 0 for j in range(1, 7)}}
    found = tamis.select(X, 1, method="forward", forbid=["x0"], options=own)
    assert found.names == ["x1"]
    assert found.retained == pytest.approx(np.corrcoef(X[:, 0], X[:, 1])[0, 1] ** 2)
    assert found.held_out[0] == pytest.approx(found.retained, abs=0.05)


@pytest.mark.parametrize("unit", [1e70, 1e139])
def test_a_shrinkage_below_the_rounding_of_a_huge_column_does_not_end_the_search(unit):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 4)), columns=list("abcd"))
    frame["t"], frame["s"] = rng.choice(list("xyz"), 60), rng.choice(list("pqrs"), 60)
    frame["a"] *= unit
    for scale in (True, False):
        found = tamis.select(frame, 3, scale=scale, options={"shrink": 1e-300})
        assert len(found.names) == 3
        assert np.isfinite(found.retained)
