from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.metrics import (
    calinski_harabasz_score,
    normalized_mutual_info_score,
    rand_score,
    silhouette_score,
)
from threadpoolctl import threadpool_limits

from tamis.algorithms.cluster_count import RULES, choose_clusters, distinct_rows, kmeans
from tamis.errors import TamisError
from tamis.evaluation.neighbour_agreement import (
    cluster_agreement,
    label_information,
    pair_agreement,
)


def blobs(clusters=3, rows=40, d=4, seed=0, apart=12.0):
    """Make clusters that are all equally far apart."""
    rng = np.random.default_rng(seed)
    centres = np.eye(d)[:clusters] * apart
    return np.concatenate([centre + rng.standard_normal((rows, d)) for centre in centres])


def test_known_answer_of_the_card():
    assert pair_agreement((0, 0, 1, 1, 2), (0, 0, 0, 1, 1)) == 0.6


@pytest.mark.slow
@settings(derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=25))
def test_agreement_equals_its_definition_over_all_pairs(both):
    pairs = list(combinations(both, 2))
    matches = sum((a == c) == (b == d) for (a, b), (c, d) in pairs)
    first, second = zip(*both, strict=True)
    assert pair_agreement(first, second) == pytest.approx(matches / len(pairs), abs=1e-14)
    assert pair_agreement(first, second) == pytest.approx(rand_score(first, second))
    assert pair_agreement(first, second) == pair_agreement(second, first)


def information_by_hand(first, second):
    """Sum over the pairs of labels, as it is defined."""
    n, shared, entropies = len(first), 0.0, [0.0, 0.0]
    for a in set(first):
        for b in set(second):
            p = sum(x == a and y == b for x, y in zip(first, second, strict=True)) / n
            if p:
                shared += p * np.log(p / (first.count(a) * second.count(b) / n**2))
    for i, labels in enumerate((first, second)):
        entropies[i] = -sum(labels.count(a) / n * np.log(labels.count(a) / n) for a in set(labels))
    return shared / np.sqrt(entropies[0] * entropies[1])


def test_information_of_labels_equals_its_definition():
    assert label_information((0, 0, 0, 1, 1, 2), (0, 0, 1, 1, 1, 1)) == pytest.approx(
        0.39665, abs=5e-6
    )
    rng = np.random.default_rng(0)
    for rows in (5, 30, 200):
        first, second = (rng.integers(0, size, rows).tolist() for size in (3, 5))
        found = label_information(first, second)
        assert found == pytest.approx(information_by_hand(first, second), rel=1e-12)
        by_others = normalized_mutual_info_score(first, second, average_method="geometric")
        assert found == pytest.approx(by_others, rel=1e-9)
        assert found == pytest.approx(label_information(second, first), rel=1e-12)


def test_names_of_labels_do_not_matter_and_may_be_words():
    assert pair_agreement([7, 7, -1, 3], ["b", "b", "a", "c"]) == 1.0
    assert pair_agreement([0], [1]) == 1.0
    assert label_information([7, 7, -1, 3], ["b", "b", "a", "c"]) == pytest.approx(1.0, rel=1e-14)


def test_one_label_for_all_rows_tells_nothing_of_another_labeling():
    assert label_information([0, 0, 0], [1, 2, 2]) == 0.0
    assert label_information([0, 0, 0], [4, 4, 4]) == 1.0
    assert label_information([0, 1] * 4, [0, 0, 1, 1] * 2) == pytest.approx(0.0, abs=1e-15)


def test_many_rows_are_counted_in_whole_numbers_without_a_table_of_labels():
    n = 300_000
    every = np.arange(n)
    assert pair_agreement(every, every) == 1.0
    assert pair_agreement(every, np.zeros(n)) == 0.0
    assert label_information(every, every) == pytest.approx(1.0, rel=1e-12)


def test_labelings_of_different_length_are_refused():
    with pytest.raises(TamisError, match="3 and 2 rows: give the same rows twice"):
        pair_agreement([0, 1, 1], [0, 1])
    with pytest.raises(TamisError, match="3 and 2 rows: give the same rows twice"):
        label_information([0, 1, 1], [0, 1])


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("clusters", [2, 4, 9])
def test_every_rule_finds_clusters_that_are_far_apart(rule, clusters):
    assert choose_clusters(blobs(clusters, d=10), rule) == clusters


