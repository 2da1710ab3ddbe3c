import numpy as np
import pytest

from tamis.algorithms.forward.sfs import principal_variables
from tamis.algorithms.residual import Residual


def condition_by_the_book(C, k):
    T, taken = C.copy(), []
    for _ in range(k):
        h = (T**2).sum(axis=0)
        j = int(np.argmax(h >= h.max() * (1 - 1e-9)))
        taken.append(j)
        T = T - np.outer(T[:, j], T[j]) / T[j, j]
        T[j] = T[:, j] = 0
    return taken


def test_known_answers_on_iris(real, gram_of):
    X = real("iris")
    assert Residual(gram_of(X), 1).norms == pytest.approx(
        [2.442805, 1.331432, 2.870625, 2.730186], abs=1e-6
    )
    assert principal_variables(gram_of(X), 4).indices.tolist() == [2, 1, 0, 3]
    assert principal_variables(gram_of(X, scale=False), 4).indices.tolist() == [2, 0, 1, 3]


@pytest.mark.parametrize("name", ["sonar", "wine", "breast_w"])
def test_picks_equal_conditioning_by_the_book(real, gram_of, matrix_of, name):
    X = real(name)
    k = X.shape[1] - 1
    expected = condition_by_the_book(matrix_of(X), k)
    assert principal_variables(gram_of(X), k).indices.tolist() == expected
