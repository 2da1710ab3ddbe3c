import numpy as np
import pytest
import scipy.sparse
import scipy.stats

from tamis.sources.arrays import ArraySource
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.linear import collect_gram
from tamis.statistics.ranks import rank_columns


@pytest.fixture
def X():
    """Few values, many equal, many zero, some negative; one column without any zero."""
    X = np.random.default_rng(0).integers(-2, 4, (50, 6)).astype(float)
    X[:, 5] = np.arange(50) - 100.0
    X[:, 4] = 0.0
    return X


def test_equal_values_share_their_mean_rank(X):
    np.testing.assert_array_equal(rank_columns(X), scipy.stats.rankdata(X, axis=0))


def test_sparse_ranks_differ_by_a_constant_only_and_stay_sparse(X):
    table = rank_columns(scipy.sparse.csr_array(X))
    assert table.nnz == np.count_nonzero(X)
    apart = table.toarray() - scipy.stats.rankdata(X, axis=0)
    np.testing.assert_allclose(apart, np.broadcast_to(apart[0], apart.shape), atol=1e-12)


@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("rows", [50, 5])
def test_the_summary_is_that_of_the_ranks_in_any_form(X, sparse, rows):
    X = X[:rows]
    expected = collect_gram(ArraySource(scipy.stats.rankdata(X, axis=0)), range(6), scale=True)
    table = scipy.sparse.csr_array(X) if sparse else X
    found = collect_gram(ArraySource(table), range(6), scale=True, kind="spearman")
    assert found.varying.tolist() == expected.varying.tolist()
    for j in range(len(found.varying)):
        np.testing.assert_allclose(found.gram.column(j), expected.gram.column(j), atol=1e-12)
    if not sparse:
        assert isinstance(found.gram, DenseGram if rows == 50 else RowGram)
