import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_wine

from tamis.errors import TamisError
from tamis.evaluation.neighbour_agreement import (
    nearest_first,
    neighbourhood_agreement,
    shared_neighbours,
)


def slow_nearest(X, k, include_self):
    """Sort all rows by distance, then by place."""
    X = np.asarray(X, dtype=float)
    lists = []
    for i, row in enumerate(X):
        keys = [
            (((row - other) ** 2).sum(), j) for j, other in enumerate(X) if include_self or j != i
        ]
        lists.append([j for _, j in sorted(keys)[:k]])
    return lists


def slow_agreement(X, Y, k, include_self):
    pairs = zip(slow_nearest(X, k, include_self), slow_nearest(Y, k, include_self), strict=True)
    return np.mean([len({*a} & {*b}) / len({*a} | {*b}) for a, b in pairs])


@settings(derandomize=True, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.integers(1, 4))
def test_agreement_equals_its_definition_on_tables_full_of_ties(seed, include_self, levels):
    # Whole numbers: distances are exact and many are equal.
    X = np.random.default_rng(seed).integers(0, levels, (15, 4))
    found = neighbourhood_agreement(X, X[:, :2], neighbours=[1, 3, 9], include_self=include_self)
    for k, value in found.items():
        assert value == pytest.approx(slow_agreement(X, X[:, :2], k, include_self), abs=1e-12)
    assert nearest_first(X, 9, include_self=include_self).tolist() == slow_nearest(
        X, 9, include_self
    )


@pytest.mark.parametrize("include_self", [False, True])
def test_agreement_equals_its_definition_on_real_values(include_self):
    X = load_wine().data[::2]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    found = neighbourhood_agreement(X, X[:, [0, 6, 9]], include_self=include_self)
    assert list(found) == [3, 5, 10]
    for k, value in found.items():
        assert value == pytest.approx(slow_agreement(X, X[:, [0, 6, 9]], k, include_self))


@pytest.mark.parametrize("include_self", [False, True])
def test_all_columns_in_any_order_give_exactly_one(include_self):
    X = np.random.default_rng(0).standard_normal((60, 9)).round(1)
    X[30:] = X[:30]
    found = neighbourhood_agreement(X, X[:, ::-1], include_self=include_self)
    assert found == {3: 1.0, 5: 1.0, 10: 1.0}


def test_with_itself_among_the_candidates_a_row_is_first_unless_earlier_rows_are_copies():
    X = np.array([[0.0], [4.0], [0.0], [0.0], [1.0]])
    assert nearest_first(X, 2, include_self=True).tolist() == [
        [0, 2],
        [1, 4],
        [0, 2],
        [0, 2],
        [4, 0],
    ]
    assert nearest_first(X, 2).tolist() == [[2, 3], [4, 0], [0, 3], [0, 2], [0, 2]]
    assert nearest_first(X, 5, include_self=True).shape == (5, 5)


def test_overlaps_are_counted_by_hand():
    old, new = np.array([[1, 2, 3], [0, 2, 3]]), np.array([[3, 4, 1], [4, 5, 6]])
    assert shared_neighbours(old, new, [1, 3]) == {1: 0.0, 3: pytest.approx((2 / 4 + 0) / 2)}


def test_float32_is_measured_in_float64():
    X = (np.random.default_rng(1).standard_normal((40, 3)) + 1000).astype(np.float32)
    exact = neighbourhood_agreement(X.astype(float), X[:, :2].astype(float))
    assert neighbourhood_agreement(X, X[:, :2]) == exact


def test_too_many_neighbours_are_refused_with_the_range():
    X = np.arange(8.0)[:, None]
    with pytest.raises(TamisError, match="10 neighbours of 8 rows: give a number from 1 to 7"):
        neighbourhood_agreement(X, X)
    with pytest.raises(TamisError, match="from 1 to 8"):
        nearest_first(X, 9, include_self=True)
    with pytest.raises(TamisError, match="8 rows and reduced 7"):
        neighbourhood_agreement(X, X[1:])
