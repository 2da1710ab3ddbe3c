"""Errors by the rows of a table are those by its Gram matrix."""

import numpy as np
import pytest

from tamis.algorithms.ridge import KeptRows, SampleFold, predict_held_out, predict_with_each
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.grouped import GroupedGram, Groups
from tamis.statistics.row_blocks import HeldOutRows

SIZES = np.array([1, 2, *[1] * 37])


def make_fold(seed=0):
    """Make known and held-out rows, and the same rows as matrices of products."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((26, 4)) @ rng.standard_normal((4, 40))
    rows += rng.standard_normal((26, 40))
    known, held = rows[:18] - rows[:18].mean(axis=0), rows[18:] - rows[:18].mean(axis=0)
    shift, factor = 0.1 * rng.standard_normal(40), 1.0 + rng.random(40)
    by_rows = GroupedGram(RowGram(known / 4), Groups(SIZES))
    by_matrix = GroupedGram(DenseGram(known.T @ known / 16), Groups(SIZES))
    held_rows = HeldOutRows(8, RowGram(held), shift, factor, np.zeros(len(factor)))
    return by_rows, by_matrix, held_rows


@pytest.mark.parametrize("importance", [None, np.random.default_rng(1).random(39)])
def test_what_is_multiplied_is_the_same(importance):
    by_rows, by_matrix, held = make_fold()
    kept = np.array([5, 1, 20, 9])
    samples = SampleFold.of(by_rows, held, importance).keep(kept)
    rows = KeptRows.of(by_matrix, held, kept, importance)
    assert samples.choose_ridge(18) == rows.choose_ridge(18)
    for shrink in (0.0, 0.4):
        for found, expected in zip(samples.multiply(shrink), rows.multiply(shrink), strict=True):
            wanted = expected[:, rows.columns] if expected.shape != found.shape else expected
            np.testing.assert_allclose(found, wanted, atol=1e-12)


@pytest.mark.parametrize("shrink", [0.0, 0.4, None])
def test_errors_of_more_columns_than_half_the_rows_come_from_the_rows(shrink):
    by_rows, by_matrix, held = make_fold()
    kept = np.array([5, 1, 20, 9, 30, 31, 32, 2, 7, 11, 15])
    found, expected = (
        predict_held_out(one, held, kept, n_rows=18, shrink=shrink) for one in (by_rows, by_matrix)
    )
    np.testing.assert_allclose(found.errors, expected.errors, rtol=1e-10)
    np.testing.assert_allclose(found.own, expected.own, rtol=1e-10)


def test_the_errors_of_several_sets_are_those_of_each():
    by_rows, by_matrix, held = make_fold(2)
    sets = [np.array([3, 1, 8]), np.arange(10), np.array([38])]
    together = predict_with_each(by_rows, held, sets, n_rows=18)
    alone = [predict_with_each(by_matrix, held, [kept], n_rows=18)[0] for kept in sets]
    np.testing.assert_allclose(together, alone, rtol=1e-10)


def test_copies_among_the_kept_columns_add_nothing():
    by_rows, _, held = make_fold(3)
    rows = by_rows.gram.rows.copy()
    rows[:, 7] = 2.0 * rows[:, 5]
    statistic = GroupedGram(RowGram(rows), Groups(np.ones(40, dtype=int)))
    kept = SampleFold.of(statistic, held, None).keep(np.array([5, 7, 9]))
    assert kept.multiply(0.0).adds.tolist() == [0, 2]


def test_matrices_that_are_not_held_by_rows_have_none():
    by_rows, by_matrix, held = make_fold()
    assert SampleFold.of(by_matrix, held, None) is None
    dense = HeldOutRows(8, DenseGram(np.eye(40)), held.shift, held.factor, held.unknown)
    assert SampleFold.of(by_rows, dense, None) is None
