from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import silhouette_samples, silhouette_score
from tests.needs import NO_SHARED, SHARED

from tamis.errors import TamisError
from tamis.evaluation import neighbour_agreement
from tamis.evaluation.neighbour_agreement import (
    around_medoids,
    distances_between,
    medoid_widths,
    silhouette_width,
)

SONAR = SHARED / "data" / "sonar.npz"


def cost_of(distances, rows):
    return distances[list(rows)].min(axis=0).sum()


def textbook(distances, k):
    """BUILD and SWAP written out: every exchange priced afresh, the first best one made."""
    n = len(distances)
    rows = []
    for _ in range(k):
        rest = [i for i in range(n) if i not in rows]
        prices = np.array([cost_of(distances, [*rows, i]) for i in rest])
        rows.append(rest[int(np.flatnonzero(prices <= prices.min() + 1e-9)[0])])
    while True:
        price = cost_of(distances, rows)
        swaps = [(i, place) for i in range(n) if i not in rows for place in range(k)]
        if not swaps:
            return sorted(rows)
        prices = np.array(
            [cost_of(distances, [*rows[:place], i, *rows[place + 1 :]]) for i, place in swaps]
        )
        best = int(np.flatnonzero(prices <= prices.min() + 1e-9)[0])
        if prices[best] >= price - 1e-9:
            return sorted(rows)
        rows[swaps[best][1]] = swaps[best][0]


@pytest.fixture(scope="module")
def sonar():
    if not SONAR.exists():
        pytest.skip(NO_SHARED)
    with np.load(SONAR, allow_pickle=False) as archive:
        X = archive["X"].astype(float)
    return (X - X.mean(axis=0)) / X.std(axis=0)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 5), st.booleans())
def test_medoids_are_those_of_the_textbook(seed, k, ties):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (12, 2)) if ties else rng.standard_normal((12, 2))
    distances = distances_between(X)
    found = around_medoids(distances, k)
    assert found.rows.tolist() == textbook(distances, k)
    assert found.cost == pytest.approx(cost_of(distances, found.rows))
    np.testing.assert_array_equal(found.labels[found.rows], np.arange(k))
    np.testing.assert_allclose(
        distances[np.arange(12), found.rows[found.labels]], distances[found.rows].min(axis=0)
    )


def test_three_clear_clusters_are_found_at_the_cost_of_the_best_of_all_sets():
    rng = np.random.default_rng(3)
    X = np.concatenate(
        [rng.standard_normal((6, 2)) + centre for centre in ([0, 0], [9, 0], [0, 9])]
    )
    distances = distances_between(X)
    found = around_medoids(distances, 3)
    best = min(cost_of(distances, rows) for rows in combinations(range(18), 3))
    assert found.cost == pytest.approx(best)
    assert found.labels.tolist() == [0] * 6 + [1] * 6 + [2] * 6


@pytest.mark.parametrize("k", [2, 5])
def test_no_exchange_lowers_the_cost_on_sonar(sonar, k):
    distances = distances_between(sonar)
    found = around_medoids(distances, k)
    for place in range(k):
        others = np.delete(found.rows, place)
        # The cost with any row in this medoid's stead, all at once.
        costs = np.minimum(distances, distances[others].min(axis=0)).sum(axis=1)
        assert costs.min() >= found.cost - 1e-9


def test_blocks_do_not_change_the_answer(sonar, monkeypatch):
    distances = distances_between(sonar[:, :3])
    whole = around_medoids(distances, 4)
    monkeypatch.setattr("tamis.numerics.row_chunks.BLOCK_BYTES", 8000)
    parts = around_medoids(distances, 4)
    np.testing.assert_array_equal(whole.rows, parts.rows)


def test_one_cluster_every_row_its_own_and_copies():
    X = np.array([[0.0], [0.0], [3.0], [3.0], [4.0]])
    distances = distances_between(X)
    assert around_medoids(distances, 1).rows.tolist() == [2]
    assert around_medoids(distances, 5).cost == 0
    assert around_medoids(distances, 5).labels.tolist() == [0, 1, 2, 3, 4]
    assert around_medoids(np.zeros((4, 4)), 2).rows.tolist() == [0, 1]


def test_silhouettes_equal_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    X, labels = rng.standard_normal((40, 3)), rng.integers(0, 4, 40)
    labels[0] = 9  # alone in its cluster
    distances = distances_between(X)
    assert silhouette_samples(distances, labels, metric="precomputed")[0] == 0
    assert silhouette_width(distances, labels) == pytest.approx(silhouette_score(X, labels))
    assert silhouette_width(distances, np.zeros(40)) == 0
    assert silhouette_width(np.zeros((4, 4)), [0, 0, 1, 1]) == 0


def test_widths_are_taken_in_the_own_or_in_the_full_space(sonar):
    full, reduced = sonar, sonar[:, [10, 35]]
    [own] = medoid_widths(full, reduced, clusters=[3])
    [both] = medoid_widths(full, reduced, clusters=[3], space="full")
    labels = around_medoids(distances_between(reduced), 3).labels
    assert own.reduced == pytest.approx(silhouette_score(reduced, labels))
    assert both.reduced == pytest.approx(silhouette_score(full, labels))
    assert own.full == both.full
    assert [row.full == row.reduced for row in medoid_widths(full, full)] == [True] * 4


def test_bad_input_is_refused_with_advice(monkeypatch):
    X = np.arange(6.0)[:, None]
    with pytest.raises(TamisError, match="give 'own' or 'full'"):
        medoid_widths(X, X, space="half")
    with pytest.raises(TamisError, match="clusters=7: give a number from 1 to 6"):
        around_medoids(distances_between(X), 7)
    with pytest.raises(TamisError, match="give a square matrix"):
        around_medoids(np.zeros((3, 2)), 1)
    monkeypatch.setattr(neighbour_agreement, "MAX_MEDOID_ROWS", 5)
    with pytest.raises(TamisError, match="give a sample of at most 5 rows"):
        distances_between(X)
    with pytest.raises(TamisError, match="give at most 5, such as a sample"):
        around_medoids(np.zeros((6, 6)), 2)
