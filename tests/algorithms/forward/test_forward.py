"""The greedy loop on groups of columns, against regressions on every candidate."""

import numpy as np
import pytest

from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.numerics.ties import first_best
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.grouped import GroupedGram, Groups


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


def slow_picks(Z, groups, k, shrink):
    """Choose by the error of a regression on every candidate, fitted anew."""
    kept, G = [], Z.T @ Z
    for _ in range(k):
        J = groups.members(kept)
        R = G - G[:, J] @ np.linalg.pinv(G[np.ix_(J, J)] + shrink * np.eye(len(J)), 1e-9) @ G[J]
        gains = np.zeros(len(groups.sizes))
        for g in set(range(len(gains))) - set(kept):
            C = groups.members([g])
            inverse = np.linalg.pinv(R[np.ix_(C, C)] + shrink * np.eye(len(C)), 1e-9)
            gains[g] = np.trace(inverse @ R[C] @ R[:, C])
        kept.append(first_best(gains))
    return kept


@pytest.mark.parametrize("shrink", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("seed", range(25))
def test_picks_are_those_of_regressions_on_every_candidate_group(seed, shrink):
    Z, groups = random_table(seed)
    k = min(4, len(groups.sizes))
    found = take_groups(GroupedGram(DenseGram(Z.T @ Z), groups), k, shrink=shrink)
    assert found.indices.tolist() == slow_picks(Z, groups, k, shrink)[: len(found.indices)]
    J = groups.members(found.indices)
    left = Z - Z[:, J] @ np.linalg.lstsq(Z[:, J], Z, rcond=None)[0]
    assert found.retained[-1] == pytest.approx(1 - (left**2).sum() / (Z**2).sum(), abs=1e-9)


@pytest.mark.parametrize("shrink", [0.0, 0.05])
def test_rows_in_place_of_the_matrix_give_the_same_picks(shrink):
    for seed in range(5):
        Z, groups = random_table(seed, rows=20, wide=True)
        statistics = [GroupedGram(gram, groups) for gram in (DenseGram(Z.T @ Z), RowGram(Z))]
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
    statistic = GroupedGram(DenseGram(Z.T @ Z), groups)
    best = int(take_groups(statistic, 1).indices[0])
    assert best not in take_groups(statistic, 3, forbid=[best]).indices
    assert take_groups(statistic, 1, costs={best: 1e6}).indices[0] != best
    assert take_groups(statistic, 2, include=[2]).indices[0] == 2
