import numpy as np
import scipy.linalg

from tamis.algorithms.forward.sfs import pivoted_columns


def test_order_is_that_of_lapack(correlated, gram_of):
    X = correlated(200, 25)
    Z = X - X.mean(axis=0)
    pivots = scipy.linalg.qr(Z, mode="r", pivoting=True)[1]
    assert pivoted_columns(gram_of(X, scale=False), 25).indices.tolist() == pivots.tolist()


def test_a_tie_goes_to_the_column_most_correlated_with_the_others(real, gram_of):
    for name in ("iris", "wine", "digits"):
        X = real(name)
        X = X[:, X.std(axis=0) > 0]
        start = (np.corrcoef(X, rowvar=False) ** 2).sum(axis=0).argmax()
        assert pivoted_columns(gram_of(X), 1).indices.tolist() == [start]


def test_of_columns_that_tie_in_everything_the_first_is_taken(dense):
    assert pivoted_columns(dense(np.eye(4)), 3).indices.tolist() == [0, 1, 2]
