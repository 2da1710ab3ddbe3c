"""A sparse table too wide for a scatter matrix: exact picks from the stored values alone."""

import numpy as np
import pytest
import scipy.sparse
from benchmarks.atlas import write_atlas

import tamis
from tamis.memory import limit_memory
from tamis.sources.arrays import ArraySource
from tamis.statistics import linear
from tamis.statistics.gram import SketchGram, SparseGram, sparse
from tamis.statistics.linear import collect_gram, empty_into_one

K = 15


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("atlas") / "atlas.h5ad"
    write_atlas(path, 400, 200, density=0.15)
    return path


class InBatches(ArraySource):
    """Sparse rows, 50 at a time."""

    def batches(self, columns):
        for start in range(0, self.n_rows, 50):
            yield self.array[start : start + 50][:, list(columns)]


def make_wide(monkeypatch):
    """Let 100 columns be too many for a matrix, and few values too many to be held twice."""
    monkeypatch.setattr(linear, "MOST_COLUMNS", 100)
    monkeypatch.setattr(sparse, "MAX_VALUES_HELD_TWICE", 10)
    monkeypatch.setattr(sparse, "MAX_VALUES_WITH_EXACT_CEILING", 10)
    monkeypatch.setattr(sparse.SparseGram, "kernel", None)


def test_the_picks_of_a_wide_sparse_file_are_those_of_the_dense_matrix(file, monkeypatch):
    dense = tamis.select(file, K, include=["gene7"], method="sfs")
    assert dense.held_out is not None
    monkeypatch.setattr("tamis.memory._BATCH_BYTES", 1 << 14)
    make_wide(monkeypatch)
    found = tamis.select(file, K, include=["gene7"])
    assert found.summary.gram.form == "computed from the sparse rows"
    assert found.names == dense.names
    np.testing.assert_allclose(found.curve.retained, dense.curve.retained, rtol=1e-10)
    slack = found.curve.bound - dense.curve.bound
    assert (slack >= -1e-12).all()
    assert (slack <= 1.1 * sparse.CEILING_SLACK).all()
    assert "The share on new rows is not measured" in str(found.to_dict())


def test_sparse_rows_are_held_as_far_as_the_budget_goes(monkeypatch):
    make_wide(monkeypatch)
    monkeypatch.setattr(linear, "MAX_SCATTER_BYTES", 1000)
    monkeypatch.setattr(linear, "affordable_sums", lambda _: 64)
    X = scipy.sparse.random_array((300, 120), density=0.1, rng=np.random.default_rng(0))
    source = InBatches(scipy.sparse.csr_array(X))
    assert isinstance(collect_gram(source, range(120), scale=True).gram, SparseGram)
    with limit_memory(20_000):
        assert isinstance(collect_gram(source, range(120), scale=True).gram, SketchGram)


def test_batches_are_put_together_and_let_go():
    X = scipy.sparse.random_array((30, 8), density=0.3, rng=np.random.default_rng(1), format="csr")
    batches = [X[:10], X[10:11], X[11:]]
    table = empty_into_one(batches)
    assert batches == []
    assert np.array_equal(table.toarray(), X.toarray())
