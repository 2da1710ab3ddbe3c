"""Counts of pairs of levels: exact for any number of rows, order of rows and share of a level."""

from itertools import pairwise

import numpy as np
import pytest

from tamis.statistics.joint_counts import Block, count_pairs_of_levels


def blocks_of(codes, *cuts):
    counts = [np.bincount(column) for column in codes.T]
    edges = [0, *cuts, len(counts)]
    return [Block.of(a, counts[a:b]) for a, b in pairwise(edges)]


def by_definition(codes, left, right):
    rows = [codes[:, one.columns][:, one.owners] == one.levels for one in (left, right)]
    return rows[0].T.astype(int) @ rows[1].astype(int)


def check(codes, left, right):
    found, ours, theirs = count_pairs_of_levels(codes, left, right)
    expected = by_definition(codes, left, right)
    upper = np.triu if left is right else np.asarray
    np.testing.assert_array_equal(upper(found), upper(expected))
    np.testing.assert_array_equal(ours, by_definition(codes, left, left).diagonal())
    np.testing.assert_array_equal(theirs, by_definition(codes, right, right).diagonal())


@pytest.mark.parametrize("rows", [1, 63, 64, 361, 9_000])
@pytest.mark.parametrize("levels", [2, 3, 7, 40])
def test_counts_are_exact(rows, levels):
    rng = np.random.default_rng(levels)
    codes = np.minimum(rng.geometric(0.3, (rows, 12)) - 1, levels - 1)
    left, right = blocks_of(codes, 7)
    check(codes, left, right)
    check(codes, left, left)


def test_a_level_that_fills_many_rows_in_a_run_is_counted_exactly():
    codes = np.sort(np.random.default_rng(0).integers(0, 3, (40_000, 4)), axis=0)
    check(codes.astype(np.uint8), *blocks_of(codes, 2))


@pytest.mark.nightly
def test_a_block_of_several_strips_has_what_is_on_its_diagonal_and_above():
    codes = np.random.default_rng(1).integers(0, 12, (700, 90)).astype(np.uint16)
    (block,) = blocks_of(codes)
    assert block.strips > 2
    check(codes, block, block)


def test_the_most_frequent_level_is_left_out_and_a_constant_column_has_one_without_rows():
    block = Block.of(4, [np.array([1, 5, 2]), np.array([8])])
    assert block.columns == slice(4, 6)
    assert block.levels.tolist() == [0, 2, 1]
    assert block.owners.tolist() == [0, 0, 1]
    assert block.starts.tolist() == [0, 2]
