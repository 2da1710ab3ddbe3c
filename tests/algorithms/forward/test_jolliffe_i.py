import numpy as np
import pytest
import scipy.linalg

from tamis.algorithms.forward.jolliffe import iterated_loadings


def decompose_the_rest(C, k):
    live, taken = list(range(len(C))), []
    for _ in range(k):
        block = C[np.ix_(live, live)]
        v = np.abs(scipy.linalg.eigh(block, subset_by_index=[len(live) - 1] * 2)[1][:, 0])
        taken.append(live.pop(int(np.argmax(v >= v.max() * (1 - 1e-9)))))
    return taken


def test_known_answers_on_iris(real, gram_of):
    X = real("iris")
    assert iterated_loadings(gram_of(X, scale=False), 4).indices.tolist() == [2, 0, 3, 1]
    # The last two columns of R always tie, |v| = (1, 1) / sqrt(2): the first one goes first.
    assert iterated_loadings(gram_of(X), 4).indices.tolist() == [2, 3, 0, 1]


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
@pytest.mark.parametrize("shape", [(200, 30), (80, 120)])
def test_picks_equal_decomposing_the_rest_each_time(correlated, gram_of, matrix_of, form, shape):
    X = correlated(*shape, factors=6)
    expected = decompose_the_rest(matrix_of(X), 20)
    assert iterated_loadings(gram_of(X, form), 20).indices.tolist() == expected
