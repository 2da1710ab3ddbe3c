import numpy as np
import pytest
import scipy.linalg
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from tamis.algorithms.extraction.lda import discriminants
from tamis.errors import TamisError


def scatters(X, y):
    """Write both scatter matrices out."""
    mean, within, between = X.mean(axis=0), 0.0, 0.0
    for c in np.unique(y):
        members = X[y == c]
        within = within + (members - members.mean(axis=0)).T @ (members - members.mean(axis=0))
        shift = members.mean(axis=0) - mean
        between = between + len(members) * np.outer(shift, shift)
    return within, between


@pytest.fixture
def small():
    """Twelve rows of 30 columns in three classes."""
    return np.random.default_rng(0).standard_normal((12, 30)), np.repeat([0, 1, 2], 4)


def test_known_answer_of_iris():
    X, y = load_iris(return_X_y=True)
    found = discriminants(X, y, 2)
    assert found.values == pytest.approx([32.19193, 0.28539], abs=5e-6)
    assert found.shares == pytest.approx([0.99121, 0.00879], abs=5e-6)
    assert found.values.sum() == pytest.approx(32.47732, abs=5e-6)
    assert found.note.startswith("solver regular")
    assert discriminants(X, y).size == 2
    assert discriminants(X, y, share=0.95).size == 1


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_directions_solve_the_generalised_problem(load):
    X, y = load(return_X_y=True)
    within, between = scatters(X, y)
    found = discriminants(X, y, 2)
    W = found.components.T
    np.testing.assert_allclose(W.T @ within @ W, np.eye(2), atol=1e-9)
    np.testing.assert_allclose(
        W.T @ between @ W, np.diag(found.values), atol=1e-8 * found.values[0]
    )
    values = scipy.linalg.eigh(between, within, eigvals_only=True)[::-1]
    np.testing.assert_allclose(found.values, values[:2])
    oracle = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    np.testing.assert_allclose(found.shares, oracle.explained_variance_ratio_[:2])
    scores, theirs = found.project(X), oracle.transform(X)
    for i in range(2):
        assert abs(np.corrcoef(scores[:, i], theirs[:, i])[0, 1]) == pytest.approx(1)


def test_scaling_and_units_change_nothing_when_regular():
    X, y = load_wine(return_X_y=True)
    plain = discriminants(X, y, 2)
    for other in (discriminants(X, y, 2, scale=True), discriminants(X * 1e-9, y, 2)):
        scores = other.project(X if other.mean[0] > 1 else X * 1e-9)
        np.testing.assert_allclose(np.abs(scores), np.abs(plain.project(X)), atol=1e-8)


def test_two_classes_give_fishers_direction():
    X, y = load_iris(return_X_y=True)
    X, y = X[:100], y[:100]
    found = discriminants(X, y, 3)
    want = np.linalg.solve(scatters(X, y)[0], X[50:].mean(axis=0) - X[:50].mean(axis=0))
    assert found.size == 1
    assert "2 classes have no more discriminants" in found.note
    cosine = found.components[0] @ want / np.linalg.norm(found.components[0])
    assert abs(cosine) == pytest.approx(np.linalg.norm(want))


def test_null_space_collapses_every_class_to_a_point(small):
    X, y = small
    found = discriminants(X, y, 5, solver="nullspace")
    assert found.size == 2
    assert found.note.startswith("solver nullspace: 2 directions")
    scores = found.project(X)
    # The projection of a row is exact to eps times the length of the row, times its size.
    error = 20 * X.shape[1] * np.finfo(float).eps * np.linalg.norm(X, axis=1).max()
    assert max(np.ptp(scores[y == c], axis=0).max() for c in range(3)) < error
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(2), atol=1e-12)
    between = scatters(X, y)[1]
    W = found.components.T
    np.testing.assert_allclose(W.T @ between @ W, np.diag(found.values), atol=1e-10)


