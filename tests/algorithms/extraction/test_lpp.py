"""`lpp`: the generalised eigenproblem solved densely, two groups, and singular tables."""

import tracemalloc

import numpy as np
import pytest
import scipy.linalg

import tamis
from tamis.algorithms.extraction.lpp import locality_preserving
from tamis.errors import TamisError


def dense_answer(X, neighbours=5, binary=False, t=None):
    """Solve X'LX a = lam X'DX a with N x N arrays, as the definition reads."""
    X = X - X.mean(axis=0)
    squares = np.square(X[:, None] - X).sum(axis=2)
    joined = np.zeros(squares.shape, dtype=bool)
    for i, row in enumerate(squares):
        others = [j for j in np.argsort(row, kind="stable") if j != i]
        joined[i, others[:neighbours]] = True
    joined |= joined.T
    width = squares[joined].mean() if t is None else t
    S = np.where(joined, 1.0 if binary else np.exp(-squares / width), 0.0)
    D = np.diag(S.sum(axis=1))
    values, vectors = scipy.linalg.eigh(X.T @ (D - S) @ X, X.T @ D @ X)
    return values, vectors * np.sqrt(D.sum()), S


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.mark.parametrize("settings", [{}, {"neighbours": 3, "weight": "binary"}, {"t": 4.0}])
@pytest.mark.parametrize("scale", [True, False])
def test_it_equals_the_dense_eigenproblem(settings, scale):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((90, 6)) @ rng.standard_normal((6, 6)) + 5.0
    found = locality_preserving(X, 6, scale=scale, **settings)
    Z = standardised(X) if scale else X - X.mean(axis=0)
    values, vectors, _ = dense_answer(
        Z, settings.get("neighbours", 5), settings.get("weight") == "binary", settings.get("t")
    )
    np.testing.assert_allclose(found.values, values, atol=1e-12)
    signs = np.sign((found.components * vectors.T).sum(axis=1))
    np.testing.assert_allclose(found.components, vectors.T * signs[:, None], rtol=1e-8, atol=1e-10)


def test_two_groups_without_edges_between_them_are_separated_first():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (60, 4))
    X[:, 2] = np.repeat([0.0, 50.0], 30)
    found = locality_preserving(X, 1, scale=False)
    assert found.values[0] == pytest.approx(0, abs=1e-12)
    scores = found.project(X).ravel()
    np.testing.assert_allclose(scores, np.repeat(np.sign(scores[[0, -1]]), 30), atol=1e-9)


def test_new_rows_get_the_weighted_sums_of_their_columns():
    X = np.random.default_rng(1).standard_normal((50, 3))
    found = locality_preserving(X[:40], 2)
    expected = (X[40:] - X[:40].mean(axis=0)) / X[:40].std(axis=0) @ found.components.T
    np.testing.assert_allclose(found.project(X[40:]), expected, atol=1e-12)


def test_columns_that_explain_each_other_add_no_direction():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((70, 4))
    twice = np.column_stack([X, X[:, 0] + X[:, 1], X[:, 2] * 3.0])
    found = locality_preserving(twice, 6, scale=False)
    assert found.size == 4
    assert "singular" in found.note
    # The definition on the principal components of non-zero variance.
    Z = twice - twice.mean(axis=0)
    _, sizes, right = np.linalg.svd(Z, full_matrices=False)
    parts = Z @ right[:4].T
    assert sizes[4] < 1e-12 * sizes[0]
    values, vectors, _ = dense_answer(parts)
    np.testing.assert_allclose(found.values, values, atol=1e-11)
    expected = parts @ vectors
    scores = found.project(twice)
    np.testing.assert_allclose(np.abs(scores), np.abs(expected), atol=1e-9)


@pytest.mark.parametrize("shape", [(6000, 3), (20, 4000)])
def test_neither_all_pairs_of_rows_nor_of_columns_are_held(shape):
    X = np.random.default_rng(5).standard_normal(shape)
    tracemalloc.start()
    try:
        found = locality_preserving(X, 2)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.components.shape == (2, shape[1])
    assert peak < 8 * max(shape) ** 2 / 10


def test_other_units_of_columns_change_no_score_on_the_same_graph():
    X = np.random.default_rng(6).standard_normal((60, 3))
    found = locality_preserving(X, 3)
    other = locality_preserving(X * [1e-9, 1.0, 1e7], 3)
    np.testing.assert_allclose(other.values, found.values, atol=1e-10)
    np.testing.assert_allclose(
        np.abs(other.project(X * [1e-9, 1.0, 1e7])), np.abs(found.project(X)), atol=1e-7
    )


def test_rows_too_far_apart_for_their_width_are_refused():
    with pytest.raises(TamisError, match="larger t"):
        locality_preserving(np.arange(12.0).reshape(6, 2) * 1e3, t=1e-3, scale=False)


def test_the_answer_names_its_measure():
    X = np.random.default_rng(7).standard_normal((50, 4))
    said = tamis.extract(X, 2, method="lpp").to_dict()["sentence"]
    assert "of the agreement between neighbouring rows" in said
