import numpy as np
import pytest
import scipy.sparse

from tamis.algorithms.neighbourhood.laplacian import laplacian_scores, smoothest_columns
from tamis.algorithms.orders import order_of
from tamis.sources.arrays import ArraySource
from tamis.statistics.gram import RowGram
from tamis.statistics.neighbours import Neighbours, collect_neighbours, neighbour_graph


def near_of(X, graph):
    rows = X - X.mean(axis=0)
    return Neighbours(rows, scipy.sparse.csr_array(graph), RowGram(rows))


def by_definition(X, S):
    """One column at a time, all matrices written out."""
    D = np.diag(S.sum(axis=1))
    L, one = D - S, np.ones(len(S))
    scores = []
    for f in X.T:
        g = f - (f @ D @ one) / (one @ D @ one) * one
        scores.append((g @ L @ g) / (g @ D @ g))
    return np.array(scores)


def test_known_answers_on_a_chain_of_four_rows():
    chain = np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)
    X = np.array([[1, 0, 1], [2, 0, -1], [3, 1, 1], [4, 1, -1.0]])
    path = smoothest_columns(near_of(X, chain), 3)
    assert path.scores == pytest.approx([6 / 11, 2 / 3, 2.0], abs=1e-14)
    assert path.indices.tolist() == [0, 1]  # which reproduce the third


@pytest.mark.parametrize("shape", [(50, 8), (12, 40)])
@pytest.mark.parametrize("seed", range(3))
def test_scores_are_the_definition_on_any_graph(shape, seed):
    rng = np.random.default_rng(seed)
    S = rng.random((shape[0], shape[0])) * (rng.random((shape[0], shape[0])) < 0.3)
    S = np.triu(S, 1) + np.triu(S, 1).T
    X = rng.standard_normal(shape) * rng.uniform(0.1, 50, shape[1]) + 5
    assert laplacian_scores(near_of(X, S)) == pytest.approx(by_definition(X, S), abs=1e-10)


@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_real_tables_give_the_definition_on_raw_columns(real, name):
    X = real(name)
    summary = collect_neighbours(ArraySource(X), range(X.shape[1]), scale=True)
    expected = by_definition(X[:, summary.varying], summary.table.graph.toarray())
    path = smoothest_columns(summary.table, X.shape[1])
    # Two columns of digits vary only in rows whose edges all but vanish: 0 / 0 but for rounding.
    expected[np.isin(summary.varying, [24, 56]) & (name == "digits")] = np.inf
    assert path.scores == pytest.approx(expected, abs=1e-10)
    order = np.argsort(expected, kind="stable")
    assert path.indices.tolist() == order[: len(path.indices)].tolist()


def test_columns_in_blocks_give_the_same(monkeypatch, real):
    near = collect_neighbours(ArraySource(real("wine")), range(13), scale=True).table
    whole = laplacian_scores(near)
    monkeypatch.setattr("tamis.numerics.row_chunks.BLOCK_BYTES", 3000)
    assert laplacian_scores(near) == pytest.approx(whole, rel=1e-11)


def test_an_indicator_of_a_part_of_the_graph_scores_zero():
    rng = np.random.default_rng(0)
    part = np.repeat([0.0, 100.0], 30)
    X = np.column_stack([rng.standard_normal(60), part, part * -2])
    near = near_of(X, neighbour_graph(X, 5))
    path = smoothest_columns(near, 3)
    assert path.scores[1:] == pytest.approx([0, 0], abs=1e-12)
    assert path.scores[0] > 0.01
    assert path.indices.tolist() == [1, 2, 0]


def test_a_constant_column_scores_infinity():
    X = np.column_stack([np.zeros(20), np.arange(20.0)])
    scores = laplacian_scores(near_of(X, neighbour_graph(X, 2)))
    assert np.isinf(scores[0])
    assert scores[1] < 1
    assert order_of(scores, smallest=True).tolist() == [1, 0]


def test_ties_go_to_the_first_column_and_included_ones_first(real):
    X = real("wine")
    doubled = np.column_stack([X, -3 * X])
    near = collect_neighbours(ArraySource(doubled), range(26), scale=True).table
    path = smoothest_columns(near, 4)
    assert path.indices[1] == path.indices[0] + 13
    assert path.indices[3] == path.indices[2] + 13
    forced = smoothest_columns(near, 4, include=[5, 1])
    assert forced.indices.tolist() == [5, 1, *path.indices[:2]]


def test_retained_is_the_share_of_variance_and_decides_the_length(real):
    X = real("digits")[:, 1:]
    summary = collect_neighbours(ArraySource(X), range(63), scale=True)
    whole = smoothest_columns(summary.table, len(summary.varying))
    Z = summary.table.rows
    for size in (1, 7, 30):
        basis = np.linalg.qr(Z[:, whole.indices[:size]])[0]
        share = ((basis.T @ Z) ** 2).sum() / (Z**2).sum()
        assert whole.retained[size - 1] == pytest.approx(share)
    short = smoothest_columns(summary.table, len(summary.varying), retain=0.7)
    assert short.retained[-1] >= 0.7 > short.retained[-2]
    assert short.indices.tolist() == whole.indices[: len(short.indices)].tolist()


def test_float32_gives_the_same_ranking(real):
    X = np.rint(real("wine") * 10)
    near = [
        collect_neighbours(ArraySource(X.astype(kind)), range(13), scale=True).table
        for kind in (np.float64, np.float32)
    ]
    first, second = (smoothest_columns(one, 13) for one in near)
    assert first.indices.tolist() == second.indices.tolist()
