import numpy as np
import pytest
import scipy.sparse

from tamis.statistics import linear
from tamis.statistics.column_spread import sparse_spread
from tamis.statistics.linear import RowWriter, scale_sparse


def plant_rows(rng):
    """Give sparse rows, two columns of which lie far from zero, one of them with a few zeros."""
    X = scipy.sparse.random_array((60, 12), density=0.2, rng=rng, format="lil")
    X[:, [3]] = 1000.0 + rng.normal(size=(60, 1))
    X[:, [7]] = np.where(np.arange(60) % 20 == 0, 0.0, 50.0 + rng.normal(size=60))[:, None]
    return scipy.sparse.csr_array(X)


@pytest.mark.parametrize("at_once", [1, 40, 1 << 22])
@pytest.mark.parametrize("columns", [range(12), [1, 3, 7, 10]])
def test_columns_are_scaled_as_in_the_dense_table(at_once, columns, monkeypatch):
    monkeypatch.setattr(linear, "_WRITTEN_AT_ONCE", at_once)
    X = plant_rows(np.random.default_rng(0))
    before, columns = X.copy(), np.array(columns)
    mean, squares = (found[columns] for found in sparse_spread(X))
    length = np.sqrt(squares)
    rows, left = scale_sparse(X, columns, mean, squares, length)
    dense = X.toarray()[:, columns]
    np.testing.assert_allclose(
        rows.toarray() - left, (dense - dense.mean(axis=0)) / length, atol=1e-12
    )
    far = np.flatnonzero(columns == 3)
    assert np.abs(left[far]).max() < 1e-12  # its mean is in the rows
    assert (before != X).nnz == 0


def test_rows_that_are_written_take_no_more_than_their_room():
    writer = RowWriter(5, 3, np.float32)
    for rows in ([[1.0, 0.0, 2.0]], [[0.0, 0.0, 0.0], [0.0, 3.0, 0.0]]):
        writer.add(scipy.sparse.csr_array(np.array(rows, dtype=np.float32)))
    found = writer.finish()
    assert (found.nnz, found.dtype) == (3, np.float32)
    assert found.toarray().tolist() == [[1, 0, 2], [0, 0, 0], [0, 3, 0]]
    with pytest.raises(ValueError, match="broadcast"):
        writer.add(scipy.sparse.csr_array(np.ones((2, 3))))
