"""Bins chosen by the classes: published cuts, and both rules as they are written down."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import chi2, entropy
from sklearn.datasets import load_iris, load_wine

from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.arrays import ArraySource
from tamis.statistics.class_table import chimerge_cuts, collect_class_table, mdl_cuts
from tamis.statistics.coding import QuantileSketch, find_bins


def blocks_of(X, y):
    """Count the classes at every distinct value of every column."""
    found = []
    for column in X.T:
        values = np.unique(column)
        found.append(
            np.array([[np.sum(y[column == v] == c) for c in np.unique(y)] for v in values])
        )
    return found


def between(column, cuts):
    values = np.unique(column)
    return [(values[cut - 1] + values[cut]) / 2 for cut in cuts]


def test_the_published_cuts_of_iris():
    X, y = load_iris(return_X_y=True)
    cuts = mdl_cuts(blocks_of(X, y), 10)
    found = [between(column, own) for column, own in zip(X.T, cuts, strict=True)]
    expected = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    assert [pytest.approx(own) for own in expected] == found


def slow_mdl(values, y):
    """Cut where the entropy falls most, if Fayyad and Irani's price is paid; then both sides."""

    def bits(labels):
        return entropy(np.unique(labels, return_counts=True)[1], base=2)

    distinct = np.unique(values)
    if len(distinct) < 2:
        return []
    best = None
    for low, high in pairwise(distinct):
        lower, upper = y[values <= low], y[values > low]
        left = (len(lower) * bits(lower) + len(upper) * bits(upper)) / len(y)
        if best is None or left < best[0] - 1e-12:
            best = (left, low, high, lower, upper)
    left, low, high, lower, upper = best
    k, k1, k2 = (len(np.unique(part)) for part in (y, lower, upper))
    delta = np.log2(3**k - 2) - (k * bits(y) - k1 * bits(lower) - k2 * bits(upper))
    if bits(y) - left <= (np.log2(len(y) - 1) + delta) / len(y):
        return []
    below, above = values <= low, values > low
    return sorted(
        [*slow_mdl(values[below], lower), (low + high) / 2, *slow_mdl(values[above], upper)]
    )


def slow_chimerge(block, bins):
    """Merge the neighbours of the smallest chi-square until each exceeds the limit."""
    parts = [(i, row.astype(float)) for i, row in enumerate(block)]
    limit = chi2.isf(0.05, block.shape[1] - 1)
    while len(parts) > 1:
        apart = []
        for (_, a), (_, b) in pairwise(parts):
            pair = np.array([a, b])[:, (a + b) > 0]
            mean = np.outer(pair.sum(axis=1), pair.sum(axis=0)) / pair.sum()
            apart.append(((pair - mean) ** 2 / mean).sum())
        least = int(np.argmin(np.round(apart, 9)))
        if apart[least] >= limit and len(parts) <= bins:
            break
        parts[least : least + 2] = [(parts[least][0], parts[least][1] + parts[least + 1][1])]
    return [first for first, _ in parts[1:]]


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_both_rules_equal_their_definitions_on_real_tables(load):
    X, y = load(return_X_y=True)
    X = X[:, :4].round(1)
    blocks = blocks_of(X, y)
    for column, own in zip(X.T, mdl_cuts(blocks, 10), strict=True):
        assert between(column, own) == pytest.approx(slow_mdl(column, y))
    for bins in (10, 3):
        for block, own in zip(blocks, chimerge_cuts(blocks, bins), strict=True):
            assert own.tolist() == slow_chimerge(block, bins)


def test_noise_is_not_cut_by_description_length_and_pure_columns_once():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    X = np.column_stack([rng.standard_normal(200), np.arange(200.0)])
    noise, pure = mdl_cuts(blocks_of(X, y), 10)
    assert len(noise) == 0
    assert pure.tolist() == [100]


def test_fine_bins_hold_every_value_up_to_their_number_and_quantiles_beyond():
    x = np.random.default_rng(0).permutation(np.arange(3000.0))[:, None]
    few, many = (
        find_bins(QuantileSketch.from_batch(x), bins, "fine")[0].edges for bins in (4000, 10)
    )
    assert len(few) == 2999
    assert many == pytest.approx(np.arange(299.5, 2700, 300))


@pytest.mark.parametrize("binning", ["mdl", "chimerge"])
def test_columns_cut_by_the_labels_have_no_p_value_and_missing_values_keep_a_level(binning):
    rng = np.random.default_rng(1)
    y = np.repeat(["a", "b"], 60)
    X = np.column_stack([rng.standard_normal(120) + 3 * (y == "b"), rng.standard_normal(120)])
    X[:7, 0] = np.nan
    summary = collect_class_table(
        ArraySource(X), [0, 1], labels=y, missing=MissingPolicy.CATEGORY, binning=binning
    )
    table = summary.statistic
    assert table.by_labels.tolist() == [True, True]
    assert table.counts.block(0)[-1].tolist() == [7, 0]
    assert 3 <= len(table.counts.block(0)) <= 11
