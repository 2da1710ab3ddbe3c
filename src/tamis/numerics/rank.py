"""When the columns taken reproduce another one: judged by its own size, whatever the units.

What is left of a column is a difference of products of columns. Two bounds follow from that.

* No column is *chosen* once at most `RANK_TOL` of its own variance is left.
* A column that is kept in any case, because it was asked for or ranked, counts as long as what is
  left of it is above the bound on the rounding error itself (`above_rounding`).
"""

from typing import Any

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dgejsv, dpstrf

from tamis.numerics.types import Floats
from tamis.rules.tolerances import RANK_TOL, ROUNDING

_BOTH_SIDES = 2  # dgejsv: accurate for D1 A D2 with any diagonal D1 and D2


def bound_rounding(length: Any, taken: Floats, coefficients: Floats) -> Any:
    """Bound the error in what a regression on the taken columns leaves of a column, or of some.

    `length` is the column's own, `taken` those of the taken columns. With `G + E` for `G` and
    `|E_ij| <= ROUNDING * l_i * l_j` the squared residual moves by at most
    `ROUNDING * (l_j + sum_i |b_i| l_i)^2`, to first order.

    Examples
    --------
    >>> float(bound_rounding(2.0, np.array([1.0, 4.0]), np.array([0.5, -0.25])) / ROUNDING)
    12.25
    """
    return ROUNDING * (length + taken @ np.abs(coefficients)) ** 2


def above_rounding(left: float, j: int, W: Floats, taken: Any, sizes: Floats) -> bool:
    """Check whether what is left of column `j` is more than the rounding error of finding it.

    The rows of `W` are the `taken` columns made orthogonal, seen from every column; an empty row
    stands for a column that those before it reproduce.
    """
    if left > RANK_TOL * sizes[j] or left <= ROUNDING * sizes[j]:
        return bool(left > RANK_TOL * sizes[j])
    useful = W[np.arange(len(taken)), taken] > 0.0
    taken = np.asarray(taken)[useful]
    triangle, lengths = W[np.ix_(useful, taken)], np.sqrt(sizes)
    coefficients = scipy.linalg.solve_triangular(triangle, W[useful, j], check_finite=False)
    return bool(left > bound_rounding(lengths[j], lengths[taken], coefficients))


def whole_decomposition(matrix: Floats, values: Floats, vectors: Floats) -> tuple[Floats, Floats]:
    """Bring back eigenpairs that were taken for zero only because other columns are far larger.

    A solver knows eigenvalues to the rounding of the largest one. The pivoted Cholesky factor of
    the correlations does not care about units, nor does Jacobi's method on its rows.

    Examples
    --------
    >>> values, vectors = np.linalg.eigh(np.diag([1.0, 1e20]))
    >>> whole_decomposition(np.diag([1.0, 1e20]), values[1:], vectors[:, 1:])[0]
    array([1.e+00, 1.e+20])
    """
    lengths = np.sqrt(np.diagonal(matrix))
    factor, order, rank, _ = dpstrf(matrix / lengths / lengths[:, None], tol=RANK_TOL, lower=1)
    if rank <= len(values):
        return values, vectors
    rows = np.zeros((len(matrix), rank))
    rows[order - 1] = np.tril(factor)[:, :rank]
    sizes, left, _, work, _, failed = dgejsv(rows * lengths[:, None], joba=_BOTH_SIDES, jobv=3)
    if failed:
        return values, vectors
    return (sizes[::-1] * (work[0] / work[1])) ** 2, left[:, ::-1]


def whole_of_rows(rows: Floats, values: Floats, vectors: Floats) -> tuple[Floats, Floats]:
    """Decompose a matrix held by its rows, where singular values have all digits."""
    lengths = np.linalg.norm(rows, axis=0)
    most = min(len(rows) - 1, len(lengths))
    if len(values) >= most or np.ptp(lengths) <= RANK_TOL * lengths.max():
        return values, vectors
    triangle = scipy.linalg.qr(rows / lengths, mode="r", pivoting=True, check_finite=False)[0]
    rank = int(np.count_nonzero(np.diagonal(triangle) ** 2 > RANK_TOL))
    if rank <= len(values):
        return values, vectors
    sizes, right = scipy.linalg.svd(rows, full_matrices=False, check_finite=False)[1:]
    return sizes[:rank][::-1] ** 2, right[:rank][::-1].T
