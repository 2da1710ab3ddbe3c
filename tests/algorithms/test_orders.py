import numpy as np
import pytest

from tamis.algorithms.orders import Pairs, cut_at_share, measure_order
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual


def retained_one_by_one(gram, order, rank):
    """Condition on one column after the other; those already reproduced add nothing."""
    residual = Residual(gram, rank)
    retained = np.zeros(len(order))
    for step, j in enumerate(order):
        if residual.size < rank and residual.free[j]:
            residual.take(int(j))
        retained[step] = residual.retained[-1]
    return retained


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_blocks_are_those_of_the_matrix(correlated, gram_of, matrix_of, form, scale):
    X = correlated(15, 40)
    pairs = Pairs(gram_of(X, form, scale))
    rows, columns = np.array([3, 1, 30]), np.array([0, 3, 39, 7])
    G, R = matrix_of(X, scale), matrix_of(X)
    np.testing.assert_allclose(pairs.products(rows, columns), G[np.ix_(rows, columns)], atol=1e-9)
    np.testing.assert_allclose(pairs.correlations(slice(4, 9)), R[4:9], atol=1e-12)


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
@pytest.mark.parametrize("shape", [(200, 70), (20, 70)])
def test_shares_in_any_order_equal_taking_one_column_after_the_other(
    correlated, gram_of, form, shape
):
    X = correlated(*shape, factors=9)
    X[:, 40:] = X[:, :30] @ np.random.default_rng(0).standard_normal((30, 30))
    gram = gram_of(X, form)
    order = np.random.default_rng(1).permutation(70)
    expected = retained_one_by_one(gram, order, 70)
    np.testing.assert_allclose(measure_order(gram, order), expected, atol=1e-9)


def test_the_smallest_set_that_reaches_a_share_is_found_by_dial_and_size():
    def of_size(size):
        return Path(np.arange(size), np.linspace(0.01, 0.01 * size, size))

    asked = []

    def at(level):
        asked.append(level)
        return of_size(max(1, level // 10))

    found = cut_at_share(0.37, 100, of_size=of_size, at=at, levels=1000, least=1)
    assert len(found.kept) == 37
    assert len(asked) < 12
    assert len(cut_at_share(1.0, 100, of_size=of_size, at=at, levels=1000, least=1).kept) == 100
    assert len(cut_at_share(0.9, 50, of_size=of_size, at=at, levels=1000, least=1).kept) == 50
