from itertools import combinations

import numpy as np
import pytest

from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.algorithms.refine.exact import LARGEST, best_subset
from tamis.errors import TamisError


def best_of_all(C, k, include=()):
    def share(S):
        block = C[:, S]
        return np.trace(block @ np.linalg.pinv(C[np.ix_(S, S)]) @ block.T) / np.trace(C)

    sets = [S for S in combinations(range(len(C)), k) if set(include) <= set(S)]
    return max(share(S) for S in sets)


@pytest.mark.parametrize("k", [1, 2, 4, 6, 9, 12])
def test_equals_trying_every_set_on_wine(real, gram_of, matrix_of, k):
    X = real("wine")
    path = best_subset(gram_of(X), greedy_reconstruction(gram_of(X), k))
    assert path.optimal
    assert path.retained[-1] == pytest.approx(best_of_all(matrix_of(X), k), abs=1e-9)


def test_equals_trying_every_set_that_holds_the_included_columns(real, gram_of, matrix_of):
    X = real("wine")
    start = greedy_reconstruction(gram_of(X), 4, include=[7, 2])
    path = best_subset(gram_of(X), start, include=[7, 2])
    assert {7, 2} <= set(path.indices.tolist())
    assert path.retained[-1] == pytest.approx(best_of_all(matrix_of(X), 4, [7, 2]), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_equals_trying_every_set_when_columns_are_dependent(gram_of, matrix_of, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((6, 10))
    X[:, 9] = X[:, 3] + X[:, 4]
    path = best_subset(gram_of(X, "rows"), greedy_reconstruction(gram_of(X, "rows"), 3))
    assert path.retained[-1] == pytest.approx(best_of_all(matrix_of(X), 3), abs=1e-9)


def test_a_table_too_wide_is_refused_with_a_way_out(correlated, gram_of):
    gram = gram_of(correlated(100, LARGEST + 1))
    with pytest.raises(TamisError, match="refine=True"):
        best_subset(gram, greedy_reconstruction(gram, 3))
