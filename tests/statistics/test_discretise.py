"""Bins: edges by three rules, ties, few values, missing values."""

import numpy as np
import pandas as pd
import pytest

from tamis.statistics.discretise import binned, by_means, edges_of
from tamis.statistics.quantiles import QuantileSketch


def codes(x, bins, binning="depth"):
    rows = np.asarray(x, dtype=float)[:, None]
    return binned(rows, edges_of(QuantileSketch.from_batch(rows), bins, binning)).ravel()


def test_equal_depth_equals_pandas():
    x = np.random.default_rng(0).standard_normal(997)
    assert codes(x, 10).tolist() == pd.qcut(x, 10, labels=False).tolist()


def test_equal_width_equals_pandas():
    x = np.random.default_rng(0).standard_normal(500)
    assert codes(x, 7, "width").tolist() == pd.cut(x, 7, labels=False).tolist()


def test_heavy_ties_give_fewer_bins_and_none_is_empty():
    x = np.r_[np.zeros(60), np.arange(1, 41)]
    found = codes(x, 10)
    assert np.bincount(found).min() > 0
    assert len(set(found[:60])) == 1
    assert found.max() + 1 < 10


def test_few_different_values_stay_as_they_are():
    x = np.array([3, 1, 1, 7, 3, 3, 7])
    for binning in ("depth", "width", "kmeans"):
        assert codes(x, 5, binning).tolist() == [1, 0, 0, 2, 1, 1, 2]


def test_kmeans_finds_the_clumps():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.normal(centre, 0.1, 40) for centre in (0, 5, 6, 30)])
    assert np.array_equal(np.bincount(codes(x, 4, "kmeans")), [40, 40, 40, 40])


def test_kmeans_stops_where_no_value_changes_its_bin():
    x = np.sort(np.random.default_rng(2).exponential(size=300))
    edges = by_means(x, np.ones(300), 6)
    place = np.searchsorted(edges, x, side="left")
    centres = np.array([x[place == i].mean() for i in range(len(edges) + 1)])
    nearest = np.abs(x[:, None] - centres).argmin(axis=1)
    assert np.array_equal(place, nearest)


def test_rare_values_of_a_long_column_are_not_lost():
    x = np.zeros(200_000)
    x[[3, 70_000, 150_000]] = 1
    assert np.bincount(codes(x, 10)).tolist() == [199_997, 3]


def test_units_play_no_part_even_where_an_edge_is_a_value():
    for n in (31, 61, 91, 121, 997):
        x = np.arange(float(n))
        for other in (10 * x, x / 3, x + 1e6):
            assert np.array_equal(codes(x, 10), codes(other, 10))


@pytest.mark.parametrize("binning", ["depth", "width", "kmeans"])
def test_values_outside_and_missing_ones_have_a_place(binning):
    rows = np.random.default_rng(0).standard_normal((100, 1))
    edges = edges_of(QuantileSketch.from_batch(rows), 4, binning)
    found = binned(np.array([[-1e9], [1e9], [np.nan]]), edges).ravel().tolist()
    assert found == [0, 3, 4]
