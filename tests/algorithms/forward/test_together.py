"""Groups that are taken whole, against a regression on every candidate group."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.limits import Limits, Units
from tamis.algorithms.residual import Residual
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.grouped import Groups
from tamis.statistics.summary import as_summary


def random_sensors(seed):
    """Make a table of sensors with some columns each, in no order, and single columns."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(8, 16))
    Z = rng.normal(size=(60, 4)) @ rng.normal(size=(4, d)) + rng.normal(size=(60, d))
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0) / np.sqrt(60)
    owner = rng.integers(0, 4, d)
    groups = {name: np.flatnonzero(owner == i).tolist() for i, name in enumerate("ABC")}
    return Z, {name: some for name, some in groups.items() if some}


def error_of(Z, columns):
    if not columns:
        return (Z**2).sum()
    A = Z[:, columns]
    return ((Z - A @ np.linalg.lstsq(A, Z, rcond=None)[0]) ** 2).sum()


def test_limits_of_units_are_those_of_their_first_columns_but_for_prices_and_barring():
    axis = {0: 0.0, 1: 4.0, 2: 1.0, 3: 9.0}
    groups, costs = {"A": [1, 3]}, {0: 1.0, 1: 2.0, 2: 1.0, 3: 5.0}
    limits = Limits.of(
        4, groups=groups, at_most=1, costs=costs, budget=9.0, apart=2.0, axis=axis, forbid=[3]
    )
    units = Units.of(limits).limit()
    assert (units.names, units.most.tolist(), units.budget, units.apart) == (("A",), [1], 9.0, 2.0)
    assert units.price.tolist() == [1.0, 7.0, 1.0]
    assert units.barred.tolist() == [False, True, False]
    assert units.place.tolist() == [0.0, 4.0, 1.0]
    assert units.asked


def take_slowly(Z, groups, k, price, budget):
    """Take at each step the group, or single column, that lowers the error most for its price."""
    single = [[j] for j in range(Z.shape[1]) if not any(j in some for some in groups.values())]
    units = sorted([*groups.values(), *single])
    kept, spent = [], 0.0
    for _ in range(min(k, len(units))):
        worth = {}
        for unit in units:
            cost = 1.0 if price is None else sum(price[j] for j in unit)
            if unit[0] not in kept and spent + cost <= budget:
                gain = error_of(Z, kept) - error_of(Z, [*kept, *unit])
                worth[tuple(unit)] = (gain / cost, cost)
        if not worth:
            break
        best = max(worth, key=lambda unit: worth[unit][0])
        spent += worth[best][1]
        kept += best
    return kept


@pytest.mark.parametrize("part", range(2))
def test_groups_taken_whole_equal_regressions_on_every_candidate(part):
    for seed in range(50 * part, 50 * part + 50):
        Z, groups = random_sensors(seed)
        d, rng = Z.shape[1], np.random.default_rng(seed)
        price = {j: float(rng.integers(1, 4)) for j in range(d)} if seed % 2 else None
        budget = float(rng.integers(8, 20)) if seed % 4 == 1 else None
        limits = Limits.of(d, groups=groups, costs=price, budget=budget)
        gram = DenseGram(Z.T @ Z) if seed % 3 else RowGram(Z)
        found = take_groups(gram, 3, limits=limits, together=True, retain=9.0)
        slow = take_slowly(Z, groups, 3, price, np.inf if budget is None else budget)
        assert found.indices.tolist() == slow, seed
        left = error_of(Z, slow) / (Z**2).sum()
        assert found.retained[-1] == pytest.approx(1 - left, abs=1e-9)
        assert len(found.retained) == len(slow)


def test_a_group_of_one_forbidden_column_is_not_taken_and_an_included_column_brings_its_group():
    Z, groups = random_sensors(1)
    d = Z.shape[1]
    some = max(groups.values(), key=len)
    limits = Limits.of(d, groups=groups, forbid=[some[0]])
    kept = take_groups(DenseGram(Z.T @ Z), d, limits=limits, together=True).indices
    assert not set(kept.tolist()) & set(some)
    limits = Limits.of(d, groups=groups)
    found = take_groups(DenseGram(Z.T @ Z), 2, include=[some[-1]], limits=limits, together=True)
    assert found.indices[: len(some)].tolist() == some


def test_categories_are_taken_with_their_group():
    Z, _ = random_sensors(5)
    statistic = as_summary(DenseGram(Z.T @ Z), Groups(np.array([1, 3, *[1] * (Z.shape[1] - 4)])))
    limits = Limits.of(Z.shape[1] - 2, groups={"G": [1, 3]})
    found = take_groups(statistic, 1, limits=limits, together=True, include=[3])
    assert found.indices.tolist() == [1, 3]
    left = error_of(Z, [1, 2, 3, 5]) / (Z**2).sum()
    assert found.share == pytest.approx(1 - left, abs=1e-9)


def test_with_shrinkage_too():
    Z, groups = random_sensors(2)
    limits = Limits.of(Z.shape[1], groups=groups)
    path = take_groups(DenseGram(Z.T @ Z), 2, limits=limits, together=True, shrink=0.1)
    owners = {next((n for n, some in groups.items() if j in some), j) for j in path.indices}
    assert len(owners) == 2


@pytest.mark.parametrize("weights", [None, 20, 60])
def test_gains_that_follow_large_groups_are_those_computed_afresh(weights):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(200, 6)) @ rng.normal(size=(6, 60)) + rng.normal(size=(200, 60))
    statistic = as_summary(DenseGram(Z.T @ Z), Groups(np.array([20, 10, 10, 1, 1, 18])))
    few = None if weights is None else np.where(np.arange(6) < (1 if weights < 30 else 6), 2.0, 0.0)
    for shrink in (0.0, 0.1):
        followed, afresh = (Residual(statistic, 3, shrink, few) for _ in range(2))
        for group in (1, 3, 5):
            followed.gains()
            followed.take(group)
            afresh.take(group)
        assert followed.gains() == pytest.approx(afresh.gains(), rel=1e-9, abs=1e-14)


def test_an_unrelated_category_in_the_table_changes_nothing_between_groups_of_numbers():
    groups = {"A": range(8), "B": range(8, 15), "C": range(15, 20), "D": range(20, 24)}
    named = {name: [f"c{i}" for i in some] for name, some in groups.items()}
    for seed in range(8):
        rng = np.random.default_rng(seed)
        factors = rng.normal(size=(50, 6)) @ rng.normal(size=(6, 24))
        table = factors + 1.5 * rng.normal(size=(50, 24))
        numbers = pd.DataFrame(table, columns=[f"c{i}" for i in range(24)])
        mixed = numbers.assign(z=rng.choice(list("pqr"), 50))
        whole = {"groups": named, "together": True, "shrink": 0.0}
        alone = tamis.select(numbers, 2, held_out=False, options=whole)
        beside = tamis.select(mixed, 2, held_out=False, options={**whole, "forbid": ["z"]})
        assert alone.names == beside.names
