"""`nmf-parts`: blocks by hand, planted parts, and the definitions of its steps."""

import itertools

import numpy as np
import pytest

import tamis
from tamis.algorithms.factorise import factorise
from tamis.algorithms.local.nmf_parts import heavy, local_parts
from tamis.algorithms.path import NO_GOAL
from tamis.statistics.rows import RowTable


def planted(seed, parts=4, rows=120, columns=30, noise=0.1):
    """Plant parts that fill five columns and a third of the rows each; rows may have several."""
    rng = np.random.default_rng(seed)
    X = noise * rng.uniform(0, 1, (rows, columns))
    truth = []
    for p in range(parts):
        own, members = np.arange(5 * p, 5 * p + 5), np.sort(rng.choice(rows, rows // 3, False))
        X[np.ix_(members, own)] += np.outer(rng.uniform(1, 2, len(members)), rng.uniform(1, 2, 5))
        truth.append((set(members.tolist()), set(own.tolist())))
    return X, truth


def test_blocks_are_found_by_their_rows_and_columns():
    X = np.zeros((7, 5))
    X[:3, :2], X[3:, 2:] = 4.0, 9.0
    X[0, 0], X[6, 4] = 5.0, 8.0
    found = tamis.select(X, method="nmf-parts", options={"n_clusters": 2})
    parts = [(one.rows.tolist(), sorted(one.columns)) for one in found.clusters]
    assert parts == [([3, 4, 5, 6], ["x2", "x3", "x4"]), ([0, 1, 2], ["x0", "x1"])]
    assert found.k == 5


@pytest.mark.parametrize("seed", range(5))
def test_planted_parts_are_found_and_the_other_columns_dropped(seed):
    X, truth = planted(seed)
    found = tamis.select(X, method="nmf-parts", options={"n_clusters": 4})
    assert sorted(found.indices.tolist()) == list(range(20))
    for rows, columns in truth:
        (one,) = [c for c in found.path.evidence.clusters if set(c.columns.tolist()) == columns]
        assert len(rows & set(one.rows.tolist())) >= 0.95 * len(rows | set(one.rows.tolist()))


def test_large_weights_are_cut_where_two_groups_differ_most():
    rng = np.random.default_rng(0)
    for _ in range(20):
        weights = rng.exponential(1, 9) ** 2
        best = min(
            (
                (sum(np.var(list(g)) * len(g) for g in groups), groups)
                for cut in range(1, 9)
                for groups in [(tuple(np.sort(weights)[cut:]), tuple(np.sort(weights)[:cut]))]
            ),
            key=lambda pair: pair[0],
        )[1]
        expected = set(best[0]) if np.mean(best[0]) >= 2 * np.mean(best[1]) else set(weights)
        assert set(weights[heavy(weights)]) == expected


def test_scores_are_the_shares_of_variance_that_parts_describe():
    X, _ = planted(1)
    table = RowTable(X, None, False)
    path = local_parts(table, None, retain=NO_GOAL, n_clusters=4)
    Z = (X - X.min(axis=0)) / np.sqrt(X.var(axis=0).mean())
    options = {"loss": "frobenius", "max_iter": 1000, "random_state": 0}
    W, H, _ = factorise(table.rows - table.rows.min(axis=0), 4, **options)
    np.testing.assert_allclose(table.rows - table.rows.min(axis=0), Z, atol=1e-12)
    expected = np.zeros(30)
    for p, j in itertools.product(range(4), range(30)):
        rows = heavy(W[:, p])
        if j in heavy(H[p]):
            left = [Z[i, j] - W[i, p] * H[p, j] for i in rows]
            expected[j] += len(rows) / len(X) * max(0.0, 1 - np.var(left) / np.var(Z[:, j]))
    np.testing.assert_allclose(path.scores, expected, atol=1e-10)


def test_a_constant_added_to_a_column_changes_nothing():
    X, _ = planted(2)
    kept = [tamis.select(X + shift, method="nmf-parts").indices.tolist() for shift in (0, -7.5)]
    assert kept[0] == kept[1]


def test_an_empty_part_is_no_cluster():
    X = np.outer([1.0, 2.0, 3.0, 9.0], [1.0, 2.0, 4.0])
    found = tamis.select(X, method="nmf-parts", options={"n_clusters": 3})
    assert 1 <= len(found.clusters) <= 3
    assert found.k >= 1
