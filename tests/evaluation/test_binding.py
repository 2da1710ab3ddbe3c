"""Which limits keep out a column, and what that costs: against all single changes."""

import numpy as np

from tamis.algorithms.limits import Limits
from tamis.evaluation.measure import measure_of
from tamis.evaluation.outcome import find_binding, find_demanded
from tamis.statistics.gram import DenseGram


def test_each_kind_of_limit_names_the_best_column_it_alone_keeps_out():
    gains = np.array([0.0, 0.3, 0.2, 0.1, 0.15, 0.05])
    limits = Limits.of(
        6,
        groups={"A": [0, 1]},
        at_most=1,
        forbid=[2],
        costs={3: 9.0},
        budget=5.0,
        apart=2.0,
        axis={0: 0.0, 4: 1.0},
    )
    found = find_binding(limits, np.array([0]), gains, list("abcdef"))
    kept_out = {one.option: (one.group, one.column, one.gain) for one in found}
    assert kept_out == {
        "at_most": ("A", "b", 0.3),
        "apart": (None, "e", 0.15),
        "budget": (None, "d", 0.1),
        "forbid": (None, "c", 0.2),
    }


def test_a_group_that_must_be_there_says_what_another_column_would_add():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(50, 6)) * [3, 3, 3, 1, 1, 1]
    G = DenseGram(Z.T @ Z)
    measure, kept = measure_of(G), np.array([0, 1, 3])
    limits = Limits.of(6, groups={"C": [3, 4]}, at_least=1)
    names, swaps = list("abcdef"), lambda places: measure.swaps(kept, places)
    (found,) = find_demanded(limits, kept, (), swaps, names)

    def share(columns):
        A = Z[:, columns]
        left = Z - A @ np.linalg.lstsq(A, Z, rcond=None)[0]
        return 1 - (left**2).sum() / (Z**2).sum()

    assert (found.option, found.group, found.column) == ("at_least", "C", "c")
    assert np.isclose(found.gain, share([0, 1, 2]) - share([0, 1, 3]))
    assert find_demanded(limits, kept, (3,), swaps, names) == []
