"""The unit of a table: what to divide columns by so that no square vanishes or overflows."""

from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.numerics.types import Floats

_FAINT = 1e-250  # sums of squares below have lost digits, or are rounding
_MIN_UNIT = 1e-100  # the squares of a varying column with larger values are above
_VANISHING = 1e-150  # the square of such a share of the largest column is no longer a number
_FINEST = 2.0**-1000  # one over it is finite


def compute_level(std: Floats) -> float:
    """Give the root of the mean variance of the columns that vary: what is 1 once they are scaled.

    Examples
    --------
    >>> round(compute_level(np.array([1e-200, 7e-200, 0.0])) * 1e200, 9)
    5.0
    """
    largest = float(std.max(initial=0.0))
    varying = std[std > 0] / (largest or 1.0)
    return largest * float(np.sqrt(np.square(varying).mean())) if largest else 1.0


def find_varying(std: Floats, *, scale: bool) -> NDArray[np.intp]:
    """Give the columns that vary; unscaled, those whose squares do not vanish beside the others."""
    least = 0.0 if scale else _VANISHING * float(std.max(initial=0.0))
    return np.flatnonzero(std > least)


def fine_units(X: Any, squares: Floats) -> Floats | None:
    """Give a power of two for each column to divide it by, None where all can stay as they are.

    Below 1e-162 squares vanish; a power of two takes nothing from the digits. `squares` are the
    sums of squares about the mean, found without a unit.
    """
    faint = np.flatnonzero(squares < _FAINT)
    if not len(faint) or not X.shape[0]:
        return None
    largest = abs(X[:, faint]).max(axis=0)
    peak = np.ravel(largest.toarray() if scipy.sparse.issparse(largest) else largest)
    small = (peak > 0) & (peak < _MIN_UNIT)
    if not small.any():
        return None
    unit = np.ones(len(squares))
    unit[faint[small]] = np.maximum(np.ldexp(1.0, np.frexp(peak[small])[1]), _FINEST)
    return unit


def divide_columns(X: Any, unit: Floats) -> Any:
    """Divide every column of a dense or sparse table."""
    if not scipy.sparse.issparse(X):
        return X / unit
    X = scipy.sparse.csr_array(X)
    values = np.take(1.0 / unit, X.indices)  # one new array of the stored values, no other copy
    values *= X.data
    return scipy.sparse.csr_array((values, X.indices, X.indptr), shape=X.shape)
