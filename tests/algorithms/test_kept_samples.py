"""Errors by the rows of a table are those by its Gram matrix."""

from dataclasses import replace

import numpy as np
import pytest

from tamis.algorithms.fold import Fold
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.grouped import Groups
from tamis.statistics.row_blocks import HeldOutRows
from tamis.statistics.summary import Summary

SIZES = np.array([1, 2, *[1] * 37])


def make_fold(seed=0):
    """Make known and held-out rows, and the same rows as matrices of products."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((26, 4)) @ rng.standard_normal((4, 40))
    rows += rng.standard_normal((26, 40))
    known, held = rows[:18] - rows[:18].mean(axis=0), rows[18:] - rows[:18].mean(axis=0)
    shift, factor = 0.1 * rng.standard_normal(40), 1.0 + rng.random(40)
    held_rows = HeldOutRows(8, RowGram(held), shift, factor, np.zeros(len(factor)))
    grams = RowGram(known / 4), DenseGram(known.T @ known / 16)
    return tuple(fold_of(gram, SIZES, held_rows) for gram in grams)


def fold_of(gram, sizes, held_rows, importance=None):
    known = Summary(18, np.arange(len(sizes)), gram, groups=Groups(sizes))
    return Fold(known, held_rows, importance)


@pytest.mark.parametrize("importance", [None, np.random.default_rng(1).random(39)])
def test_what_is_multiplied_is_the_same(importance):
    by_rows, by_matrix = (replace(fold, importance=importance) for fold in make_fold())
    kept = np.array([5, 1, 20, 9])
    samples, rows = by_rows.keep_samples(kept), by_matrix.keep_products(kept)
    assert samples.choose_ridge() == rows.choose_ridge()
    for shrink in (0.0, 0.4):
        for found, expected in zip(samples.multiply(shrink), rows.multiply(shrink), strict=True):
            wanted = expected[:, rows.columns] if expected.shape != found.shape else expected
            np.testing.assert_allclose(found, wanted, atol=1e-12)


@pytest.mark.parametrize("shrink", [0.0, 0.4, None])
def test_errors_of_more_columns_than_half_the_rows_come_from_the_rows(shrink):
    kept = np.array([5, 1, 20, 9, 30, 31, 32, 2, 7, 11, 15])
    found, expected = (fold.errors(kept, shrink) for fold in make_fold())
    np.testing.assert_allclose(found.errors, expected.errors, rtol=1e-10)
    np.testing.assert_allclose(found.own, expected.own, rtol=1e-10)


def test_the_errors_of_several_sets_are_those_of_each():
    by_rows, by_matrix = make_fold(2)
    sets = [np.array([3, 1, 8]), np.arange(10), np.array([38])]
    together = by_rows.errors_of_sets(sets, None)
    alone = [by_matrix.errors_of_sets([kept], None)[0] for kept in sets]
    np.testing.assert_allclose(together, alone, rtol=1e-10)


def test_copies_among_the_kept_columns_add_nothing():
    by_rows, _ = make_fold(3)
    rows = by_rows.training.gram.rows.copy()
    rows[:, 7] = 2.0 * rows[:, 5]
    fold = fold_of(RowGram(rows), np.ones(40, dtype=int), by_rows.held)
    kept = fold.keep_samples(np.array([5, 7, 9]))
    assert kept.multiply(0.0)[0].tolist() == [0, 2]


def test_matrices_that_are_not_held_by_rows_have_none():
    by_rows, by_matrix = make_fold()
    assert by_matrix.samples is None
    held = replace(by_rows.held, gram=DenseGram(np.eye(40)))
    assert replace(by_rows, held=held).samples is None