def test_ten_clusters_are_the_most_that_are_tried_and_they_are_tried():
    X = blobs(10, d=12, rows=15)
    assert [choose_clusters(X, rule) for rule in ("silhouette", "bic")] == [10, 10]
    assert choose_clusters(blobs(12, d=12, rows=15)) == 10
    assert choose_clusters(blobs(10, d=12, rows=15), most=4) == 4


def test_silhouette_and_calinski_harabasz_take_the_best_of_their_score():
    X = load_iris().data
    found = [kmeans(X, K)[0] for K in range(2, 11)]
    for rule, score in (
        ("silhouette", silhouette_score),
        ("calinski-harabasz", calinski_harabasz_score),
    ):
        assert choose_clusters(X, rule) == 2 + np.argmax([score(X, labels) for labels in found])


def test_the_elbow_is_the_point_furthest_from_the_line_through_the_ends():
    X = load_iris().data
    curve = [kmeans(X, K)[1] for K in range(1, 11)]
    height, width = curve[0] - curve[-1], 9
    # Both axes scaled to 1, the line falls from (0, 1) to (1, 0).
    distances = [
        (1 - x / width - (y - curve[-1]) / height) / np.sqrt(2) for x, y in enumerate(curve)
    ]
    assert choose_clusters(X, "elbow") == 1 + np.argmax(distances)


def test_a_long_table_is_judged_on_a_sample_that_the_seed_draws():
    X = blobs(3, rows=400)
    assert choose_clusters(X, silhouette_rows=60) == 3
    assert choose_clusters(X, silhouette_rows=60, random_state=5) == 3
    # One row of a sample tells nothing: the smallest number is taken.
    assert choose_clusters(X, silhouette_rows=1) == 2


def test_a_table_with_few_distinct_rows_has_no_more_clusters():
    X = np.repeat(np.array([[0.0], [1.0], [5.0]]), 30, axis=0)
    for rule in RULES:
        assert choose_clusters(X, rule) in (2, 3)
    labels, inertia = kmeans(X, 7)
    assert len(np.unique(labels)) == 3
    assert inertia == 0
    assert choose_clusters(np.ones((5, 2))) == 2
    assert distinct_rows(np.repeat(np.arange(40.0), 200)[:, None], 30) == 30


def test_agreement_is_that_of_two_kmeans_runs_and_of_the_labels():
    X, y = load_iris(return_X_y=True)
    found = cluster_agreement(X, X[:, [1]], clusters=3, labels=y, random_state=4)
    old, new = (KMeans(3, n_init=10, random_state=4).fit(part).labels_ for part in (X, X[:, [1]]))
    assert found.clusters == 3
    assert found.agreement == pytest.approx(rand_score(old, new))
    assert found.full_with_labels == pytest.approx(rand_score(y, old))
    assert found.reduced_with_labels == pytest.approx(rand_score(y, new))


def test_all_columns_agree_with_themselves_and_the_number_comes_from_them():
    X = blobs(3).astype(np.float32)
    found = cluster_agreement(X, X)
    assert (found.clusters, found.agreement) == (3, 1.0)
    assert found.full_with_labels is None
    assert cluster_agreement(X, X[:, :1], choose="bic").clusters == 3


def test_threads_do_not_change_the_answer():
    X = load_iris().data
    answers = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            answers.append(cluster_agreement(X, X[:, :2], clusters=5))
    assert answers[0] == answers[1]


def test_bad_input_is_refused_with_advice():
    X = blobs()
    with pytest.raises(TamisError, match="give 'silhouette', 'elbow'"):
        cluster_agreement(X, X, choose="eye")
    with pytest.raises(TamisError, match="clusters=0: give a number from 1 to 120"):
        cluster_agreement(X, X, clusters=0)
    with pytest.raises(TamisError, match="120 rows and reduced 119"):
        cluster_agreement(X, X[1:])
    with pytest.raises(TamisError, match="fill them or drop their rows"):
        cluster_agreement(np.where(X > 9, np.nan, X), X)
    with pytest.raises(TamisError, match="give rows x columns"):
        cluster_agreement(X[:, 0], X)
