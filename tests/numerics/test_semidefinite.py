import numpy as np
import pytest

from tamis.numerics.eigen import is_scatter


def test_sums_of_products_are_accepted_whatever_their_units():
    X = np.random.default_rng(0).normal(size=(5, 8)) * 10.0 ** np.arange(-12, 12, 3)
    assert is_scatter(X.T @ X)


@pytest.mark.parametrize(
    "matrix",
    [
        [[-1.0, 0.0], [0.0, 1.0]],  # a negative variance
        [[1.0, 1.1], [1.1, 1.0]],  # a correlation above 1
        [[0.0, 1.0], [1.0, 1.0]],  # a constant that varies with another column
        [[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]],  # pairs that exclude each other
        [[1.0, np.nan], [np.nan, 1.0]],
    ],
)
def test_what_no_table_can_have_is_refused(matrix):
    assert not is_scatter(np.array(matrix))
