"""Whether a symmetric matrix can be one of sums of products, up to rounding."""

import numpy as np
import scipy.linalg

from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats

_VARIANCE_ROUNDING = 1e-9  # of a variance: far above what rounding does, far below what matters
_VANISHED = 1e-100  # products that may be left of a column whose squares have vanished


def is_scatter(matrix: Floats) -> bool:
    """Check that no eigenvalue is negative, each column measured in its own unit.

    Examples
    --------
    >>> is_scatter(np.array([[4.0, 2.0], [2.0, 1.0]])), is_scatter(np.array([[1.0, 2], [2, 1]]))
    (True, False)
    """
    variances = np.diagonal(matrix)
    if (variances < 0).any():
        return False
    length = np.sqrt(variances)
    inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    if (np.abs(matrix[length == 0]) > _VANISHED).any():
        return False
    scaled = matrix * inverse * inverse[:, None]
    if not (np.abs(scaled) <= 1 + _VARIANCE_ROUNDING).all():
        return False
    np.fill_diagonal(scaled, 1.0 + _VARIANCE_ROUNDING * len(scaled))
    try:
        scipy.linalg.cholesky(scaled, lower=True, overwrite_a=True, check_finite=False)
    except scipy.linalg.LinAlgError:
        return False
    return True


def make_definite(matrix: Floats, floor: float = RANK_TOL) -> Floats:
    """Give a positive definite matrix of correlations near a symmetric one with ones as diagonal.

    Eigenvalues below `floor` are raised to it, and the columns brought back to length 1. A matrix
    that needs none of this is given back as it is.

    Examples
    --------
    >>> apart = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
    >>> make_definite(apart).round(3)
    array([[ 1. ,  0.5, -0.5],
           [ 0.5,  1. ,  0.5],
           [-0.5,  0.5,  1. ]])
    """
    if not len(matrix):
        return matrix
    values, vectors = np.linalg.eigh(matrix)
    if values[0] >= floor:
        return matrix
    raised = (vectors * np.maximum(values, floor)) @ vectors.T
    length = 1.0 / np.sqrt(np.diagonal(raised))
    found = (raised + raised.T) / 2.0 * length * length[:, None]
    np.fill_diagonal(found, 1.0)
    return np.asarray(found)
