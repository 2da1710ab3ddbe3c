import numpy as np
import pytest

from tamis.algorithms.forward.jolliffe import summed_loadings


def discard_by_hand(R, k):
    """Remove the columns with the largest squared loadings on the d - k smallest components."""
    d = len(R)
    V = np.linalg.eigh(R)[1]
    sums = np.square(V[:, : d - k]).sum(axis=1).round(9)
    return sorted(sorted(range(d), key=lambda j: (sums[j], j))[:k])


def test_known_answer_by_hand(dense):
    # Two pairs: the components are sums (1.8, 1.5) and differences (0.5, 0.2) of each pair, so the
    # smallest two have half of every column, and the smallest alone half of columns 0 and 1.
    pairs = np.kron(np.eye(2), [[1.0, 0.8], [0.8, 1.0]])
    pairs[2:, 2:] = [[1.0, 0.5], [0.5, 1.0]]
    assert sorted(summed_loadings(dense(pairs), 3).indices.tolist()) == [0, 2, 3]
    assert summed_loadings(dense(pairs), 3).scores.tolist() == pytest.approx([0.5, 0.5, 1.0, 1.0])


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_every_number_of_columns_equals_the_definition(real, gram_of, matrix_of, name):
    X = real(name)
    for k in range(1, X.shape[1] + 1):
        found = summed_loadings(gram_of(X), k)
        assert sorted(found.indices.tolist()) == discard_by_hand(matrix_of(X), k)


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_wide_tables_equal_the_definition_up_to_their_rank(correlated, gram_of, matrix_of, form):
    X = correlated(25, 60, factors=10)
    for k in (1, 7, 24):
        found = summed_loadings(gram_of(X, form), k)
        assert sorted(found.indices.tolist()) == discard_by_hand(matrix_of(X), k)


def test_the_fewest_columns_that_reach_a_share_are_kept_and_included_ones_stay(real, gram_of):
    gram = gram_of(real("wine"))
    found = summed_loadings(gram, 13, retain=0.8)
    assert found.share >= 0.8 > summed_loadings(gram, len(found.indices) - 1).share
    assert summed_loadings(gram, 3, include=[2]).indices[0] == 2
