import numpy as np
import pytest

from tamis.algorithms.relevance import common_weights, rank_by_common_variance

FORMS = ("dense", "rows", "sparse")


@pytest.mark.parametrize(
    ("scale", "weights", "summed"),
    [
        (True, [0.53105, 0.12258, 0.60351, 0.58200], [0.36423, 0.70296, 0.98497, 1.0]),
        (False, [0.16543, 0.01058, 0.97166, 0.16850], [0.94413, 0.97252, 0.99989, 1.0]),
    ],
)
def test_iris_of_the_card(real, gram_of, scale, weights, summed):
    path = rank_by_common_variance(gram_of(real("iris"), scale=scale), 4)
    assert path.scores == pytest.approx(weights, abs=6e-6)
    assert np.cumsum(path.scores[path.indices] ** 2) == pytest.approx(summed, abs=6e-6)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scale", [True, False])
def test_weights_are_the_leading_vector_of_the_squared_products(
    correlated, gram_of, matrix_of, form, scale
):
    X = correlated(25, 60)
    expected = np.linalg.eigh(matrix_of(X, scale) ** 2)[1][:, -1]
    np.testing.assert_allclose(
        common_weights(gram_of(X, form, scale)), np.abs(expected), atol=1e-10
    )


@pytest.mark.parametrize("form", ["rows", "sparse"])
def test_weights_are_the_same_where_no_kernel_can_be_held(correlated, gram_of, form, monkeypatch):
    X = correlated(25, 60)
    expected = common_weights(gram_of(X))
    monkeypatch.setattr("tamis.statistics.gram.row_gram.CORE_ROWS", 10)
    monkeypatch.setattr("tamis.numerics.row_chunks.BLOCK_BYTES", 4000)
    np.testing.assert_allclose(common_weights(gram_of(X, form)), expected, atol=1e-12)


def test_blocks_of_rows_and_columns_give_the_same(correlated, gram_of, monkeypatch):
    X = correlated(25, 60)
    expected = common_weights(gram_of(X))
    monkeypatch.setattr("tamis.numerics.row_chunks.BLOCK_BYTES", 1440)
    for form in ("rows", "sparse"):
        np.testing.assert_allclose(common_weights(gram_of(X, form)), expected, atol=1e-12)


def test_the_objective_is_the_squared_affinity_and_no_other_weights_beat_it(real, gram_of):
    X = real("wine")
    Z = X - X.mean(axis=0)
    Z /= np.linalg.norm(Z, axis=0)
    H, rng = (Z.T @ Z) ** 2, np.random.default_rng(0)
    best = common_weights(gram_of(X))
    for alpha in rng.standard_normal((20, 13)):
        A = (Z * alpha) @ Z.T
        assert np.trace(A @ A) == pytest.approx(alpha @ H @ alpha)
        assert alpha @ H @ alpha / (alpha @ alpha) <= best @ H @ best
    assert (best >= 0).all()


def test_copies_share_the_weight_and_dominate(gram_of):
    X = np.random.default_rng(0).standard_normal((2000, 5))
    X[:, 3] = 2 - 5 * X[:, 0]
    weights = common_weights(gram_of(X))
    assert weights[[0, 3]] == pytest.approx([0.7070, 0.7070], abs=1e-3)
    assert weights[0] == pytest.approx(weights[3], rel=1e-9)


def test_columns_without_anything_in_common_weigh_the_same(dense):
    assert common_weights(dense(np.eye(4))) == pytest.approx([0.5] * 4)
    assert common_weights(dense(np.ones((1, 1)))) == pytest.approx([1.0])
