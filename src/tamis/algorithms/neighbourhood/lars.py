"""Least angle regression on a Gram matrix: the columns that predict a vector, one after the other.

The columns taken are made orthogonal (`W`, as in the forward methods), which makes the direction of
all correlations the running sum `a = sum z_i w_i`: a step costs one product with `W`. The
coefficients are not followed. After any number of steps all correlations of the taken columns are
equal in size, and the coefficients follow from that size by two triangular solves.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from tamis.algorithms.column_pairs import Pairs
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices


@dataclass(frozen=True, eq=False)
class LarsPath:
    """The columns in the order in which they joined, and how the correlations fell.

    `levels` is the size of the correlations of the taken columns after each step, `signs` are
    their signs, `start` their correlations before the first step, and `factor` is the Cholesky
    factor of their Gram matrix.
    """

    columns: Indices
    signs: Floats
    start: Floats
    levels: Floats
    factor: Floats

    def coefficients(self, steps: int) -> Floats:
        """Give the coefficients of the columns after so many steps, or after the last one."""
        m = min(steps, len(self.columns))
        if m == 0:
            return np.zeros(0)
        explained = self.start[:m] - self.levels[m - 1] * self.signs[:m]
        return np.asarray(
            scipy.linalg.cho_solve((self.factor[:m, :m], True), explained, check_finite=False)
        )


def least_angles(pairs: Pairs, products: Floats, steps: int) -> LarsPath:
    """Follow least angle regression for `steps` steps or until the vector is predicted.

    `products` are those of the columns with the vector. A column that those taken reproduce is
    skipped. A step ends when the next column correlates as much as those taken.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> path = least_angles(Pairs(DenseGram(np.eye(2))), np.array([1.0, -3.0]), 2)
    >>> path.columns, path.coefficients(1), path.coefficients(2)
    (array([1, 0]), array([-2.]), array([-3.,  1.]))
    """
    c, level = products.copy(), float(np.abs(products).max())
    floor = RANK_TOL * level
    open_ = np.ones(pairs.count, dtype=bool)
    W, a = np.zeros((min(steps, pairs.count), pairs.count)), np.zeros(pairs.count)
    taken: list[int] = []
    signs: list[float] = []
    levels: list[float] = []
    while len(taken) < len(W) and level > floor and open_.any():
        j = first_best(np.where(open_, np.abs(c), -1.0))
        open_[j] = False
        done = W[: len(taken)]
        left = pairs.sizes[j] - done[:, j] @ done[:, j]
        if left <= RANK_TOL * pairs.sizes[j]:
            continue
        w = (pairs.products(np.array([j]))[0] - done[:, j] @ done) / np.sqrt(left)
        W[len(taken)] = w
        sign = float(np.sign(c[j]))
        a += (sign - a[j]) / w[j] * w
        taken.append(j)
        signs.append(sign)
        length = _step(c, a, level, open_)
        c -= length * a
        level -= length
        levels.append(level)
    columns = np.array(taken, dtype=np.intp)
    factor = np.tril(W[: len(taken), columns].T)
    return LarsPath(columns, np.array(signs), products[columns], np.array(levels), factor)


def _step(
    c: Floats, a: Floats, level: float, open_: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> float:
    """Give the step until an open column correlates as much as those taken."""
    length = level
    for side in (1.0, -1.0):
        slower = open_ & (1.0 - side * a > RANK_TOL)
        if slower.any():
            reach = (level - side * c[slower]) / (1.0 - side * a[slower])
            length = min(length, float(reach.min()))
    return max(length, 0.0)
