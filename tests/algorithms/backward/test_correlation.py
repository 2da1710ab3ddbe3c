import numpy as np
import pytest
import scipy.stats

import tamis
from tamis.algorithms.backward import correlation
from tamis.algorithms.backward.correlation import keep_representatives
from tamis.errors import TamisError
from tamis.statistics.gram import DenseGram


def by_the_rule(R, threshold, include=()):
    """Keep and drop one column at a time, all sums made afresh."""
    squares = R**2 - np.eye(len(R))
    near = np.where(np.abs(R) > threshold + 1e-9, squares, 0.0)
    undecided, kept = set(range(len(R))) - set(include), []
    for j in include:
        kept.append(j)
        undecided -= set(np.flatnonzero(near[j]).tolist())
    while undecided:
        live = sorted(undecided)
        best = max(
            live, key=lambda j: (round(near[j, live].sum(), 9), round(squares[j].sum(), 9), -j)
        )
        kept.append(best)
        undecided -= {best, *np.flatnonzero(near[best]).tolist()}
    return kept


@pytest.mark.parametrize("name", ["wine", "digits", "sonar", "segment"])
@pytest.mark.parametrize("threshold", [0.95, 0.7, 0.4, 0.1])
def test_kept_columns_are_those_of_the_rule(real, gram_of, matrix_of, name, threshold):
    X = real(name)
    R = matrix_of(X)
    path = keep_representatives(gram_of(X), len(R), threshold=threshold)
    assert path.kept.tolist() == by_the_rule(R, threshold)


@pytest.mark.parametrize("stored", [0, 64])
@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_stored_and_recomputed_neighbours_give_the_same(
    correlated, gram_of, matrix_of, monkeypatch, form, stored
):
    monkeypatch.setattr(correlation, "_STORED", stored)
    X = correlated(30, 90, factors=8, noise=1.0)
    for threshold in (0.8, 0.3):
        path = keep_representatives(gram_of(X, form), 90, threshold=threshold)
        assert path.kept.tolist() == by_the_rule(matrix_of(X), threshold)
        path = keep_representatives(gram_of(X, form), 90, threshold=threshold, include=[7, 3])
        assert path.kept.tolist() == by_the_rule(matrix_of(X), threshold, [7, 3])


def test_known_answer_of_a_chain():
    """The middle column stands for both ends; the ends alone do not stand for each other."""
    R = np.array([[1, 0.95, 0.8, 0], [0.95, 1, 0.95, 0], [0.8, 0.95, 1, 0], [0, 0, 0, 1.0]])
    path = keep_representatives(DenseGram(R), 4, threshold=0.9)
    assert path.kept.tolist() == [1, 3]
    assert path.removals.columns.tolist() == [0, 2]
    assert path.removals.positions[:, 0].tolist() == [1, 1]
    assert path.removals.weights[:, 0] == pytest.approx([0.95, 0.95])
    assert path.removals.errors == pytest.approx([0.0975, 0.0975])


@pytest.mark.parametrize("threshold", [0.9, 0.6])
def test_no_kept_pair_is_above_and_every_dropped_column_near_a_kept_one(
    real, gram_of, matrix_of, threshold
):
    X = real("digits")
    R = np.abs(matrix_of(X))
    kept = keep_representatives(gram_of(X), len(R), threshold=threshold).kept
    assert (R - np.eye(len(R)))[np.ix_(kept, kept)].max() <= threshold + 1e-9
    dropped = np.setdiff1d(np.arange(len(R)), kept)
    assert (R[np.ix_(dropped, kept)].max(axis=1) > threshold).all()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("goal", [{"threshold": 0.7}, {"k": 12}, {"retain": 0.9}])
def test_any_order_of_the_columns_gives_the_same_set(real, seed, goal):
    X = real("spambase")
    order = np.random.default_rng(seed).permutation(X.shape[1])
    plain = tamis.select(X, method="correlation", **goal)
    moved = tamis.select(X[:, order], method="correlation", **goal)
    assert sorted(order[moved.indices].tolist()) == sorted(plain.indices.tolist())


@pytest.mark.slow
def test_the_order_of_2000_columns_does_not_matter():
    rng = np.random.default_rng(0)
    causes = rng.standard_normal((300, 500))
    X = np.hstack([causes + s * rng.standard_normal(causes.shape) for s in (0.1, 0.3, 0.5, 0.9)])
    plain = set(tamis.select(X, method="correlation").indices.tolist())
    assert 900 < len(plain) < 1900
    for seed in range(2):
        order = np.random.default_rng(seed).permutation(2000)
        moved = tamis.select(X[:, order], method="correlation")
        assert set(order[moved.indices].tolist()) == plain


def test_asking_for_k_gives_k_columns_that_correlate_little(real, gram_of, matrix_of):
    X = real("sonar")
    R = np.abs(matrix_of(X)) - np.eye(60)
    for k in (1, 2, 7, 20, 59, 60):
        kept = keep_representatives(gram_of(X), k).kept
        assert len(kept) == k
        if k == 20:
            level = R[np.ix_(kept, kept)].max()
            assert len(by_the_rule(R + np.eye(60), level)) <= 20


def test_sets_are_filled_where_no_threshold_gives_k():
    """Four columns at one level: a threshold keeps one or all of them."""
    R = np.full((4, 4), 0.5) + 0.5 * np.eye(4)
    for k in (1, 2, 3, 4):
        assert keep_representatives(DenseGram(R), k).kept.tolist() == list(range(k))
    assert keep_representatives(DenseGram(np.eye(4)), 3).kept.tolist() == [0, 1, 2]


def test_spearman_is_pearson_of_the_ranks():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 200))
    X = np.column_stack([a, np.exp(5 * a), b, b + 0.1 * rng.standard_normal(200)])
    assert np.abs(np.corrcoef(X, rowvar=False)[0, 1]) < 0.9
    assert tamis.select(X, method="correlation").k == 3
    found = tamis.select(X, method="correlation", options={"kind": "spearman"})
    ranks = scipy.stats.rankdata(X, axis=0)
    assert found.names == tamis.select(ranks, method="correlation").names
    assert found.k == 2
    fitted = tamis.selection.CorrelationFilter(kind="spearman").fit(X)
    assert fitted.ranking_.tolist() == found.indices.tolist()


def test_wrong_thresholds_and_kinds_are_refused(real):
    with pytest.raises(TamisError, match="share above 0"):
        tamis.select(real("iris"), method="correlation", threshold=90)
    with pytest.raises(TamisError, match="'spearman'"):
        tamis.select(real("iris"), method="correlation", options={"kind": "kendall"})
