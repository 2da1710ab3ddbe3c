import numpy as np

from tamis.algorithms.backward.elimination import (
    chain_removals,
    measure_prefixes,
    rank_by_removal,
    split_independent,
)
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Removals
from tamis.statistics.gram import DenseGram


def removals(columns, errors, positions=None):
    n = len(columns)
    places = np.full((n, 1), -1) if positions is None else np.array(positions)[:, None]
    return Removals(np.array(columns), np.array(errors, float), places, np.ones((n, 1)))


def table():
    X = np.random.default_rng(0).normal(size=(40, 4))
    X -= X.mean(axis=0)
    return np.column_stack([X, X[:, 0] - X[:, 1]])


def test_exactly_dependent_columns_are_dropped_and_the_rest_has_full_rank():
    X = table()
    found = split_independent(DenseGram(X.T @ X), Limits.fixing(X.shape[1], []))
    assert len(found.removed.columns) == 1
    assert np.linalg.matrix_rank(X[:, found.left]) == len(found.left) == 4


def test_columns_of_a_second_run_get_their_names_in_the_table():
    both = chain_removals(
        removals([4], [0.0]), removals([1, 0], [1.0, 2.0], [0, -1]), np.array([0, 2, 3])
    )
    assert both.columns.tolist() == [4, 2, 0]
    assert both.positions[:, 0].tolist() == [-1, 0, -1]


def test_what_the_first_columns_reproduce_is_that_of_a_regression():
    X = table()
    order = np.array([2, 0, 1, 3, 4])
    found = measure_prefixes(DenseGram(X.T @ X), order, 4)
    for size in range(1, 6):
        head = X[:, order[:size]]
        fitted = head @ np.linalg.lstsq(head, X, rcond=None)[0]
        assert np.isclose(found[size - 1], (fitted**2).sum() / (X**2).sum())


def test_a_threshold_removes_while_the_error_is_small():
    X = table()
    order = removals([4, 1, 3], [0.0, 0.5, 2.0])
    gram, free, common = DenseGram(X.T @ X), Limits.fixing(5, []), {"rank": 4, "retain": 1.0}
    found = rank_by_removal(gram, order, 5, free, threshold=1.0, **common)
    assert sorted(found.kept.tolist()) == [0, 2, 3]
    assert len(rank_by_removal(gram, order, 2, free, **common).kept) == 2
