import scipy.linalg

from tamis.methods.pivoted_qr import pivoted_columns


def test_order_is_that_of_lapack(correlated, gram_of):
    X = correlated(200, 25)
    Z = X - X.mean(axis=0)
    pivots = scipy.linalg.qr(Z, mode="r", pivoting=True)[1]
    assert pivoted_columns(gram_of(X, scale=False), 25).indices.tolist() == pivots.tolist()


def test_ties_go_to_the_first_column(real, gram_of):
    assert pivoted_columns(gram_of(real("iris")), 1).indices.tolist() == [0]
