import numpy as np
import pytest

from tamis.statistics.missing import Tally
from tamis.statistics.read_blocks import HeldRows
from tamis.statistics.row_patterns import (
    SIMILAR,
    choose_columns,
    correlate_successive,
    similarity_within,
)


def make_series(rows, width, keep, seed=0):
    rng = np.random.default_rng(seed)
    series = rng.normal(size=(rows, width))
    for i in range(1, rows):
        series[i] += keep * series[i - 1]
    return series


def test_the_correlation_of_successive_rows_is_that_of_each_row_with_the_next():
    series = make_series(4000, 5, 0.8)
    apart = series - series.mean(axis=0)
    slow = np.median((apart[1:] * apart[:-1]).sum(axis=0) / (apart**2).sum(axis=0))
    assert correlate_successive(series) == pytest.approx(slow, rel=1e-3)


@pytest.mark.parametrize("rows", [100, 400, 2000])
@pytest.mark.parametrize("width", [1, 6, 40])
def test_series_are_seen_and_shuffled_ones_are_not(rows, width):
    series = make_series(rows, width, 0.95)
    assert correlate_successive(series) is not None
    rng = np.random.default_rng(1)
    assert all(correlate_successive(rng.permutation(series)) is None for _ in range(50))


def test_rows_sorted_by_a_class_do_not_follow_one_another():
    rng = np.random.default_rng(2)
    centres = 3 * rng.normal(size=(3, 6))
    rows = centres[np.repeat(np.arange(3), 100)] + rng.normal(size=(300, 6))
    assert correlate_successive(rows) is None


def test_the_first_rows_are_the_same_in_any_batches():
    series = make_series(3000, 150, 0.9)
    whole, parts = HeldRows(150), HeldRows(150)
    whole.add(series, (series, None))
    for start in range(0, 3000, 7):
        batch = series[start : start + 7]
        parts.add(batch, (batch, None))
    found = [rows.summary(True, Tally(150)).successive for rows in (whole, parts)]
    assert found[0] == found[1] == correlate_successive(series[:2000, choose_columns(150)])


def test_rows_of_one_key_are_alike_and_those_of_a_shuffled_key_are_not():
    rng = np.random.default_rng(3)
    codes = np.repeat(np.arange(60), 5)
    rows = rng.normal(size=(60, 8))[codes] + rng.normal(size=(300, 8))
    assert similarity_within(rows, codes) == pytest.approx(0.5, abs=0.15)
    assert all(similarity_within(rows, rng.permutation(codes)) < SIMILAR for _ in range(50))


def test_few_groups_or_few_repeated_rows_say_nothing():
    rows = np.repeat(np.random.default_rng(4).normal(size=(10, 3)), 2, axis=0)
    assert similarity_within(rows, np.repeat(np.arange(10), 2)) == 0.0
    assert similarity_within(np.repeat(rows, 9, axis=0), np.repeat(np.arange(2), 90)) == 0.0
