"""What sparse columns hold is counted as if they were written out."""

import numpy as np
import scipy.sparse

from tamis.columns import tally
from tamis.columns.judge import judge_counts
from tamis.columns.tally import count_sparse
from tamis.sources.arrays import ArraySource


def make_counts(rng, n=400, d=12):
    X = rng.poisson(0.3, size=(n, d)) * rng.integers(1, 400, size=(n, d)).astype(float)
    X[:, 0], X[5, 1], X[7, 2] = 0.0, np.nan, -3.5
    return X


def write_out(X, room):
    counts = tally.ColumnCounts([room] * X.shape[1])
    for table in ArraySource(X).tables(range(X.shape[1]), mark_missing=True):
        counts.add(table)
    return counts


def judge(found, d):
    return judge_counts([str(j) for j in range(d)], found.columns, found.rows, guessed=False)


def test_a_sparse_table_is_judged_as_the_same_table_written_out(monkeypatch):
    monkeypatch.setattr(tally, "_GATHERED_VALUES", 100)
    rng = np.random.default_rng(0)
    X = make_counts(rng)
    by_values = tally.count_columns(ArraySource(scipy.sparse.csr_array(X)), range(12))
    written_out = write_out(X, 20_000)
    assert by_values.rows == written_out.rows
    assert judge(by_values, 12) == judge(written_out, 12)


def test_more_different_values_than_are_kept_are_counted_alike():
    rng = np.random.default_rng(1)
    X = make_counts(rng) * rng.random((400, 12))
    rows, sparse = count_sparse(ArraySource(scipy.sparse.csr_array(X)), range(12), room=30)
    dense = write_out(X, 30).columns
    assert rows == 400
    for one, other in zip(sparse.values(), dense, strict=True):
        assert (one.filled, one.zeros, one.distinct) == (other.filled, other.zeros, other.distinct)
        assert (one.lowest, one.highest) == (other.lowest, other.highest)


def test_a_dense_table_is_left_to_others():
    assert count_sparse(ArraySource(np.eye(3)), range(3), room=9) == (0, {})
