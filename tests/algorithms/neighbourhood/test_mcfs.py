import numpy as np
import pytest
import scipy.linalg
import scipy.sparse
from sklearn.linear_model import lars_path

from tamis.algorithms.neighbourhood import mcfs
from tamis.algorithms.neighbourhood.mcfs import describe_clusters, least_angles, spectral_embedding
from tamis.algorithms.orders import Pairs
from tamis.sources.arrays import ArraySource
from tamis.statistics.gram import DenseGram
from tamis.statistics.neighbours import collect_neighbours, neighbour_graph


def near_of(X, scale=True, **options):
    return collect_neighbours(ArraySource(X), range(X.shape[1]), scale=scale, **options).table


def blobs(n, d, groups, *, spread=1.0, seed=0):
    rng = np.random.default_rng(seed)
    centres = 1.5 * rng.standard_normal((groups, d))
    return centres[rng.integers(0, groups, n)] + spread * rng.standard_normal((n, d))


def textbook(near, k, clusters):
    """Solve the whole eigenproblem, regress on the rows, take the largest coefficients."""
    S = near.graph.toarray()
    roots = np.sqrt(S.sum(axis=1))
    L = np.eye(len(S)) - S / np.outer(roots, roots)
    values, vectors = scipy.linalg.eigh(L)
    assert values[1] > 1e-9  # connected: only the first vector is trivial
    scores = np.zeros(near.rows.shape[1])
    for u in vectors.T[1 : clusters + 1]:
        y = u / roots
        coefficients = lars_path(near.rows, y - y.mean(), max_iter=k, method="lar")[2][:, -1]
        scores = np.maximum(scores, np.abs(coefficients))
    return scores


def test_known_answer_of_two_far_groups():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4))
    X[:30, 0] += 40
    for scale in (True, False):
        path = describe_clusters(near_of(X, scale), 1, clusters=1)
        assert path.indices.tolist() == [0]


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize(("shape", "k"), [((150, 12), 4), ((150, 12), 12), ((600, 40), 10)])
def test_scores_are_those_of_the_textbook(shape, k, scale):
    near = near_of(blobs(*shape, 4, spread=2.0), scale, neighbours=8)
    path = describe_clusters(near, k, clusters=3)
    expected = textbook(near, k, 3)
    assert path.scores == pytest.approx(expected, rel=1e-6, abs=1e-9 * expected.max())
    assert path.indices.tolist() == np.argsort(-expected, kind="stable")[:k].tolist()
    assert not path.nested


def test_wide_tables_give_the_textbook_too():
    near = near_of(blobs(40, 90, 3, spread=2.0), neighbours=8)
    path = describe_clusters(near, 10, clusters=3)
    expected = textbook(near, 10, 3)
    assert path.scores == pytest.approx(expected, rel=1e-6, abs=1e-9 * expected.max())


def of_mean_length_1(X):
    """Centre the columns and divide them by one number, as a Gram matrix has them."""
    Z = X - X.mean(axis=0)
    return Z / np.sqrt((Z**2).sum(axis=0).mean())


@pytest.mark.parametrize("form", ["dense", "rows"])
def test_regression_keeps_all_angles_equal_at_every_step(form, gram_of):
    """What defines the path: those taken correlate alike with the rest, no other column more."""
    X = blobs(50, 20, 3) if form == "dense" else blobs(15, 40, 3)
    y = np.random.default_rng(1).standard_normal(len(X))
    Z, most = of_mean_length_1(X), 13
    path = least_angles(Pairs(gram_of(X, form, scale=False)), Z.T @ y, most)
    assert path.columns[0] == np.abs(Z.T @ y).argmax()
    assert len(path.columns) == most
    for steps in range(1, most + 1):
        taken = path.columns[:steps]
        c = np.abs(Z.T @ (y - Z[:, taken] @ path.coefficients(steps)))
        assert c[taken] == pytest.approx(path.levels[steps - 1])
        assert c.max() == pytest.approx(path.levels[steps - 1])
        if steps < most:
            assert c[path.columns[steps]] == pytest.approx(path.levels[steps - 1])
    assert (np.diff(path.levels) < 0).all()


def test_regression_gives_the_coefficients_of_scikit_learn(gram_of):
    X = blobs(50, 20, 3)
    y = np.random.default_rng(1).standard_normal(50)
    Z = of_mean_length_1(X)
    found = least_angles(Pairs(gram_of(X, scale=False)), Z.T @ y, 20)
    _, order, coefficients = lars_path(Z, y - y.mean(), max_iter=20, method="lar")
    assert found.columns.tolist() == list(order)
    for steps in range(1, 21):
        dense = np.zeros(20)
        dense[found.columns[:steps]] = found.coefficients(steps)
        assert dense == pytest.approx(coefficients[:, steps], rel=1e-7, abs=1e-9)


