"""Bins: edges by three rules, ties, few values, missing values."""

import numpy as np
import pandas as pd
import pytest

from tamis.statistics.coding import QuantileSketch, bin_rows, by_means, find_bins


def edges_of(sketch, bins, binning):
    return [found.edges for found in find_bins(sketch, bins, binning)]


def codes(x, bins, binning="depth"):
    rows = np.asarray(x, dtype=float)[:, None]
    return bin_rows(rows, edges_of(QuantileSketch.from_batch(rows), bins, binning)).ravel()


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
    found = bin_rows(np.array([[-1e9], [1e9], [np.nan]]), edges).ravel().tolist()
    assert found == [0, 3, 4]


COLUMNS = {
    "decimals": lambda rng, n: rng.normal(5, 2, n).round(1),
    "counts": lambda rng, n: rng.poisson(6, n).astype(float),
    "sparse counts": lambda rng, n: rng.poisson(0.4, n) * rng.integers(1, 40, n) * 1.0,
    "real numbers": lambda rng, n: rng.standard_normal(n),
    "an index": lambda _, n: np.arange(float(n)),
    "far from zero": lambda rng, n: 1e6 + rng.integers(0, 60, n) / 10,
    "mirror image of itself": lambda _, n: np.abs(np.arange(float(n)) - n // 2) % 9 - 4.0,
    "one heavy value": lambda rng, n: np.where(rng.random(n) < 0.7, 3.0, rng.integers(0, 30, n)),
}


@pytest.mark.parametrize("binning", ["depth", "width", "kmeans"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_a_column_and_its_mirror_image_have_the_same_bins(kind, binning):
    for seed, n in enumerate((60, 61, 100, 101, 997)):
        x = COLUMNS[kind](np.random.default_rng(seed), n)
        for bins in (2, 3, 8, 10):
            plain, mirrored = codes(x, bins, binning), codes(-x, bins, binning)
            there, back = (np.unique(c, return_inverse=True)[1] for c in (plain, mirrored))
            assert np.array_equal(there, back.max() - back)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1, 3001])
def test_a_long_column_and_its_mirror_image_have_the_same_bins(width):
    """Beyond four chunks the sketch keeps every fourth value, the same ones of both."""
    n = 70_000 if width == 1 else 4096
    x = np.random.default_rng(0).standard_normal(n).round(3)
    rows = np.repeat(x[:, None], width, axis=1)
    edges, mirrored = (
        edges_of(QuantileSketch.from_batch(part), 10, "depth")[0] for part in (rows, -rows)
    )
    assert np.array_equal(edges, -mirrored[::-1])


def test_a_value_on_an_edge_goes_where_the_bins_are_more_even():
    x = np.repeat([0.0, 1.0, 2.0, 3.0], [30, 25, 30, 15])
    assert np.bincount(codes(x, 2)).tolist() == [55, 45]
    assert np.bincount(codes(-x, 2)).tolist() == [45, 55]
    x = np.repeat([0.0, 1.0, 2.0, 3.0], [25, 20, 30, 25])
    assert np.bincount(codes(x, 2)).tolist() == [45, 55]


def test_a_value_in_the_very_middle_joins_the_nearer_one_or_has_a_bin_of_its_own():
    assert codes([0, 1, 3, 4, 9], 2).tolist() == [0, 0, 1, 1, 1]
    assert codes([0, 1, 2, 4, 9], 2).tolist() == [0, 0, 0, 1, 1]
    assert codes([0, 1, 2, 3, 4], 2).tolist() == [0, 0, 1, 2, 2]
