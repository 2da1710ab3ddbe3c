import numpy as np
import pytest
import scipy.sparse

from tamis.errors import TamisError
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.arrays import ArraySource
from tamis.statistics import neighbours
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.neighbours import collect_neighbours, nearest_rows, neighbour_graph


class InBatches(ArraySource):
    def batches(self, columns):
        yield from np.array_split(self.array[:, list(columns)], 7)


def by_definition(X, k):
    """Sort all other rows by distance, equal distances by index."""
    found = []
    for i in range(len(X)):
        squares = ((X - X[i]) ** 2).sum(axis=1)
        others = [j for j in range(len(X)) if j != i]
        others.sort(key=lambda j: (round(squares[j], 9), j))
        found.append(sorted(others[:k]))
    return found


def rows_of(kind):
    rng = np.random.default_rng(0)
    return {
        "normal": lambda: rng.standard_normal((300, 7)),
        "lattice": lambda: rng.integers(0, 3, (250, 4)).astype(float),
        "bits": lambda: rng.integers(0, 2, (200, 9)).astype(float),
        "copies": lambda: np.repeat(rng.standard_normal((20, 3)), 12, axis=0)[rng.permutation(240)],
        "all equal": lambda: np.zeros((30, 2)),
        "far from 0": lambda: rng.standard_normal((200, 5)) * 0.01 + 1e4,
        "few": lambda: rng.standard_normal((6, 40)),
        "no columns": lambda: np.zeros((8, 0)),
    }[kind]()


KINDS = ["normal", "lattice", "bits", "copies", "all equal", "far from 0", "few", "no columns"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [1, 5])
def test_exact_search_is_the_definition_with_ties_by_index(kind, k):
    X = rows_of(kind)
    assert nearest_rows(X, k, search="exact").tolist() == by_definition(X, k)


@pytest.mark.parametrize("kind", ["lattice", "copies", "all equal", "far from 0"])
def test_tree_and_products_find_the_same(kind, monkeypatch):
    X = rows_of(kind)
    by_tree = nearest_rows(X, 5)
    monkeypatch.setattr(neighbours, "_TREE_COLUMNS", 0)
    assert np.array_equal(nearest_rows(X, 5), by_tree)


def test_small_blocks_change_nothing(monkeypatch):
    X = rows_of("bits")
    whole = nearest_rows(X, 4)
    monkeypatch.setattr(neighbours, "_DISTANCE_BYTES", 20000)
    assert np.array_equal(nearest_rows(X, 4), whole)


def test_one_far_row_does_not_spoil_the_search_of_the_others():
    X = rows_of("normal")
    far = np.vstack([X, np.full((1, 7), 1e7)])
    assert np.array_equal(nearest_rows(far, 5)[:-1], nearest_rows(X, 5))


def test_more_neighbours_than_rows_are_all_other_rows():
    assert nearest_rows(np.array([[0.0], [1.0], [5.0]]), 9).tolist() == [[1, 2], [0, 2], [0, 1]]
    assert nearest_rows(np.zeros((1, 2)), 5).shape == (1, 0)


def test_permuting_columns_gives_the_same_neighbours():
    X = np.random.default_rng(0).integers(0, 3, (300, 6)) / 7.0
    order = np.random.default_rng(1).permutation(6)
    assert np.array_equal(nearest_rows(X, 5), nearest_rows(X[:, order], 5))


@pytest.mark.nightly  # Numba compiles for a minute
def test_approximate_search_finds_nearly_all_and_always_the_same():
    pytest.importorskip("pynndescent", reason="PyNNDescent (tamis[neighbours]) is not installed")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3000, 5)) @ rng.standard_normal((5, 12))
    X = np.vstack([X, X[:40], X[:40]])
    exact = nearest_rows(X, 5, search="exact")
    found = nearest_rows(X, 5, search="approximate")
    hits = sum(len(set(a) & set(b)) for a, b in zip(exact.tolist(), found.tolist(), strict=True))
    assert hits >= 0.98 * exact.size
    assert (found != np.arange(len(X))[:, None]).all()
    assert np.array_equal(nearest_rows(X, 5, search="approximate"), found)


def test_a_missing_package_names_the_extra(monkeypatch):
    monkeypatch.setattr(neighbours, "_descent", lambda: None)
    X = rows_of("normal")
    with pytest.raises(TamisError, match=r"tamis\[neighbours\]"):
        nearest_rows(X, 5, search="approximate")
    monkeypatch.setattr(neighbours, "EXACT_ROWS", 100)
    assert nearest_rows(X, 5).tolist() == by_definition(X, 5)


