import numpy as np
import pytest
import scipy.sparse
from sklearn.decomposition import PCA

from tamis.algorithms.extraction.pca import principal_components
from tamis.errors import TamisError
from tamis.sources.arrays import ArraySource
from tamis.statistics.linear import collect_gram, summary_of_moments, summary_of_rows
from tamis.statistics.moments import Moments


def summary_of(X, scale=False):
    return collect_gram(ArraySource(X), range(X.shape[1]), scale=scale)


def test_known_answer_of_iris(real):
    found = principal_components(summary_of(real("iris")), 4)
    assert np.cumsum(found.shares) == pytest.approx([0.92462, 0.97769, 0.99479, 1.0], abs=5e-6)
    scaled = principal_components(summary_of(real("iris"), True), 4, scale=True)
    assert np.cumsum(scaled.shares) == pytest.approx([0.72962, 0.95813, 0.99482, 1.0], abs=5e-6)
    assert scaled.values.sum() == pytest.approx(4)


def test_sizes_of_the_two_rules(real):
    summary = summary_of(real("iris"))
    assert principal_components(summary).size == 2
    assert principal_components(summary, rule="floor").size == 1


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_scores_are_uncorrelated_and_their_variances_the_eigenvalues(real, name, scale):
    X = real(name)
    k = 4
    found = principal_components(summary_of(X, scale), k, scale=scale)
    Y = found.project(X)
    factor = (len(X) - 1) / len(X) if scale else 1.0  # of the correlation matrix
    np.testing.assert_allclose(
        np.cov(Y, rowvar=False) * factor, np.diag(found.values), atol=1e-9 * found.values[0]
    )
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(k), atol=1e-12)


def test_lost_squares_are_the_dropped_eigenvalues(real):
    X = real("wine")
    all_of_them = principal_components(summary_of(X), 13)
    for k in (1, 4, 12):
        found = principal_components(summary_of(X), k)
        lost = np.square(X - found.rebuild(found.project(X))).sum()
        assert lost == pytest.approx(all_of_them.values[k:].sum() * (len(X) - 1), rel=1e-6)


@pytest.mark.parametrize(("n", "d"), [(60, 9), (12, 40), (20, 1010)])
def test_all_forms_agree_with_scikit_learn(n, d, correlated):
    X = correlated(n, d)
    oracle = PCA(3, svd_solver="full").fit(X)
    summaries = [
        summary_of_moments(Moments.from_batch(X), False),
        summary_of_rows(X, False),
        summary_of_rows(scipy.sparse.csr_array(X), False),
    ]
    for summary in summaries:
        found = principal_components(summary, 3)
        np.testing.assert_allclose(found.values, oracle.explained_variance_, rtol=1e-8)
        np.testing.assert_allclose(found.shares, oracle.explained_variance_ratio_, rtol=1e-8)
        turned = np.sign((found.components * oracle.components_).sum(axis=1))[:, None]
        np.testing.assert_allclose(found.components * turned, oracle.components_, atol=1e-7)
        largest = np.abs(found.components).argmax(axis=1)
        assert (found.components[[0, 1, 2], largest] > 0).all()


def test_more_columns_than_rows_give_fewer_directions_and_say_so():
    X = np.random.default_rng(0).standard_normal((6, 20))
    found = principal_components(summary_of(X), 20)
    assert found.size == 5
    assert "5 of 20 components exist" in found.note
    assert "computed from the rows" in found.note
    np.testing.assert_allclose(found.rebuild(found.project(X)), X, atol=1e-10)


def test_constant_columns_weigh_nothing_and_come_back(real):
    X = np.column_stack([np.full(150, 7.0), real("iris"), np.zeros(150)])
    for scale in (False, True):
        found = principal_components(summary_of(X, scale), 4, scale=scale)
        assert not found.components[:, [0, 5]].any()
        np.testing.assert_allclose(found.rebuild(found.project(X)), X, atol=1e-10)


def test_duplicates_share_their_weight(real):
    X = real("iris")[:, [2, 2, 0]]
    found = principal_components(summary_of(X), 3)
    assert found.size == 2
    assert found.components[0, 0] == pytest.approx(found.components[0, 1])


def test_batches_and_float32_give_the_same(real):
    X = np.round(8 * real("wine")) / 8
    whole = principal_components(summary_of(X), 3)
    parts = [Moments.from_batch(X[i : i + 17].astype(np.float32)) for i in range(0, len(X), 17)]
    merged = parts[0]
    for part in parts[1:]:
        merged = merged.merge(part)
    found = principal_components(summary_of_moments(merged, False), 3)
    np.testing.assert_allclose(found.components, whole.components, atol=1e-9)


def test_bad_tables_are_refused(real):
    with pytest.raises(TamisError, match="scale=True"):
        principal_components(summary_of(real("wine"), True))
    with pytest.raises(TamisError, match="constant"):
        principal_components(summary_of(np.ones((5, 3))))
    with pytest.raises(TamisError, match="at least 2"):
        principal_components(summary_of(np.array([[1.0, 2.0]])))
