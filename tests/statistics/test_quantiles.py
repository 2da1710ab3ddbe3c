"""The quantile sketch: exact while small, close when large, the same for any batches."""

import numpy as np
import pytest

from tamis.statistics.coding import QuantileSketch, chunk_rows, read_quantiles

SHARES = np.arange(1, 10) / 10


def sketched(X, batches):
    first, *others = np.array_split(X, batches)
    sketch = QuantileSketch.from_batch(first)
    for part in others:
        sketch = sketch.follow_by(part)
    return sketch


def test_few_rows_give_the_quantiles_of_numpy():
    X = np.random.default_rng(0).standard_normal((500, 3))
    sketch = sketched(X, 4)
    for j in range(3):
        found = read_quantiles(*sketch.points(j), SHARES)
        np.testing.assert_allclose(found, np.quantile(X[:, j], SHARES), atol=1e-14)


@pytest.mark.parametrize("batches", [1, 7, 60])
def test_batches_play_no_part(batches):
    X = np.random.default_rng(1).exponential(size=(70_000, 2))
    once, often = sketched(X, 1), sketched(X, batches)
    assert once.count == often.count == 70_000
    for j in range(2):
        for a, b in zip(once.points(j), often.points(j), strict=True):
            assert np.array_equal(a, b)


@pytest.mark.parametrize("order", ["random", "rising"])
def test_many_rows_are_thinned_out_and_stay_close(order):
    x = np.random.default_rng(2).permutation(300_000).astype(float)
    x = np.sort(x) if order == "rising" else x
    sketch = sketched(x[:, None], 11)
    values, weights = sketch.points(0)
    assert len(values) < 10 * chunk_rows(1)
    assert weights.sum() == 300_000
    ranks = read_quantiles(values, weights, SHARES) / 300_000
    assert np.abs(ranks - SHARES).max() < 1e-3


def test_missing_values_are_counted_and_left_out():
    X = np.array([[1.0, np.nan], [np.nan, np.nan], [3.0, 2.0], [2.0, 5.0]])
    sketch = QuantileSketch.from_batch(X[:2]).merge(QuantileSketch.from_batch(X[2:]))
    assert sketch.missing.tolist() == [1, 2]
    assert sketch.points(0)[0].tolist() == [1.0, 2.0, 3.0]
    assert (sketch.low.tolist(), sketch.high.tolist()) == ([1.0, 2.0], [3.0, 5.0])


def test_parts_read_apart_can_be_joined():
    x = np.random.default_rng(3).permutation(200_000).astype(float)[:, None]
    parts = [QuantileSketch.from_batch(part) for part in np.array_split(x, 3)]
    joined = parts[2].merge(parts[0]).merge(parts[1])
    values, weights = joined.points(0)
    assert weights.sum() == joined.count == 200_000
    assert np.abs(read_quantiles(values, weights, SHARES) / 200_000 - SHARES).max() < 1e-3
