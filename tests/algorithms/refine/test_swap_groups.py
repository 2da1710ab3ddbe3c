"""Swaps of groups, against the best set of as many."""

from itertools import combinations

import numpy as np
import pytest
from tests.algorithms.forward.test_forward import random_table

from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.refine.swap import swap_columns
from tamis.algorithms.residual import condition
from tamis.statistics.gram import DenseGram
from tamis.statistics.summary import as_summary


@pytest.mark.parametrize("seed", range(8))
def test_swaps_never_explain_less_and_no_single_swap_is_left(seed):
    Z, groups = random_table(seed)
    statistic = as_summary(DenseGram(Z.T @ Z), groups)
    first = take_groups(statistic, 3)
    found = swap_columns(statistic, first)
    assert found.share >= first.share - 1e-12
    best = max(
        condition(statistic, np.array([*rest, other])).retained[-1]
        for rest in combinations(found.kept, len(found.kept) - 1)
        for other in set(range(len(groups.sizes))) - set(rest)
    )
    assert found.share == pytest.approx(best, abs=1e-9)


def test_included_groups_stay():
    Z, groups = random_table(2)
    statistic = as_summary(DenseGram(Z.T @ Z), groups)
    worst = int(take_groups(statistic, len(groups.sizes)).indices[-1])
    first = take_groups(statistic, 2, include=[worst])
    assert worst in swap_columns(statistic, first, include=[worst]).kept
