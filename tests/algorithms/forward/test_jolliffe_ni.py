import numpy as np
import pytest

from tamis.algorithms.forward.jolliffe import one_pass_loadings


def test_known_answers_on_iris(real, gram_of):
    X = real("iris")
    assert one_pass_loadings(gram_of(X), 4).indices.tolist() == [2, 1, 0, 3]
    assert one_pass_loadings(gram_of(X, scale=False), 4).indices.tolist() == [2, 1, 0, 3]


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_each_component_takes_its_largest_open_loading(correlated, gram_of, matrix_of, form):
    X = correlated(40, 60, factors=10)
    vectors = np.abs(np.linalg.eigh(matrix_of(X))[1][:, ::-1])
    expected: list[int] = []
    for r in range(12):
        open_ = [j for j in range(60) if j not in expected]
        expected.append(max(open_, key=lambda j: round(vectors[j, r], 9)))
    assert one_pass_loadings(gram_of(X, form), 12).indices.tolist() == expected
