from itertools import combinations, product

import numpy as np
import pytest

from tamis.algorithms.forward.jolliffe import iterated_loadings
from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.algorithms.path import Path
from tamis.algorithms.refine.exact import best_subset
from tamis.algorithms.refine.swap import exchange


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


def invoices(seed=0):
    """Three amounts, their net, its tax and the gross, all rounded to cents."""
    amounts = np.random.default_rng(seed).uniform(1, 500, (300, 3)).round(2)
    net = amounts.sum(axis=1).round(2)
    tax = (0.19 * net).round(2)
    return np.column_stack([amounts, net, tax, net + tax])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("improve", [exchange, best_subset])
def test_a_search_on_nearly_dependent_columns_ends_with_the_best_set(
    gram_of, matrix_of, improve, seed
):
    X = invoices(seed)
    gram, C = gram_of(X), matrix_of(X)
    for k in (2, 3, 4):
        start = greedy_reconstruction(gram, k)
        path = improve(gram, start)
        assert len(set(path.indices.tolist())) == len(start.indices)
        assert path.retained[-1] >= start.retained[-1] - 1e-12
        best = max(share(C, list(S)) for S in combinations(range(6), k))
        assert path.retained[-1] <= best + 1e-6


@pytest.mark.parametrize("improve", [exchange, best_subset])
@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_included_columns_stay_even_when_they_reproduce_each_other(gram_of, improve, form):
    a, b, c, d, e = np.random.default_rng(0).standard_normal((5, 50))
    gram = gram_of(np.column_stack([a, b, a + b, c, d, e + c]), form)
    forced = [0, 1, 2]
    for k in (3, 4, 5):
        start = greedy_reconstruction(gram, k, include=forced)
        path = improve(gram, start, include=forced)
        assert set(forced) <= set(path.indices.tolist())
        assert len(set(path.indices.tolist())) == k
        assert path.retained[-1] >= start.retained[-1] - 1e-12
