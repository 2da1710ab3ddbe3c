"""Greedy search under limits, against its slow definition."""

import numpy as np
import pytest

from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.limits import Limits
from tamis.algorithms.refine.swap import swap_columns
from tamis.statistics.gram import DenseGram
from tamis.statistics.summary import as_summary


def random_problem(seed, d=None):
    """Make a small table and limits of all kinds, each in half of the problems."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(4, 11)) if d is None else d
    Z = rng.normal(size=(40, 3)) @ rng.normal(size=(3, d)) + rng.normal(size=(40, d))
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0) / np.sqrt(40)
    owner = rng.integers(0, 4, d)
    groups = {name: np.flatnonzero(owner == i).tolist() for i, name in enumerate("ABC")}
    own = {"groups": groups, "costs": dict(enumerate(rng.integers(1, 5, d).tolist()))}
    if rng.random() < 0.6:
        own["at_most"] = int(rng.integers(1, 3))
    if rng.random() < 0.5:
        own["at_least"] = dict.fromkeys("AB"[: rng.integers(1, 3)], 1)
    if rng.random() < 0.5:
        own["budget"] = float(rng.integers(6, 14))
    if rng.random() < 0.5:
        own |= {"apart": 2.0, "axis": dict(enumerate(rng.permutation(d).tolist()))}
    if rng.random() < 0.4:
        own["forbid"] = [int(rng.integers(d))]
    return Z, int(rng.integers(2, d + 1)), own


def may_follow(j, kept, k, own, d):
    """Whether a column may come next, by the sentences of the definition."""
    allowed = [i for i in range(d) if i not in own.get("forbid", [])]
    price, axis, groups = own["costs"], own.get("axis", {}), own["groups"]
    apart = own.get("apart", 0.0) if axis else 0.0
    owner = {i: name for name, columns in groups.items() for i in columns}
    most = own.get("at_most", d)
    least = {
        name: min(count, sum(i in allowed for i in groups[name]))
        for name, count in own.get("at_least", {}).items()
    }

    def is_open(i, taken):
        counted = sum(owner.get(t) == owner.get(i) for t in taken)
        far = not apart or all(abs(axis[i] - axis[t]) >= apart for t in taken)
        return i in allowed and i not in taken and far and (i not in owner or counted < most)

    if not is_open(j, kept):
        return False
    before = [i for i in range(d) if is_open(i, kept)]
    after = [*kept, j]
    spent, needed = sum(price[i] for i in after), 0
    for name, count in least.items():
        missing = count - sum(owner.get(t) == name for t in after)
        if missing <= 0:
            continue
        needed += missing
        others = [i for i in before if owner.get(i) == name and i != j]
        near = [i for i in others if not apart or abs(axis[i] - axis[j]) >= apart]
        if len(near) < missing and apart:
            return False
        spent += sum(sorted(price[i] for i in others)[:missing])
    return needed <= k - len(after) and spent <= own.get("budget", np.inf)


def slow_picks(Z, k, own):
    """Choose by a regression on every candidate that may follow."""
    kept, d = [], Z.shape[1]
    total = (Z**2).sum()
    while len(kept) < k:
        gains = np.full(d, -np.inf)
        for j in range(d):
            if may_follow(j, kept, k, own, d):
                A = Z[:, [*kept, j]]
                left = Z - A @ np.linalg.lstsq(A, Z, rcond=None)[0]
                gains[j] = (-(left**2).sum() + error(Z, kept)) / total / own["costs"][j]
        if not np.isfinite(gains).any():
            break
        kept.append(int(np.argmax(gains)))
    return kept


def error(Z, kept):
    if not kept:
        return (Z**2).sum()
    A = Z[:, kept]
    return ((Z - A @ np.linalg.lstsq(A, Z, rcond=None)[0]) ** 2).sum()


@pytest.mark.parametrize("part", range(6))
def test_picks_are_those_of_the_definition_on_300_problems(part):
    for seed in range(50 * part, 50 * part + 50):
        Z, k, own = random_problem(seed)
        found = take_groups(
            DenseGram(Z.T @ Z), k, limits=Limits.of(Z.shape[1], **own)
        ).indices.tolist()
        assert found == slow_picks(Z, k, own), (seed, own)


def test_a_distance_and_a_count_and_a_budget_are_kept():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(100, 60))
    axis = dict(enumerate(np.arange(60.0) * 2))
    found = take_groups(DenseGram(Z.T @ Z), 9, limits=Limits.of(60, apart=10.0, axis=axis)).indices
    assert (np.diff(np.sort(found)) * 2 >= 10).all()
    costs = dict.fromkeys(range(60), 3.0)
    dear = Limits.of(60, costs=costs, budget=10.0)
    assert len(take_groups(DenseGram(Z.T @ Z), 9, limits=dear).indices) == 3


def test_columns_that_the_limits_name_come_before_better_ones():
    G = np.diag([3.0, 2.0, 1.0, 0.5])
    own = {"groups": {"A": [0, 1], "B": [3]}, "at_most": 1, "at_least": {"B": 1}}
    assert take_groups(DenseGram(G), 3, limits=Limits.of(4, **own)).indices.tolist() == [0, 2, 3]
    assert take_groups(DenseGram(G), 2, limits=Limits.of(4, **own)).indices.tolist() == [0, 3]


def test_a_share_is_not_enough_while_a_group_is_missing():
    G = np.diag([3.0, 2.0, 1.0, 0.5])
    own = {"groups": {"B": [3]}, "at_least": 1}
    assert take_groups(
        DenseGram(G), 4, retain=0.4, limits=Limits.of(4, **own)
    ).indices.tolist() == [0, 3]


def test_without_limits_nothing_is_asked():
    assert not Limits.of(5, forbid=[2], costs={1: 3.0}).any


def satisfies(kept, own, d):
    """Whether a set of columns breaks no limit."""
    groups, axis, apart = own["groups"], own.get("axis"), own.get("apart", 0.0)
    counts = {name: sum(j in columns for j in kept) for name, columns in groups.items()}
    there = {name: sum(j not in own.get("forbid", []) for j in groups[name]) for name in groups}
    near = axis and any(abs(axis[a] - axis[b]) < apart for a in kept for b in kept if a < b)
    return (
        all(count <= own.get("at_most", d) for count in counts.values())
        and all(counts[n] >= min(c, there[n]) for n, c in own.get("at_least", {}).items())
        and sum(own["costs"][j] for j in kept) <= own.get("budget", np.inf)
        and not near
        and not set(own.get("forbid", [])) & set(kept)
    )


@pytest.mark.parametrize("part", range(3))
def test_swaps_keep_the_limits_and_no_feasible_swap_is_left(part):
    for seed in range(30 * part, 30 * part + 30):
        Z, k, own = random_problem(seed)
        d, statistic = Z.shape[1], as_summary(DenseGram(Z.T @ Z))
        greedy = take_groups(statistic, k, limits=Limits.of(d, **own))
        if not len(greedy.kept) or not satisfies(greedy.kept.tolist(), own, d):
            continue
        found = swap_columns(statistic, greedy, Limits.of(d, **own))
        kept = found.kept.tolist()
        assert satisfies(kept, own, d)
        assert found.share >= greedy.share - 1e-12
        for i in range(len(kept)):
            for j in set(range(d)) - set(kept):
                other = [*kept[:i], *kept[i + 1 :], j]
                if satisfies(other, own, d):
                    assert error(Z, other) >= error(Z, kept) - 1e-9 * (Z**2).sum()