@pytest.mark.slow
def test_many_rows_are_searched_approximately_when_that_is_possible(monkeypatch):
    asked = []

    class Descent:
        def __init__(self, table, n_neighbors, random_state, n_jobs):  # noqa: ARG002
            asked.append((len(table), random_state))
            near = by_definition(table.astype(float), n_neighbors - 1)
            own = np.arange(len(table))[:, None]
            self.neighbor_graph = np.hstack([own, near]), None
            self.neighbor_graph[0][3, 2:] = -1  # what it could not find is searched for

    monkeypatch.setattr(neighbours, "_descent", lambda: Descent)
    X = rows_of("normal")
    nearest_rows(X, 5)
    assert asked == []
    monkeypatch.setattr(neighbours, "EXACT_ROWS", 100)
    assert nearest_rows(X, 5, random_state=3).tolist() == by_definition(X, 5)
    assert asked == [(300, 3)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "lattice", "few"])
@pytest.mark.parametrize("t", [None, 2.5])
def test_graph_is_the_definition(kind, t):
    X = rows_of(kind)
    near = np.zeros((len(X), len(X)), dtype=bool)
    for i, found in enumerate(by_definition(X, 5)):
        near[i, found] = True
    near |= near.T
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    heat = np.where(near, np.exp(-squares / (squares[near].mean() if t is None else t)), 0.0)
    graph = neighbour_graph(X, 5, t=t)
    assert np.allclose(graph.toarray(), heat, rtol=1e-12, atol=0)
    assert np.array_equal(neighbour_graph(X, 5, weight="binary").toarray(), near)
    assert (graph != graph.T).nnz == 0


def test_edges_between_copies_are_kept_and_weigh_one():
    X = np.array([[0.0], [0.0], [0.0], [4.0], [5.0]])
    graph = neighbour_graph(X, 1).toarray()
    assert graph[0, 1] == graph[1, 0] == graph[0, 2] == 1.0
    assert (neighbour_graph(np.zeros((6, 3)), 2).data == 1.0).all()


@pytest.mark.parametrize("shape", [(60, 8), (12, 30)])
@pytest.mark.parametrize("scale", [True, False])
def test_the_summary_holds_the_varying_columns(shape, scale):
    X = np.random.default_rng(0).standard_normal(shape) * 3 + 1
    X[:, 2] = 7.0
    summary = collect_neighbours(ArraySource(X), range(shape[1]), scale=scale)
    assert summary.varying.tolist() == [j for j in range(shape[1]) if j != 2]
    Z = np.delete(X - X.mean(axis=0), 2, axis=1)
    Z = Z / (Z.std(axis=0) if scale else np.sqrt(Z.var(axis=0).mean()))
    assert np.allclose(summary.table.rows, Z)
    assert summary.statistic is summary.table
    assert isinstance(summary.gram, DenseGram if shape[0] > shape[1] else RowGram)
    assert summary.table.gram is summary.gram
    assert summary.n_rows == shape[0]
    assert np.allclose(summary.table.graph.toarray(), neighbour_graph(Z, 5).toarray())


def test_batches_float32_and_sparse_tables_give_the_same_graph():
    X = np.random.default_rng(0).integers(0, 9, (90, 6)).astype(float)
    whole = collect_neighbours(ArraySource(X), range(6), scale=True)
    for source in (
        InBatches(X),
        ArraySource(X.astype(np.float32)),
        ArraySource(scipy.sparse.csr_array(X)),
    ):
        other = collect_neighbours(source, range(6), scale=True)
        assert np.array_equal(other.table.rows, whole.table.rows)
        assert (other.table.graph != whole.table.graph).nnz == 0


def test_missing_values_are_refused_filled_or_dropped():
    X = np.random.default_rng(0).standard_normal((50, 4))
    X[3, 1] = np.nan
    with pytest.raises(TamisError, match="x1"):
        collect_neighbours(ArraySource(X), range(4), scale=True)
    dropped = collect_neighbours(ArraySource(X), range(4), scale=True, missing=MissingPolicy.DROP)
    assert dropped.table.graph.shape == (49, 49)
    filled = collect_neighbours(InBatches(X), range(4), scale=True, missing=MissingPolicy.MEAN)
    assert filled.table.rows[3, 1] == pytest.approx(0.0)
    with pytest.raises(TamisError, match="no rows"):
        collect_neighbours(ArraySource(np.zeros((0, 4))), range(4), scale=True)
