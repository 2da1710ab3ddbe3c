"""The order of removal on real tables with far more columns than rows: one answer, always."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import tamis
from tamis.sources.arrays import ArraySource
from tamis.statistics.linear import collect_gram

pytestmark = pytest.mark.slow


class InBatches(ArraySource):
    def batches(self, columns):
        yield from np.array_split(self.array[:, list(columns)], 20)


@pytest.fixture(scope="module", params=["lung_gordon", "arcene"])
def case(request, real):
    """A table, the group of columns equal but for scale that each belongs to, and its order."""
    X = real(request.param)[:, ::3]  # still some 4,000 columns of 200 rows
    X = X[:, X.std(axis=0) > 0]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    groups = np.unique((Z * np.sign(Z[0])).round(9), axis=1, return_inverse=True)[1].ravel()
    with threadpool_limits(1):
        order = tamis.select(X, k=10, method="ufs").path.removals.columns
    return X, groups, groups[order]


def test_two_threads_give_the_order_of_one(case):
    X, groups, expected = case
    with threadpool_limits(2):
        found = tamis.select(X, k=10, method="ufs").path.removals.columns
    assert groups[found].tolist() == expected.tolist()


def test_twenty_batches_give_the_order_of_one(case):
    from tamis.algorithms.backward.ufs import remove_redundant

    X, groups, expected = case
    gram = collect_gram(InBatches(X), range(X.shape[1]), scale=True).gram
    found = remove_redundant(gram, 10).removals.columns
    assert groups[found].tolist() == expected.tolist()


def test_permutations_give_the_permuted_order(case):
    X, groups, expected = case
    for seed in range(2):
        moved = np.random.default_rng(seed).permutation(X.shape[1])
        found = tamis.select(X[:, moved], k=10, method="ufs").path.removals.columns
        # The last two columns to stay may tie.
        assert groups[moved[found]][:-1].tolist() == expected[:-1].tolist()
