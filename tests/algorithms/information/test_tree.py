"""The spectral tree: the card's example, a textbook recursion as oracle, odd graphs, large ones."""

import numpy as np
import pytest

from tamis.algorithms.information.tree import Laplacian, low_vectors, spectral_tree


def textbook(M, kind="unnormalized", split="sign"):
    """Split by a full solver at every node."""
    W = M - np.diag(np.diag(M))

    def grow(part):
        if len(part) == 1:
            return int(part[0])
        inner = W[np.ix_(part, part)]
        degree = inner.sum(axis=0)
        L = np.diag(degree) - inner
        if kind != "unnormalized":
            L = L / np.sqrt(np.outer(degree, degree))
        v = np.linalg.eigh(L)[1][:, 1]
        v = v / np.sqrt(degree) if kind == "rw" else v
        v = -v if v[np.abs(v).argmax()] < 0 else v
        middle = np.median(v) if split == "median" else 0.0
        left = v >= middle if len(part) > 2 else np.array([True, False])
        return [grow(part[left]), grow(part[~left])]

    return grow(np.arange(len(M)))


def similarities(d, seed=0):
    rng = np.random.default_rng(seed)
    A = rng.random((d, 3)) @ rng.random((3, d)) + 0.2 * rng.random((d, d))
    M = (A + A.T) / (2 * A.max())
    np.fill_diagonal(M, 1.0)
    return M


def test_the_tree_of_the_card(card):
    tree = spectral_tree(card)
    assert tree.nested(range(4)) == [[2, 3], [0, 1]]
    assert tree.depth.tolist() == [2, 2, 2, 2]
    assert tree.distances(0).tolist() == [0, 2, 4, 4]
    assert tree.distances(2).tolist() == [4, 4, 0, 2]


def test_the_fiedler_vector_of_the_card(card):
    W = card - np.eye(4)
    value, vectors = low_vectors(Laplacian.of(W, "unnormalized"))
    v = vectors[:, 0]
    v = v * np.sign(v[2])
    np.testing.assert_allclose(v, [-0.46471, -0.46471, 0.72566, 0.20375], atol=1e-5)
    assert value == pytest.approx(0.54384, abs=1e-5)


@pytest.mark.parametrize("kind", ["unnormalized", "sym", "rw"])
@pytest.mark.parametrize("d", [5, 30, 150])
def test_a_full_solver_at_every_node_grows_the_same_tree(kind, d):
    M = similarities(d)
    assert spectral_tree(M, laplacian=kind).nested(range(d)) == textbook(M, kind)


def test_a_caterpillar_loses_its_weakest_column_first(caterpillar):
    M = caterpillar(120)
    tree = spectral_tree(M)
    assert tree.nested(range(120)) == textbook(M)
    assert tree.depth.max() == 119
    strength = M.sum(axis=0)
    assert np.argsort(tree.depth, kind="stable")[:3].tolist() == np.argsort(strength)[:3].tolist()


def test_leaves_and_splits_are_counted_and_distances_are_a_metric():
    d = 40
    tree = spectral_tree(similarities(d, 3))
    assert sorted(tree.order.tolist()) == list(range(d))
    assert len(tree.starts) == d - 1
    D = np.array([tree.distances(j) for j in range(d)])
    assert np.array_equal(D, D.T)
    assert (np.diag(D) == 0).all()
    assert (D + np.eye(d) > 0).all()
    assert (D[:, :, None] + D[None] >= D[:, None, :].transpose(0, 1, 2)).all()


def test_a_graph_in_pieces_loses_the_piece_of_its_first_column():
    M = np.eye(5)
    M[0, 3] = M[3, 0] = M[1, 2] = M[2, 1] = 0.5
    assert spectral_tree(M).nested(range(5)) == [[0, 3], [[1, 2], 4]]


def test_equal_columns_and_tiny_tables_do_not_hurt():
    assert spectral_tree(np.ones((1, 1))).nested("a") == "a"
    assert spectral_tree(np.ones((2, 2))).nested("ab") == ["a", "b"]
    tree = spectral_tree(np.ones((6, 6)))
    assert sorted(tree.order.tolist()) == list(range(6))


