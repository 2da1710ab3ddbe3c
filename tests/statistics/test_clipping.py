"""Extreme values are limited where tails are heavy, by a sample that no order changes."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.statistics.clipping import (
    CLIP_MADS,
    HashedSample,
    _have_light_tails,
    find_limits,
    sample_size,
)


def limited(X, outliers="auto"):
    return np.isfinite(find_limits(HashedSample.from_batch(X), outliers)[1]).tolist()


def test_heavy_tails_have_limits_and_columns_beside_them_that_show_none():
    rng = np.random.default_rng(0)
    normal, flag = rng.normal(size=500), (rng.random(500) < 0.02).astype(float)
    lognormal, broken = np.exp(2 * rng.normal(size=500)), rng.normal(size=500)
    broken[3] = 1e5
    X = np.column_stack([normal, flag, lognormal, broken])
    assert limited(X) == [True, False, True, True]  # new rows may show tails in the first, too
    assert limited(X[:, :2]) == [False, False]
    assert limited(X, "keep") == [False] * 4
    assert limited(X, "clip") == [True, False, True, True]


def test_limits_are_five_deviations_from_the_median():
    X = np.arange(101.0)[:, None]
    X[100] = 1e6
    low, high = find_limits(HashedSample.from_batch(X), "auto")
    reach = 5 * 1.4826 * np.median(np.abs(X - 50.0))
    assert (low[0], high[0]) == pytest.approx((50 - reach, 50 + reach))


def test_the_sample_does_not_depend_on_order_or_batches():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3 * sample_size(2), 2))
    X[rng.random(X.shape) < 0.1] = np.nan
    whole = HashedSample.from_batch(X)
    shuffled = rng.permutation(X)
    parts = [HashedSample.from_batch(part) for part in np.array_split(shuffled, 7)]
    merged = parts[0]
    for part in parts[1:]:
        merged = merged.merge(part)
    assert len(merged.rows) == sample_size(2)
    np.testing.assert_array_equal(np.sort(merged.hashes), np.sort(whole.hashes))
    np.testing.assert_allclose(merged.variance, np.nanvar(X, axis=0))
    np.testing.assert_array_equal(find_limits(merged, "clip")[0], find_limits(whole, "clip")[0])


def test_one_broken_row_does_not_decide_and_is_counted():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(200, 6)), columns=list("abcdef"))
    frame["b"] += frame["a"]
    frame.loc[7, ["c", "d"]] = 1e4
    kept = tamis.select(frame, k=2, method="forward", options={"outliers": "keep"})
    auto = tamis.select(frame, k=2)
    assert {"c", "d"} & set(kept.names)
    assert auto.summary.clipped.values == {2: 1, 3: 1}
    assert auto.summary.clipped.rows == 1
    assert auto.explain("d").share < 0.1 if "d" not in auto.names else True


@pytest.mark.parametrize("rows", [3, 4, 5, 6, 9, 40, 257])
def test_a_column_of_light_tails_is_known_without_its_deviation(rows):
    rng = np.random.default_rng(rows)
    kinds = [rng.standard_normal, lambda n: rng.standard_t(2, n), lambda n: rng.exponential(1, n)]
    kinds += [lambda n: rng.integers(0, 3, n).astype(float), lambda n: np.repeat(1.0, n)]
    columns = np.array([kinds[i % len(kinds)](rows) for i in range(100)])
    variance = columns.var(axis=1)
    light = _have_light_tails(columns, variance)
    middle = np.median(columns, axis=1)[:, None]
    reach = CLIP_MADS * np.median(np.abs(columns - middle), axis=1)[:, None]
    # Where the deviation of a column is asked, none of its values is drawn in either.
    within = (np.abs(columns - middle) <= reach * (1 + 1e-12)).all(axis=1)
    assert within[light].all()
    assert light.any()


def test_parts_whose_means_are_too_far_apart_to_square_merge_without_a_warning():
    near, far = np.ones((5, 1)), np.full((5, 1), 1e200)
    merged = HashedSample.from_batch(near).merge(HashedSample.from_batch(far))
    assert merged.mean[0] == 5e199
    assert not np.isfinite(merged.variance[0])


def test_rows_that_known_ones_rule_out_change_no_sample(monkeypatch):
    monkeypatch.setattr("tamis.statistics.clipping.LEAST_SAMPLE_ROWS", 20)
    monkeypatch.setattr("tamis.statistics.clipping.MOST_SAMPLE_ROWS", 20)
    X = np.random.default_rng(3).normal(size=(300, 4))
    found = plain = HashedSample.from_batch(X[:100])
    for start in (100, 200):
        part = X[start : start + 100]
        found = found.merge(HashedSample.from_batch(part, known=found))
        plain = plain.merge(HashedSample.from_batch(part))
    np.testing.assert_array_equal(found.rows, plain.rows)
    np.testing.assert_array_equal(found.variance, plain.variance)
