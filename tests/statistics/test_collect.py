import numpy as np
import pytest

from tamis.errors import TamisError
from tamis.sources.arrays import ArraySource
from tamis.statistics.collect import collect_gram
from tamis.statistics.gram import DenseGram, RowGram


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


def test_a_table_without_rows_is_refused():
    with pytest.raises(TamisError, match="no rows"):
        collect_gram(ArraySource(np.zeros((0, 3))), range(3), scale=True)
