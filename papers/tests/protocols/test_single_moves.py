import numpy as np
import pytest
from sklearn.cluster import KMeans

from tamis_papers.protocols.kmeans_nmi import kmeans_nmi, label_information
from tamis_papers.protocols.single_moves import move_singly


def sum_of_squares(rows, labels):
    return sum(
        ((rows[labels == c] - rows[labels == c].mean(axis=0)) ** 2).sum() for c in np.unique(labels)
    )


def moved_slowly(rows, labels, clusters):
    """Write the rounds out: every sum of squares from all rows, nothing kept up to date."""
    labels = labels.copy()
    while True:
        start, moved = labels.copy(), False
        for row in range(len(rows)):
            if cheapest(rows, start, row, clusters) == start[row]:
                continue  # not a candidate with the clusters at the start of the round
            best = cheapest(rows, labels, row, clusters)
            moved |= best != labels[row]
            labels[row] = best
        if not moved:
            return labels


def cheapest(rows, labels, row, clusters):
    if (labels == labels[row]).sum() == 1:
        return labels[row]
    sums = []
    for cluster in range(clusters):
        tried = labels.copy()
        tried[row] = cluster
        sums.append(sum_of_squares(rows, tried))
    best = int(np.argmin(sums))
    return best if sums[best] < sums[labels[row]] - 1e-7 else labels[row]


@pytest.mark.parametrize("seed", range(6))
def test_the_moves_are_those_of_the_slow_definition(seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(40, 3)) + rng.integers(0, 3, (40, 1))
    labels = rng.integers(0, 4, 40)
    labels[:4] = range(4)
    found = move_singly(rows, labels, 4)
    np.testing.assert_array_equal(found, moved_slowly(rows, labels, 4))
    assert sum_of_squares(rows, found) < sum_of_squares(rows, labels)


def test_after_lloyd_no_single_move_lowers_the_sum_and_the_far_origin_does_not_matter():
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(150, 4)).round(1)
    model = KMeans(6, init="random", n_init=1, random_state=3).fit(rows)
    found = move_singly(rows, model.labels_, 6)
    assert sum_of_squares(rows, found) < model.inertia_ - 1e-6  # Lloyd alone was not the end
    assert all(cheapest(rows, found, row, 6) == found[row] for row in range(0, 150, 7))
    np.testing.assert_array_equal(move_singly(rows + 4096.0, model.labels_, 6), found)


def test_a_cluster_keeps_its_last_row_and_the_given_labels_stay_as_they_were():
    rows, labels = np.array([[0.0], [0.12], [0.2], [5.0]]), np.array([0, 0, 1, 2])
    assert move_singly(rows, labels, 3).tolist() == [0, 1, 1, 2]
    assert labels.tolist() == [0, 0, 1, 2]
    copies = np.zeros((5, 2))
    assert move_singly(copies, np.array([0, 1, 1, 0, 0]), 2).tolist() == [0, 1, 1, 0, 0]


def test_runs_with_single_moves_compare_the_moved_clusters():
    rng = np.random.default_rng(0)
    rows, classes = rng.normal(size=(60, 3)), rng.integers(0, 4, 60)
    found = kmeans_nmi(rows, classes, runs=3, single_moves=True)
    expected = []
    for seed in range(3):
        model = KMeans(4, init="random", n_init=1, random_state=seed).fit(rows)
        expected.append(label_information(classes, move_singly(rows, model.labels_, 4)))
    assert found.runs.tolist() == expected
    assert found.runs.tolist() != kmeans_nmi(rows, classes, runs=3).runs.tolist()