def test_the_median_cuts_in_halves():
    tree = spectral_tree(similarities(32, 5), split="median")
    assert tree.depth.max() == 5


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["unnormalized", "sym", "rw"])
@pytest.mark.parametrize("d", [101, 130])
def test_the_median_of_a_large_graph_is_that_of_a_full_solver(kind, d):
    for seed in range(6):
        M = similarities(d, seed)
        found = spectral_tree(M, laplacian=kind, split="median").nested(range(d))
        assert found == textbook(M, kind, "median")


@pytest.mark.parametrize("split", ["sign", "median"])
@pytest.mark.parametrize("d", [6, 9, 250])
def test_equal_similarities_are_cut_in_the_order_of_the_columns(d, split):
    tree = spectral_tree(np.full((d, d), 0.3), split=split)
    assert tree.order.tolist() == list(range(d))
    assert tree.depth.max() <= np.ceil(np.log2(d)) + 1


@pytest.mark.parametrize("shape", ["caterpillar", "groups"])
def test_the_fiedler_vector_of_a_large_graph_has_the_right_signs(shape, caterpillar):
    M = caterpillar(400) if shape == "caterpillar" else similarities(400)
    W = M - np.eye(400)
    matrix = Laplacian.of(W, "unnormalized")
    guess = np.random.default_rng(0).standard_normal((400, 3))
    exact = np.linalg.eigh(np.diag(W.sum(axis=0)) - W)[1][:, 1]
    for _, found in (low_vectors(matrix), low_vectors(matrix, guess)):
        v = found[:, 0] * np.sign(found[:, 0] @ exact)
        assert np.array_equal(v > 0, exact > 0)


def chain(n):
    x = np.linspace(0, 1, n)
    return np.exp(-(((x[:, None] - x) / 0.15) ** 2))


def blocks(n, seed):
    rng = np.random.default_rng(seed)
    label = np.arange(n) % 3
    W = rng.random((n, n)) * 0.1 + (label[:, None] == label) * rng.random((n, n))
    return (W + W.T) / 2


def star(n):
    W = np.full((n, n), 1e-3)
    W[0] = W[:, 0] = np.linspace(1, 2, n)
    return W


HARD = {
    "chain": lambda: chain(155),
    "close second": lambda: blocks(120, 6),
    "blocks": lambda: blocks(200, 1),
    "star": lambda: star(150),
    "weak bridge": lambda: np.kron(np.eye(2), np.ones((50, 50))) + 1e-4 * chain(100),
}


@pytest.mark.parametrize("kind", ["unnormalized", "sym"])
@pytest.mark.parametrize("name", HARD)
def test_symmetric_and_nearly_tied_graphs_give_the_lowest_eigenvalue(name, kind):
    W = HARD[name]()
    np.fill_diagonal(W, 0.0)
    matrix = Laplacian.of(W, kind)
    value, vectors = low_vectors(matrix)
    values, exact = np.linalg.eigh(np.diag(matrix.a) - matrix.W)
    assert value == pytest.approx(values[1], rel=0.05)  # good enough for the signs
    if values[2] - values[1] > 1e-6 * values[-1]:
        v = vectors[:, 0] * np.sign(vectors[:, 0] @ exact[:, 1])
        sure = np.abs(exact[:, 1]) > 1e-9
        assert np.array_equal(v[sure] > 0, exact[sure, 1] > 0)


def test_a_wrong_vector_is_not_proven():
    from tamis.algorithms.information.tree import _is_proven

    W = chain(155)
    np.fill_diagonal(W, 0.0)
    matrix = Laplacian.of(W, "unnormalized")
    values, vectors = np.linalg.eigh(np.diag(matrix.a) - W)
    gap = values[2] - values[1]
    assert _is_proven(matrix, vectors[:, 1], values[1] + gap / 2, gap)
    assert not _is_proven(matrix, vectors[:, 2], values[2] + gap / 2, gap)
