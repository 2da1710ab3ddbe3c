"""`sfs`: exact greedy forward selection on the reconstruction error.

Cui and Dy give the cost of this search as `max(N, q) q d^3`; updating the squared column norms of
the residual makes it `d^2` for each column taken, with the same picks.

With prices (`costs`) each step takes the column with the largest gain per price: what it adds to
the variance explained, divided by what it costs. That is a rule of thumb without a guarantee: a
cheap column that explains little may come before a dear one that explains much. Columns to keep in
any case (`include`) come first, whatever their price. Forbidden columns (`forbid`) are part of what
is to be explained and are never taken; `exclude` leaves columns out altogether.

`principal-variables`: the column most correlated with all others, given those taken.

Cumming and Wooff's `h` criterion, the sum of squared covariances. Yen, Chen and Lin describe it as
a sum of loadings times eigenvalues; the squared form used here is the correct one. Residuals are
partial covariances, not rescaled to partial correlations.

`pivoted-qr`: the column with the largest residual variance, as in QR with column pivoting.

Standardised columns all start with the same variance. Among columns of equal residual variance, the
one that lowers the reconstruction error most is taken: at the start, the column with the largest
sum of squared correlations. LAPACK takes the first one, which depends on the order of the columns.
"""

from typing import Unpack

import numpy as np

from tamis.algorithms.greedy import by_gain, search
from tamis.algorithms.limits import LimitedGoal
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.statistics.gram import Gram


def greedy_reconstruction(gram: Gram, k: int, **goal: Unpack[LimitedGoal]) -> Path:
    """Take `k` columns, each the one that lowers the reconstruction error most for its price.

    Stops early, with a shorter path, once the taken columns reproduce the rest, or all that may be
    taken.

    Examples
    --------
    The first two columns are collinear, so two picks reproduce all three.

    >>> from tamis.algorithms.limits import Limits
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]))
    >>> greedy_reconstruction(gram, k=3)
    Path(indices=array([0, 2]), retained=array([0.625, 1.   ]))
    >>> greedy_reconstruction(gram, k=1, limits=Limits.of(3, forbid=[0], costs={1: 2.0}))
    Path(indices=array([2]), retained=array([0.375]))
    """
    return search(Residual(gram, k), k, by_gain, **goal)


def principal_variables(gram: Gram, k: int, **goal: Unpack[LimitedGoal]) -> Path:
    """Take `k` columns, each with the largest `h`, its sum of squares of what is left."""
    return search(
        Residual(gram, k), k, lambda left, offered: np.where(offered, left.norms, 0.0), **goal
    )


def pivoted_columns(gram: Gram, k: int, **goal: Unpack[LimitedGoal]) -> Path:
    """Take `k` columns, each the one least reproduced by those before it.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]))
    >>> pivoted_columns(gram, k=2)
    Path(indices=array([0, 2]), retained=array([0.625, 1.   ]))
    """
    return search(Residual(gram, k), k, lambda left, _: left.left, tie=Residual.gains, **goal)
