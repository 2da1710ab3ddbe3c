from itertools import product

import numpy as np
import pytest

from tamis.methods.exchange import exchange
from tamis.methods.jolliffe_i import iterated_loadings
from tamis.methods.path import Path
from tamis.methods.sfs import greedy_reconstruction


def share(C, columns):
    block = C[:, columns]
    return np.trace(block @ np.linalg.pinv(C[np.ix_(columns, columns)]) @ block.T) / np.trace(C)


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_no_single_swap_is_left_that_helps(correlated, gram_of, matrix_of, form):
    X = correlated(30, 40, factors=8)
    C, gram = matrix_of(X), gram_of(X, form)
    path = exchange(gram, iterated_loadings(gram, 6))
    kept = path.indices.tolist()
    assert path.retained[-1] == pytest.approx(share(C, kept))
    for out, come in product(kept, set(range(40)) - set(kept)):
        swapped = [come if j == out else j for j in kept]
        assert share(C, swapped) <= path.retained[-1] * (1 + 1e-8)


def test_never_worse_than_where_it_started(real, gram_of):
    gram = gram_of(real("digits"))
    for k in (3, 8, 20):
        start = greedy_reconstruction(gram, k)
        assert exchange(gram, start).retained[-1] >= start.retained[-1] - 1e-12


def test_included_columns_stay(real, gram_of):
    gram = gram_of(real("wine"))
    path = exchange(gram, greedy_reconstruction(gram, 4, include=[7, 2]), include=[7, 2])
    assert {7, 2} <= set(path.indices.tolist())


def test_copies_are_replaced_by_columns_that_add_something(gram_of):
    a, b, c = np.random.default_rng(0).standard_normal((3, 50))
    gram = gram_of(np.column_stack([a, a, b, c]))
    path = exchange(gram, Path(np.array([0, 1]), np.array([0.5, 0.5])))
    assert not {0, 1} <= set(path.indices.tolist())
