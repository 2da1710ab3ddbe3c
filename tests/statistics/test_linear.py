import numpy as np
import pytest
import scipy.sparse

import tamis
from tamis.errors import TamisError
from tamis.sources.arrays import ArraySource
from tamis.statistics.gram import DenseGram, RowGram, SparseGram
from tamis.statistics.linear import collect_gram


class InBatches(ArraySource):
    """An array read a few rows at a time."""

    def __init__(self, X, rows):
        super().__init__(X)
        self._rows = rows

    def batches(self, columns):
        for start in range(0, self.n_rows, self._rows):
            yield self.array[start : start + self._rows][:, list(columns)]


@pytest.mark.parametrize("rows", [1, 3, 17, 40, 1000])
@pytest.mark.parametrize("shape", [(100, 7), (9, 30)])
def test_any_batch_size_gives_the_same_summary(rows, shape):
    X = np.random.default_rng(0).standard_normal(shape) + 100
    columns = range(shape[1])
    whole = collect_gram(ArraySource(X), columns, scale=True)
    parts = collect_gram(InBatches(X, rows), columns, scale=True)
    assert parts.n_rows == whole.n_rows == len(X)
    for j in range(shape[1]):
        np.testing.assert_allclose(parts.gram.column(j), whole.gram.column(j), atol=1e-12)


def test_rows_are_held_only_while_there_are_fewer_than_columns():
    X = np.random.default_rng(0).standard_normal((30, 20))
    assert isinstance(collect_gram(InBatches(X, 6), range(20), scale=True).gram, DenseGram)
    assert isinstance(collect_gram(InBatches(X[:19], 6), range(20), scale=True).gram, RowGram)


def test_constant_columns_are_told_apart():
    X = np.column_stack([np.arange(5.0), np.full(5, 7.7), np.arange(5.0) ** 2])
    assert collect_gram(ArraySource(X), range(3), scale=True).varying.tolist() == [0, 2]
    assert collect_gram(ArraySource(X[:2]), range(3), scale=True).varying.tolist() == [0, 2]


@pytest.mark.parametrize("shape", [(1000, 6), (50, 80)])
@pytest.mark.parametrize("scale", [True, False])
def test_sparse_tables_far_from_zero_give_the_summary_of_dense_ones(shape, scale):
    rng = np.random.default_rng(0)
    X = (rng.random(shape) < 0.3) * rng.standard_normal(shape)
    X[:, 1::3] += 1e7
    X[:, 5] = 0.1
    columns = range(shape[1])
    want = collect_gram(ArraySource(X), columns, scale=scale)
    found = collect_gram(ArraySource(scipy.sparse.csr_array(X)), columns, scale=scale)
    assert found.varying.tolist() == want.varying.tolist() == [j for j in columns if j != 5]
    np.testing.assert_allclose(found.std, want.std, rtol=1e-7)
    size = want.gram.diagonal().max()
    np.testing.assert_allclose(found.gram.diagonal(), want.gram.diagonal(), atol=1e-7 * size)
    for j in range(len(want.varying)):
        np.testing.assert_allclose(
            found.gram.column(j), want.gram.column(j), rtol=0, atol=1e-7 * size
        )
    np.testing.assert_allclose(
        found.gram.eigenvalues(3), want.gram.eigenvalues(3), atol=1e-7 * size
    )


def test_levelling_keeps_sparse_rows_sparse():
    X = scipy.sparse.random_array((40, 500), density=0.05, rng=np.random.default_rng(0)).tocsr()
    assert collect_gram(ArraySource(X), range(500), scale=True).gram.rows.nnz == X.nnz
    dense = X.toarray()
    dense[:, 7] += 100
    found = collect_gram(ArraySource(scipy.sparse.csr_array(dense)), range(500), scale=True).gram
    assert isinstance(found, SparseGram)
    assert found.rows.nnz <= X.nnz + 40
    assert abs(found.mean).max() < 1


@pytest.mark.parametrize("shape", [(1000, 6), (5, 6)])
def test_a_stored_constant_is_never_kept(shape):
    rng = np.random.default_rng(0)
    X = (rng.random(shape) < 0.3) * rng.standard_normal(shape)
    X[:, 5] = 0.1
    X[:, 4] = X[:, 3] + 0.01 * rng.standard_normal(shape[0]) * (X[:, 3] != 0)
    k = 4 if shape[0] > 10 else 2
    dense, sparse = tamis.select(X, k), tamis.select(scipy.sparse.csr_array(X), k)
    assert sparse.names == dense.names
    assert sparse.constant == dense.constant
    assert "x5" in sparse.constant


def test_a_table_without_rows_is_refused():
    with pytest.raises(TamisError, match="no rows"):
        collect_gram(ArraySource(np.zeros((0, 3))), range(3), scale=True)
