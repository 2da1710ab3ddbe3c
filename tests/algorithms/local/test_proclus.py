"""`proclus`: planted subspaces, the card's known answer and slow definitions."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import tamis
from tamis.algorithms.local import proclus
from tamis.algorithms.local.local_clusters import path_of
from tamis.algorithms.path import NO_GOAL
from tamis.statistics.rows import RowTable


def planted(seed, n=400, d=20, count=3, size=5, noise=0.3):
    """Give rows that are uniform but for `size` columns of each cluster, labels and columns."""
    rng = np.random.default_rng(seed)
    X, labels = rng.uniform(-3, 3, (n, d)), rng.integers(count, size=n)
    sets = [np.sort(rng.choice(d, size, replace=False)) for _ in range(count)]
    for i, own in enumerate(sets):
        rows = np.flatnonzero(labels == i)
        centre = rng.uniform(-2.5, 2.5, size)
        X[np.ix_(rows, own)] = centre + noise * rng.standard_normal((rows.size, size))
    return X, labels, sorted(own.tolist() for own in sets)


def test_two_clusters_that_are_close_together_in_two_columns_each():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (120, 6))
    X[:60, [0, 1]] = 0.02 * rng.standard_normal((60, 2))
    X[60:, [2, 3]] = 0.02 * rng.standard_normal((60, 2))
    found = tamis.select(X, method="proclus", options={"n_clusters": 2, "dimensions": 2})
    assert sorted(sorted(one.columns) for one in found.clusters) == [["x0", "x1"], ["x2", "x3"]]
    assert sorted(found.names) == ["x0", "x1", "x2", "x3"]


@pytest.mark.parametrize("dimensions", [5, None])
@pytest.mark.parametrize("seed", range(3))
def test_planted_subspaces_are_found_with_their_columns(seed, dimensions):
    X, labels, sets = planted(seed)
    options = {"n_clusters": 3, "dimensions": dimensions, "random_state": seed}
    found = tamis.select(X, method="proclus", options=options)
    assert adjusted_rand_score(labels, found.path.evidence.labels) >= 0.95
    assert sorted(np.sort(one.columns).tolist() for one in found.path.evidence.clusters) == sets
    assert set(found.indices.tolist()) == {j for own in sets for j in own}


def test_many_small_subspaces_are_found():
    X, labels, sets = planted(0, n=300, d=50, count=6, size=4)
    found = tamis.select(X, method="proclus", options={"n_clusters": 6})
    assert adjusted_rand_score(labels, found.path.evidence.labels) >= 0.9
    assert sorted(np.sort(one.columns).tolist() for one in found.path.evidence.clusters) == sets


def test_columns_are_the_smallest_deviations_with_at_least_two_for_each_cluster():
    rng = np.random.default_rng(1)
    for _ in range(20):
        deviations, size = rng.random((3, 7)), int(rng.integers(2, 7))
        z = (deviations - deviations.mean(axis=1, keepdims=True)) / deviations.std(
            axis=1, ddof=1, keepdims=True
        )
        chosen = {(i, int(j)) for i in range(3) for j in np.argsort(z[i])[:2]}
        for i, j in sorted(np.ndindex(3, 7), key=lambda pair: z[pair]):
            if len(chosen) < 3 * size:
                chosen.add((i, j))
        found = proclus.tight_columns(deviations, size)
        assert {(i, int(j)) for i, own in enumerate(found) for j in own} == chosen


def test_assignment_and_objective_are_those_of_the_definition():
    rng = np.random.default_rng(2)
    rows, own = rng.standard_normal((40, 5)), [np.array([0, 2]), np.array([1, 2, 4])]
    found = proclus.assign_rows(rows, rows[[3, 8]], own)
    objective = 0.0
    for i, row in enumerate(rows):
        distances = [
            np.mean([abs(row[j] - rows[m, j]) for j in columns])
            for m, columns in zip((3, 8), own, strict=True)
        ]
        assert found.labels[i] == int(np.argmin(distances))
    for i, columns in enumerate(own):
        part = rows[found.labels == i]
        for j in columns:
            objective += np.abs(part[:, j] - part[:, j].mean()).sum() / len(columns) / 40
    assert found.objective == pytest.approx(objective)


def test_the_rank_of_a_column_is_the_share_of_rows_it_describes():
    X, *_ = planted(3)
    table = RowTable(X, None, True)
    path = proclus.find_projected_clusters(table, None, retain=NO_GOAL)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    scores = np.zeros(20)
    for one in path.evidence.clusters:
        for j in one.columns:
            scores[j] += len(one.rows) / 400 * (1 - Z[one.rows, j].var())
    np.testing.assert_allclose(path.scores, scores, atol=1e-12)
    assert (np.diff(path.scores[path.indices]) <= 1e-9).all()
    longer = path_of(table, path.evidence, 20, retain=NO_GOAL, include=())
    assert longer.indices[: len(path.indices)].tolist() == path.indices.tolist()


def test_rows_far_from_every_cluster_belong_to_none():
    X, *_ = planted(4, noise=0.1)
    X[:5] = 40.0
    found = tamis.select(X, method="proclus", options={"n_clusters": 3, "dimensions": 5})
    clusters = found.clusters
    assert set(range(3)).isdisjoint(set().union(*(one.rows.tolist() for one in clusters))) or any(
        one.rows.tolist() == [0, 1, 2, 3, 4] for one in clusters
    )


def test_the_seed_decides_and_nothing_else():
    X, *_ = planted(5)
    first, again = (tamis.select(X, method="proclus").path.evidence.labels for _ in range(2))
    np.testing.assert_array_equal(first, again)
