"""`sfs`: exact greedy forward selection on the reconstruction error.

Cui and Dy give the cost of this search as `max(N, q) q d^3`; updating the squared column norms of
the residual makes it `d^2` for each column taken, with the same picks.
"""

from collections.abc import Sequence

from tamis.algorithms.forward.loop import take_forward
from tamis.algorithms.path import Path
from tamis.algorithms.residual import error_drop
from tamis.statistics.gram import Gram


def greedy_reconstruction(
    gram: Gram, k: int, *, retain: float = 1.0, include: Sequence[int] = ()
) -> Path:
    """Take `k` columns, each the one that lowers the reconstruction error most.

    Stops early, with a shorter path, once the taken columns reproduce the rest.

    Examples
    --------
    The first two columns are collinear, so two picks reproduce all three.

    >>> import numpy as np
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]))
    >>> greedy_reconstruction(gram, k=3)
    Path(indices=array([0, 2]), retained=array([0.625, 1.   ]))
    """
    return take_forward(gram, k, error_drop, retain=retain, include=include)
