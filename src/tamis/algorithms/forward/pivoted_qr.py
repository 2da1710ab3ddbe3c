"""`pivoted-qr`: the column with the largest residual variance, as in QR with column pivoting.

Standardised columns all start with the same variance. Among columns of equal residual variance, the
one that lowers the reconstruction error most is taken: at the start, the column with the largest
sum of squared correlations. LAPACK takes the first one, which depends on the order of the columns.
"""

from collections.abc import Sequence

from tamis.algorithms.greedy import search
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.statistics.gram import Gram


def pivoted_columns(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    limits: Limits | None = None,
) -> Path:
    """Take `k` columns, each the one least reproduced by those before it.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]))
    >>> pivoted_columns(gram, k=2)
    Path(indices=array([0, 2]), retained=array([0.625, 1.   ]))
    """
    return search(
        Residual(gram, k),
        k,
        lambda residual, _: residual.left,
        limits,
        retain=retain,
        include=include,
        tie=Residual.gains,
    )