def test_copies_are_passed_over_and_a_perfect_fit_ends_the_regression():
    X = blobs(50, 4, 3)
    X = np.column_stack([X, X[:, 1], X[:, 0] + X[:, 2]])
    Z = X - X.mean(axis=0)
    path = least_angles(Pairs(DenseGram(Z.T @ Z)), Z.T @ (2 * Z[:, 3] - Z[:, 1]), 6)
    assert 4 not in path.columns
    assert len(path.columns) <= 4
    dense = np.zeros(6)
    dense[path.columns] = path.coefficients(6)
    assert Z @ dense == pytest.approx(2 * Z[:, 3] - Z[:, 1])


def test_parts_of_a_graph_are_told_apart_and_only_the_constant_is_left_out():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((90, 2)) + 1000.0 * np.repeat([0, 1, 2], [40, 30, 20])[:, None]
    graph = neighbour_graph(X, 6)
    degrees = graph.sum(axis=1)
    Y = spectral_embedding(graph, 5)
    assert Y.T @ (degrees[:, None] * Y) == pytest.approx(np.eye(5), abs=1e-10)
    assert degrees @ Y == pytest.approx(np.zeros(5), abs=1e-10)
    for part in (slice(0, 40), slice(40, 70), slice(70, 90)):
        assert np.ptp(Y[part, :2], axis=0) == pytest.approx([0, 0], abs=1e-12)
    roughness = np.einsum("ij,ij->j", Y, degrees[:, None] * Y - graph @ Y)
    S = graph.toarray()
    values = scipy.linalg.eigvalsh(np.diag(degrees) - S, np.diag(degrees))
    assert roughness == pytest.approx(values[1:6], abs=1e-10)


@pytest.mark.parametrize("kind", ["plane", "line", "noise"])
def test_large_graphs_give_the_vectors_of_a_dense_solver(kind, monkeypatch):
    rng = np.random.default_rng(0)
    X = {
        "plane": rng.random((700, 2)) * [3, 1],
        "line": np.linspace(0, 1, 700)[:, None] ** 1.1,
        "noise": rng.standard_normal((700, 30)),
    }[kind]
    graph = neighbour_graph(X, 9, weight="binary")
    found = spectral_embedding(graph, 4)
    monkeypatch.setattr(mcfs, "_MAX_EMBEDDING_RESTARTS", 1)
    inverted = spectral_embedding(graph, 4)
    monkeypatch.setattr(mcfs, "_MAX_DENSE_ROWS", 10**6)
    dense = spectral_embedding(graph, 4)
    degrees = graph.sum(axis=1)[:, None]
    for other in (found, inverted):  # alike but for signs
        assert np.abs(dense.T @ (degrees * other)) == pytest.approx(np.eye(4), abs=1e-7)


def test_rows_without_weight_get_zero():
    S = np.zeros((5, 5))
    S[:3, :3] = 1 - np.eye(3)
    Y = spectral_embedding(scipy.sparse.csr_array(S), 4)
    assert Y.shape == (5, 2)
    assert (Y[3:] == 0).all()
    assert spectral_embedding(scipy.sparse.csr_array((4, 4)), 3).shape == (4, 0)


def test_columns_that_no_regression_took_follow():
    """Three columns carry all: the copies fill up, nearest to the vectors first."""
    X = blobs(60, 3, 3)
    X = np.column_stack([X, X[:, [2, 0]] * 2])
    path = describe_clusters(near_of(X), 5, clusters=2, include=[4])
    assert path.indices[0] == 4
    assert np.count_nonzero(path.scores) == 3
    assert path.retained[-1] == pytest.approx(1.0)
    assert set(path.indices.tolist()) <= {0, 1, 2, 4}


@pytest.mark.parametrize("retain", [0.5, 0.8, 0.95])
def test_retain_is_the_smallest_request_that_reaches_it(real, retain):
    near = near_of(real("digits")[::4])
    path = describe_clusters(near, near.rows.shape[1], retain=retain)
    size = len(path.indices)
    assert path.share >= retain
    assert describe_clusters(near, size).indices.tolist() == path.indices.tolist()
    assert describe_clusters(near, size - 1).share < retain


def test_float32_and_batches_give_the_same_columns():
    X = np.rint(blobs(200, 15, 4) * 100)

    class InBatches(ArraySource):
        def batches(self, columns):
            yield from np.array_split(self.array[:, list(columns)], 9)

    plain = describe_clusters(near_of(X), 6)
    single = describe_clusters(near_of(X.astype(np.float32)), 6)
    parts = collect_neighbours(InBatches(X), range(15), scale=True).table
    assert single.indices.tolist() == plain.indices.tolist()
    assert describe_clusters(parts, 6).indices.tolist() == plain.indices.tolist()