def test_singular_scatter_is_shrunk_unless_told_otherwise(small):
    X, y = small
    found = discriminants(X, y, 2)
    assert found.note.startswith("solver svd")
    within, between = scatters(X, y)
    within += 1e-3 * np.trace(within) / 30 * np.eye(30)
    values, vectors = scipy.linalg.eigh(between, within)
    np.testing.assert_allclose(found.values, values[::-1][:2])
    want = X @ vectors[:, ::-1][:, :2]
    want -= want.mean(axis=0)
    np.testing.assert_allclose(np.abs(found.project(X)), np.abs(want), atol=1e-7)


def test_principal_components_come_first_if_asked(small):
    X, y = small
    found = discriminants(X, y, 2, solver="pca+lda")
    assert "after 9 principal components" in found.note
    _, _, right = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    inside = discriminants(X @ right[:9].T, y, 2, solver="regular")
    np.testing.assert_allclose(found.values, inside.values)
    np.testing.assert_allclose(
        np.abs(found.project(X)), np.abs(inside.project(X @ right[:9].T)), atol=1e-9
    )


def test_principal_components_on_which_classes_collapse_are_shrunk():
    """Column 0 is the class, column 1 noise: the leading component has no spread within."""
    y = np.repeat([0, 1], 20)
    noise = np.random.default_rng(0).standard_normal((40, 3))
    for c in (0, 1):
        noise[y == c] -= noise[y == c].mean(axis=0)
    X = np.column_stack([np.where(y == 0, -10.0, 10.0), noise])
    for width in (2, 4):
        found = discriminants(X[:, :width], y, solver="pca+lda")
        assert found.note == (
            f"solver pca+lda: after {width - 1} principal component{'s' * (width > 2)}, "
            "within-class covariance regularised by 0.001 of its mean eigenvalue"
        )
        assert np.abs(found.components[0, 1:]).max() < 1e-9 * found.components[0, 0]
        added = 1e-3 * np.square(noise[:, : width - 1]).sum() / width
        assert found.values == pytest.approx([4000 / added])


def test_duplicate_and_constant_columns_are_shrunk_not_fatal():
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, X[:, 0], np.ones(150)])
    found = discriminants(X, y, 2)
    assert found.note.startswith("solver svd")
    assert not found.components[:, 5].any()
    assert found.components[0, 0] == pytest.approx(found.components[0, 4])
    clean = discriminants(X[:, :4], y, 2)
    near = np.corrcoef(found.project(X)[:, 0], clean.project(X[:, :4])[:, 0])[0, 1]
    assert abs(near) > 0.99


def test_a_class_of_one_row_adds_nothing_within():
    X, y = load_iris(return_X_y=True)
    y = y.copy()
    y[0] = 3
    within, between = scatters(X, y)
    found = discriminants(X, y, 3)
    values = scipy.linalg.eigh(between, within, eigvals_only=True)[::-1]
    np.testing.assert_allclose(found.values, values[:3])


def test_bad_requests_are_refused(small):
    X, y = small
    iris = load_iris(return_X_y=True)
    with pytest.raises(TamisError, match="singular; give 'auto'"):
        discriminants(X, y, solver="regular")
    with pytest.raises(TamisError, match="every direction has within-class variance"):
        discriminants(*iris, solver="nullspace")
    with pytest.raises(TamisError, match="1 class"):
        discriminants(X, np.zeros(12))
    with pytest.raises(TamisError, match="one label for each row"):
        discriminants(X, y[:5])
    with pytest.raises(TamisError, match="4 labels are missing: drop the rows without a label"):
        discriminants(X, np.where(y == 1, np.nan, y))
    for labels, rows in ((np.arange(12), X), (y, np.repeat(X[:3], 4, axis=0))):
        with pytest.raises(TamisError, match="every class is a single point; give 'nullspace'"):
            discriminants(rows, labels, solver="pca+lda")
