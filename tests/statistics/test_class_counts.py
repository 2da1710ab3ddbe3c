"""Counts by level and class: a monoid, equal to counting cell by cell."""

import numpy as np
import pytest

from tamis.statistics.class_table import ClassCounts

SIZES = (3, 1, 5)


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    codes = np.column_stack([rng.integers(0, size, 200) for size in SIZES]).astype(np.uint8)
    return codes, rng.integers(0, 4, 200)


def counted(codes, classes):
    return ClassCounts.from_batch(codes, classes, SIZES, 4)


def test_counts_equal_a_loop_over_the_cells(rows):
    codes, classes = rows
    expected = np.zeros((sum(SIZES), 4), dtype=int)
    for row, kind in zip(codes, classes, strict=True):
        for j, code in enumerate(row):
            expected[(0, 3, 4)[j] + code, kind] += 1
    found = counted(codes, classes)
    assert np.array_equal(found.table, expected)
    assert found.sizes.tolist() == list(SIZES)
    assert found.by_class.tolist() == np.bincount(classes).tolist()
    assert np.array_equal(found.block(2), expected[4:])


def test_parts_merge_in_any_order_and_an_empty_part_changes_nothing(rows):
    codes, classes = rows
    whole = counted(codes, classes).table
    a, b, c = (counted(codes[part], classes[part]) for part in np.array_split(np.arange(200), 3))
    nothing = counted(codes[:0], classes[:0])
    for found in (a.merge(b).merge(c), a.merge(b.merge(c)), c.merge(a).merge(b)):
        assert np.array_equal(found.table, whole)
    assert np.array_equal(nothing.merge(a).table, a.table)
    assert np.array_equal(a.merge(nothing).table, a.table)


def test_columns_are_taken_and_levels_regrouped(rows):
    found = counted(*rows)
    taken = found.take(np.array([2, 0]))
    assert np.array_equal(taken.block(0), found.block(2))
    assert np.array_equal(taken.block(1), found.block(0))
    merged = found.regroup_levels(np.array([2]), [np.array([1, 4])])
    sums = [found.block(2)[part].sum(axis=0) for part in (slice(1), slice(1, 4), slice(4, 5))]
    assert np.array_equal(merged.block(2), sums)
    assert np.array_equal(merged.block(0), found.block(0))
