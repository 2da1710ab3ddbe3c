import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

from tamis.errors import TamisError
from tamis_papers.protocols.kmeans_nmi import kmeans_nmi, label_information


def test_known_answer_of_the_card():
    a, b = (0, 0, 0, 1, 1, 2), (0, 0, 1, 1, 1, 1)
    assert label_information(a, b) == pytest.approx(0.39665, abs=5e-6)


def test_information_equals_its_definition():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 3, 200), rng.integers(0, 4, 200)
    b[a == 1] = 2
    joint = np.zeros((3, 4))
    np.add.at(joint, (a, b), 1 / 200)
    p, q = joint.sum(axis=1), joint.sum(axis=0)
    filled = joint > 0
    shared = (joint[filled] * np.log((joint / np.outer(p, q))[filled])).sum()
    entropies = [-(v * np.log(v)).sum() for v in (p, q)]
    expected = shared / np.sqrt(np.prod(entropies))
    assert label_information(a, b) == pytest.approx(expected)


def test_iris_gives_the_numbers_of_the_card():
    X, y = load_iris(return_X_y=True)
    raw = kmeans_nmi(X, y)
    assert (raw.mean, raw.std) == pytest.approx((0.709, 0.069), abs=5e-4)
    first = kmeans_nmi(PCA(1).fit_transform(X), y)
    assert (first.mean, first.std) == pytest.approx((0.794, 0.0), abs=1e-3)
    two = kmeans_nmi(X[:, [2, 0]], y)
    assert (two.mean, two.std) == pytest.approx((0.688, 0.044), abs=1e-3)


def test_every_run_is_kmeans_from_random_centres_with_its_own_seed():
    X, y = load_iris(return_X_y=True)
    found = kmeans_nmi(X, y, runs=4)
    for seed, value in enumerate(found.runs):
        labels = KMeans(3, init="random", n_init=1, random_state=seed).fit(X).labels_
        assert value == pytest.approx(label_information(y, labels))
    assert found.mean == pytest.approx(found.runs.mean())


def test_fewer_distinct_rows_than_classes_is_no_trouble():
    assert kmeans_nmi([[0.0], [0.0], [1.0], [1.0]], [0, 1, 2, 2], runs=2).mean > 0
    assert kmeans_nmi(np.zeros((4, 1)), [0, 0, 1, 1], runs=1).mean == 0


def test_bad_input_is_refused_with_advice():
    with pytest.raises(TamisError, match="give one for each of the 3 rows"):
        kmeans_nmi(np.ones((3, 1)), [0, 1])
    with pytest.raises(TamisError, match="runs=0: give at least 1"):
        kmeans_nmi(np.ones((2, 1)), [0, 1], runs=0)
    with pytest.raises(TamisError, match="scores has missing"):
        kmeans_nmi([[np.nan], [1.0]], [0, 1])
