"""Category utility: known answers and the definition, from contingency tables."""

import numpy as np
import pytest

from tamis.algorithms.clustering.cobweb import (
    ACUITY,
    Features,
    category_utility,
    cluster_sums,
)


def utility_by_definition(numbers, codes, labels, *, acuity=ACUITY, weighted=True):
    """Count the values of each column in each cluster, and add up the squares of their shares."""

    def guessed(rows):
        found = sum(
            ((np.bincount(codes[rows, j]) / len(rows)) ** 2).sum() for j in range(codes.shape[1])
        )
        for j in range(numbers.shape[1]):
            found += 1 / (2 * np.sqrt(np.pi) * max(numbers[rows, j].std(), acuity))
        return found

    every = np.arange(len(labels))
    clusters = [every[labels == label] for label in np.unique(labels)]
    gains = [guessed(rows) - guessed(every) for rows in clusters]
    weights = [len(rows) / len(labels) if weighted else 1.0 for rows in clusters]
    return float(np.dot(weights, gains)) / len(clusters)


@pytest.mark.parametrize(("weighted", "expected"), [(True, 0.2708333), (False, 0.6527778)])
def test_four_rows_of_two_columns_as_by_hand(weighted, expected):
    codes, labels = np.array([[0, 0], [0, 1], [0, 0], [1, 1]]), np.array([0, 0, 0, 1])
    features = Features(0, (2, 2))
    sums = cluster_sums(features.vectors(np.zeros((4, 0)), codes), labels)
    assert category_utility(features, sums, weighted=weighted) == pytest.approx(expected, abs=5e-8)


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize(("numeric", "nominal"), [(3, 0), (0, 3), (2, 2)])
def test_sums_give_what_contingency_tables_give(numeric, nominal, weighted):
    rng = np.random.default_rng(0)
    for _ in range(20):
        numbers, codes = rng.standard_normal((30, numeric)), rng.integers(0, 4, (30, nominal))
        codes[0] = 3
        labels = rng.permutation(np.arange(30) % 3)
        features = Features(numeric, (4,) * nominal)
        vectors = features.vectors(numbers, codes)
        found = category_utility(features, cluster_sums(vectors, labels), weighted=weighted)
        expected = utility_by_definition(numbers, codes, labels, weighted=weighted)
        assert found == pytest.approx(expected, abs=1e-12)
        by_column = features.by_column(cluster_sums(vectors, labels)).sum(axis=1)
        assert by_column == pytest.approx(
            features.count_right_guesses(cluster_sums(vectors, labels))
        )


def test_one_cluster_is_worth_nothing():
    features = Features(2)
    rows = np.random.default_rng(0).standard_normal((20, 2))
    sums = cluster_sums(features.vectors(rows), np.zeros(20, dtype=int))
    assert category_utility(features, sums) == pytest.approx(0, abs=1e-15)


def test_with_an_acuity_of_one_no_clusters_of_standardised_columns_are_worth_anything():
    """Which is why the customary default of 1 is not ours."""
    rows = np.repeat([[-1.0], [1.0]], 10, axis=0)
    labels = np.repeat([0, 1], 10)
    for acuity, worth in ((1.0, 0.0), (ACUITY, 0.5 * (1 - ACUITY))):
        features = Features(1, acuity=acuity)
        sums = cluster_sums(features.vectors(rows), labels)
        assert category_utility(features, sums) == pytest.approx(worth)
