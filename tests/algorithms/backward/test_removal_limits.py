"""What limits let a backward search remove, against the definition in plain NumPy."""

import numpy as np
import pytest
from tests.algorithms.test_limits import random_problem, satisfies

from tamis.algorithms.backward.components import remove_by_procrustes, remove_with_new_components
from tamis.algorithms.backward.ufs import remove_by_smallest_components, remove_redundant
from tamis.algorithms.backward.vif import remove_inflated
from tamis.algorithms.limits import Limits
from tamis.statistics.gram import DenseGram


def may_go(j, left, own):
    """Whether a column may be removed: no group falls below what it must have."""
    groups, least = own["groups"], own.get("at_least", {})
    barred = own.get("forbid", [])
    for name, columns in groups.items():
        need = min(least.get(name, 0), sum(i not in barred for i in columns))
        if need and j in columns and sum(i in columns for i in left) <= need:
            return False
    return True


def going_next(left, own):
    """List what may be removed next, by the sentences of the definition."""
    allowed = [j for j in left if may_go(j, left, own)]
    groups, axis = own["groups"], own.get("axis")
    full = [c for c in groups.values() if sum(i in c for i in left) > own.get("at_most", 99)]

    def is_too_much(j):
        near = axis and any(abs(axis[j] - axis[i]) < own["apart"] for i in left if i != j)
        return near or any(j in columns for columns in full)

    barred = [j for j in allowed if j in own.get("forbid", [])]
    return barred or [j for j in allowed if is_too_much(j)] or allowed


def remove_slowly(Z, own, worst):
    """Remove columns to the end; give the order."""
    left, gone = list(range(Z.shape[1])), []
    while len(left) > 1:
        going = going_next(left, own)
        if not going:
            break
        value = worst(Z[:, left])
        pick = max(going, key=lambda j: (value[left.index(j)], j))
        left.remove(pick)
        gone.append(pick)
    return gone


def inflate(Z):
    G = Z.T @ Z
    return np.diagonal(np.linalg.inv(G)) * np.diagonal(G)


def load_least(Z):
    return np.abs(np.linalg.eigh(Z.T @ Z)[1][:, 0])


@pytest.mark.parametrize(
    ("method", "worst"), [(remove_inflated, inflate), (remove_with_new_components, load_least)]
)
def test_removals_equal_their_definition(method, worst):
    for seed in range(75):
        Z, k, own = random_problem(seed)
        own.pop("budget", None)
        found = method(DenseGram(Z.T @ Z), k, retain=9.0, limits=Limits.of(Z.shape[1], **own))
        slow = remove_slowly(Z, own, worst)
        # The last of two columns tie, whatever the rule.
        assert found.removals.columns.tolist()[:-1] == slow[:-1], (seed, own)


@pytest.mark.parametrize(
    "method",
    [
        remove_inflated,
        remove_redundant,
        remove_by_smallest_components,
        remove_with_new_components,
        remove_by_procrustes,
    ],
)
def test_what_a_backward_method_keeps_breaks_no_limit(method):
    kept_as_asked = 0
    for seed in range(75):
        Z, k, own = random_problem(seed)
        d = Z.shape[1]
        if seed % 3 == 0:
            Z[:, -1] = Z[:, 0] + Z[:, 1]  # exact dependencies go first
        found = method(DenseGram(Z.T @ Z), k, retain=9.0, limits=Limits.of(d, **own))
        kept = found.kept.tolist()
        kept_as_asked += satisfies(kept, own, d) and len(kept) <= max(k, 3)
        # What must be kept may be too near, or too dear, together: nothing else is broken.
        loose = {n: v for n, v in own.items() if n not in ("apart", "axis", "budget")}
        assert satisfies(kept, {**loose, "at_most": own.get("at_most", d)}, d), (seed, own, kept)
    assert kept_as_asked >= 70


def test_included_columns_stay_and_forbidden_ones_go_first():
    limits = Limits.of(5, forbid=[4], groups={"A": [0, 1]}, at_least=1)
    within = Limits.fixing(5, [3], limits)
    assert within.fewest == 2
    live = np.ones(5, dtype=bool)
    assert within.mark_removals(live).tolist() == [False, False, False, False, True]
    live[[1, 4]] = False
    assert within.mark_removals(live).tolist() == [False, False, True, False, False]
