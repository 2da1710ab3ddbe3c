"""The exact search within limits, against trying every set."""

from itertools import combinations

import numpy as np
import pytest
from tests.algorithms.test_limits import error, random_problem, satisfies

from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.algorithms.refine.exact import best_subset
from tamis.algorithms.refine.swap import swap_columns
from tamis.statistics.gram import DenseGram
from tamis.statistics.summary import as_summary


def try_every_set(Z, k, own):
    """Give the least error of a set of at most `k` columns that breaks no limit; None if none."""
    d = Z.shape[1]
    sets = [list(one) for size in range(1, k + 1) for one in combinations(range(d), size)]
    errors = [error(Z, one) for one in sets if satisfies(one, own, d)]
    return min(errors) if errors else None


@pytest.mark.parametrize("part", range(2))
def test_no_allowed_set_is_better_and_greedy_and_swaps_are_never_above(part):
    for seed in range(1000 + 30 * part, 1030 + 30 * part):
        Z, k, own = random_problem(seed)
        d, k = Z.shape[1], min(k, 4)
        gram, limits = DenseGram(Z.T @ Z), Limits.of(d, **own)
        greedy = take_groups(gram, k, limits=limits, retain=9.0)
        least = try_every_set(Z, k, own)
        if not len(greedy.kept):
            continue
        found = best_subset(gram, greedy, limits, most=k)
        if least is None:
            assert not found.optimal
            continue
        total = (Z**2).sum()
        assert satisfies(found.kept.tolist(), own, d)
        assert found.share == pytest.approx(1 - least / total, abs=1e-8)
        assert found.optimal
        if satisfies(greedy.kept.tolist(), own, d):
            swapped = swap_columns(as_summary(gram), greedy, limits, most=k)
            assert satisfies(swapped.kept.tolist(), own, d)
            assert greedy.share <= swapped.share + 1e-12 <= found.share + 1e-8


def test_columns_to_include_stay():
    Z, _, _ = random_problem(3)
    gram = DenseGram(Z.T @ Z)
    path = take_groups(gram, 3, include=[3])
    found = best_subset(gram, path, Limits.of(Z.shape[1], forbid=[0]), include=[3])
    assert 3 in found.kept
    assert 0 not in found.kept


def test_with_a_budget_fewer_and_dearer_columns_may_be_best():
    gram = DenseGram(np.diag([9.0, 1.0, 1.0, 1.0]))
    limits = Limits.of(4, costs={0: 3.0}, budget=3.0)
    cheap = Path(np.array([1, 2, 3]), np.array([1.0, 2.0, 3.0]) / 12)
    assert best_subset(gram, cheap, limits).kept.tolist() == [0]
