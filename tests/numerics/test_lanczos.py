import numpy as np
import pytest

from tamis.numerics.eigen import find_leading_vector


@pytest.mark.parametrize("d", [1, 2, 5, 200])
def test_leading_vector_is_that_of_a_full_solver(d):
    rng = np.random.default_rng(d)
    A = rng.standard_normal((d + 3, d))
    A = A.T @ A
    expected = np.linalg.eigh(A)[1][:, -1]
    found = find_leading_vector(A.dot, np.ones(d))
    assert abs(found @ expected) == pytest.approx(1.0, abs=1e-12)
