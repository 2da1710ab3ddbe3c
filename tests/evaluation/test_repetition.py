import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_wine

from tamis.errors import TamisError
from tamis.evaluation.subsets import redundancy
from tamis.statistics.gram import DenseGram
from tamis.statistics.linear import summary_of_rows
from tamis.statistics.moments import Moments


@pytest.fixture(params=["dense", "rows", "sparse"])
def gram_of(request):
    def make(X, scale=False):
        if request.param == "dense":
            return Moments.from_batch(X).gram(scale=scale)
        rows = scipy.sparse.csr_array(X) if request.param == "sparse" else X
        return summary_of_rows(rows, scale).gram

    return make


def by_regression(X, kept):
    """Give the largest inflation by regressing every kept column on the others."""
    Z = X[:, kept] - X[:, kept].mean(axis=0)
    factors = []
    for j in range(len(kept)):
        others = np.delete(Z, j, axis=1)
        left = Z[:, j] - others @ np.linalg.lstsq(others, Z[:, j], rcond=None)[0]
        factors.append((Z[:, j] @ Z[:, j]) / (left @ left))
    return max(factors)


@pytest.mark.parametrize("scale", [False, True])
def test_numbers_equal_their_definition_in_every_form(gram_of, scale):
    X, kept = load_wine().data, [6, 0, 9, 5]
    found = redundancy(gram_of(X, scale), kept)
    correlations = np.abs(np.corrcoef(X[:, kept], rowvar=False))[np.triu_indices(4, 1)]
    assert found.correlation == pytest.approx(correlations.mean())
    assert found.inflation == pytest.approx(by_regression(X, kept))
    assert found.information is None


def test_information_is_the_mean_over_pairs_of_the_kept_columns():
    information = np.arange(16.0).reshape(4, 4)
    information = (information + information.T) / 40
    found = redundancy(DenseGram(np.eye(4)), [3, 0, 1], information=information)
    pairs = (information[3, 0], information[3, 1], information[0, 1])
    assert found.information == pytest.approx(np.mean(pairs))
    assert (found.correlation, found.inflation) == (0.0, 1.0)


def test_two_columns_have_the_inflation_of_their_correlation(gram_of):
    X = np.random.default_rng(0).standard_normal((50, 3))
    r = np.corrcoef(X, rowvar=False)[0, 2]
    found = redundancy(gram_of(X), [0, 2])
    assert found.correlation == pytest.approx(abs(r))
    assert found.inflation == pytest.approx(1 / (1 - r * r))


def test_copies_and_sums_have_no_finite_inflation(gram_of):
    X = np.random.default_rng(1).standard_normal((30, 3))
    X = np.column_stack([X, -2 * X[:, 0] + 5, X[:, 0] + X[:, 1]])
    assert redundancy(gram_of(X), [0, 3]).inflation == np.inf
    assert redundancy(gram_of(X), [0, 3]).correlation == pytest.approx(1)
    assert redundancy(gram_of(X), [4, 1, 0]).inflation == np.inf
    assert redundancy(gram_of(X), [4, 1, 2]).inflation < 10


def test_as_many_columns_as_rows_depend_on_each_other_and_the_mean_is_still_exact(gram_of):
    X = np.random.default_rng(2).standard_normal((6, 15))
    kept = np.arange(12)
    found = redundancy(gram_of(X), kept)
    correlations = np.abs(np.corrcoef(X[:, :12], rowvar=False))[np.triu_indices(12, 1)]
    assert found.inflation == np.inf
    assert found.correlation == pytest.approx(correlations.mean())


@pytest.mark.parametrize("kept", [[], [2]])
def test_fewer_than_two_columns_repeat_nothing(kept):
    found = redundancy(DenseGram(np.diag([4.0, 2.0, 1.0])), kept, information=np.ones((3, 3)))
    assert (found.correlation, found.inflation, found.information) == (0.0, 1.0, 0.0)


def test_bad_columns_are_refused_with_advice():
    gram = DenseGram(np.diag([1.0, 0.0, 1.0]))
    with pytest.raises(TamisError, match="give positions from 0 to 2"):
        redundancy(gram, [0, 3])
    with pytest.raises(TamisError, match="give each kept column once"):
        redundancy(gram, [2, 2])
    with pytest.raises(TamisError, match="Column 1 is constant"):
        redundancy(gram, [0, 1])
    with pytest.raises(TamisError, match="give 3 x 3"):
        redundancy(gram, [0, 2], information=np.ones((2, 2)))
