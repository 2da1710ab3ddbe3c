import numpy as np
import pyarrow as pa
import pytest

from tamis.numerics import row_chunks
from tamis.numerics.row_chunks import lay_in_rows
from tamis.sources.arrow import as_floats
from tamis.statistics.row_hash import row_hashes


@pytest.fixture(params=[80, 1 << 23])
def block_bytes(request, monkeypatch):
    monkeypatch.setattr(row_chunks, "BLOCK_BYTES", request.param)
    monkeypatch.setattr("tamis.statistics.row_hash._HASHED_BYTES", request.param)


@pytest.mark.usefixtures("block_bytes")
@pytest.mark.parametrize("rows", [0, 1, 37])
def test_rows_in_one_piece_are_the_same_rows(rows):
    X = np.asfortranarray(np.random.default_rng(0).normal(size=(rows, 3)))
    X[rows // 2 : rows // 2 + 1] = [-0.0, np.nan, np.inf]
    laid = lay_in_rows(X)
    assert laid.flags.c_contiguous
    np.testing.assert_array_equal(laid, X)
    assert lay_in_rows(laid) is laid
    assert row_hashes(X).tolist() == row_hashes(laid).tolist()
    batch = pa.record_batch([pa.array(column) for column in X.T], names=["a", "b", "c"])
    for found in (as_floats(batch, batch), as_floats(batch, batch, in_rows=True)):
        np.testing.assert_array_equal(found, np.concatenate([X, X]))
