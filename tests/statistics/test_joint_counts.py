"""Mutual information of all pairs: known answers, scikit-learn as oracle, budgets and batches."""

from itertools import combinations, product

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

from tamis.statistics.coded_rows import TileCounts
from tamis.statistics.joint_counts import (
    Block,
    JointCounts,
    compute_entropies,
    relate_pairs,
)


def matrix(codes, batches=1, budget=1 << 28):
    codes = np.asarray(codes)
    counts = [np.bincount(column) for column in codes.T]

    def count(tiles):
        found = TileCounts(tiles, np.arange(codes.shape[1]))
        for rows in np.array_split(codes, batches):
            found.add(rows)
        return found.counts[0]

    return relate_pairs(count, counts, budget=budget)


def by_pairs(codes):
    found = np.eye(codes.shape[1])
    for i, j in combinations(range(codes.shape[1]), 2):
        score = normalized_mutual_info_score(codes[:, i], codes[:, j], average_method="geometric")
        found[i, j] = found[j, i] = score
    return found


def test_the_example_of_the_card():
    x, y = np.arange(8) // 4, np.array([0, 0, 0, 1, 0, 1, 1, 1])
    assert matrix(np.column_stack([x, y]))[0, 1] == pytest.approx(0.1887219, abs=1e-7)


def test_two_bits_and_both_together():
    a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    M = matrix(np.column_stack([a, b, 2 * a + b]))
    assert M[0, 1] == 0
    assert M[0, 2] == pytest.approx(1 / np.sqrt(2))
    np.testing.assert_allclose(np.linalg.eigvalsh(M), [0, 1, 2], atol=1e-12)


@pytest.mark.parametrize("times", [1, 5, 7])
def test_unrelated_columns_share_exactly_nothing(times):
    grid = np.array(np.meshgrid([0, 1], [0, 1], [0, 1, 2])).reshape(3, -1).T
    assert np.array_equal(matrix(np.repeat(grid, times, axis=0)), np.eye(3))


def test_a_constant_column_has_no_information_not_even_on_the_diagonal():
    codes = np.column_stack([np.zeros(6, dtype=int), [0, 1, 0, 1, 0, 1]])
    assert np.array_equal(matrix(codes), [[0, 0], [0, 1]])


def test_scikit_learn_agrees_on_random_codes():
    codes = np.random.default_rng(0).integers(0, 6, (300, 12))
    codes[:, 3] = codes[:, 2] // 2
    np.testing.assert_allclose(matrix(codes), by_pairs(codes), atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kr_vs_kp", "splice"])
@pytest.mark.nightly
def test_scikit_learn_agrees_on_real_categories(real, name):
    codes = real(name)[:, :25].astype(int)
    np.testing.assert_allclose(matrix(codes), by_pairs(codes), atol=1e-10)


@pytest.mark.slow
@pytest.mark.nightly
def test_scikit_learn_agrees_on_sonar_in_bins(real):
    from tamis.statistics.coding import QuantileSketch, bin_rows, find_bins

    X = real("sonar")
    codes = bin_rows(X, [one.edges for one in find_bins(QuantileSketch.from_batch(X), 10, "depth")])
    np.testing.assert_allclose(matrix(codes), by_pairs(codes), atol=1e-10)


def test_budget_and_batches_play_no_part():
    codes = np.random.default_rng(3).integers(0, 9, (400, 23)).astype(np.uint8)
    plain = matrix(codes)
    assert np.array_equal(matrix(codes, batches=13), plain)
    np.testing.assert_allclose(matrix(codes, batches=3, budget=40_000), plain, atol=1e-13)


def test_names_of_levels_play_no_part():
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 5, (200, 6))
    other = np.column_stack([rng.permutation(5)[column] for column in codes.T])
    np.testing.assert_allclose(matrix(other), matrix(codes), atol=1e-12)


def test_entropies_are_never_negative():
    found = compute_entropies([np.array([5]), np.array([1, 1, 2]), np.array([0, 7, 0])])
    np.testing.assert_allclose(found, [0, 1.5 * np.log(2), 0])
    assert (found >= 0).all()


def occupied_cells(codes, i, j):
    return len(np.unique(codes[:, [i, j]], axis=0))


@pytest.mark.parametrize("levels", [2, 3, 7])
def test_cells_of_omitted_levels_are_counted_too(levels):
    rng = np.random.default_rng(levels)
    codes = np.minimum(rng.geometric(0.7, (900, 40)) - 1, levels - 1)
    counts = [np.bincount(column, minlength=levels) for column in codes.T]
    blocks = [Block.of(0, counts[:35]), Block.of(35, counts[35:])]
    for left, right in ((blocks[0], blocks[1]), (blocks[0], blocks[0])):
        halves = [JointCounts.from_batch(part, left, right) for part in np.array_split(codes, 2)]
        found = halves[0].merge(halves[1]).occupied(left, right)
        for a, b in product(range(found.shape[0]), range(found.shape[1])):
            if left is not right or a < b:
                i, j = left.columns.start + a, right.columns.start + b
                assert found[a, b] == occupied_cells(codes, i, j)


def test_totals_beyond_32_bits_are_exact():
    one = np.full((1, 1), 1 << 30, dtype=np.int32)
    half = JointCounts(one, one[0], one[0], 1 << 30)
    whole = half.merge(half).merge(half)
    assert whole.counts[0, 0] == whole.n_rows == 3 << 30
