"""`naive-fs`: the columns with the highest importance in the mutual information of the table.

The columns, numbers in bins and categories as they are, are scored by the leading components of
the matrix of their normalised mutual information (VIMICA), and the highest scores are kept. Columns
that say the same both score high: `greedy-fs` and `rspfs` look at that.

The paper prints "more than 90%" for the components; with repeated eigenvalues the scores depend on
the basis the solver returns. Negative eigenvalues are left out of the sum, which the paper does not
mention.
"""

from collections.abc import Sequence

from tamis.algorithms.information.importance import importance, take_telling
from tamis.algorithms.path import Path
from tamis.statistics.information import Information


def most_important(
    information: Information,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    mi_threshold: float = 0.9,
) -> Path:
    """Take the columns with the highest importance.

    Examples
    --------
    >>> import numpy as np
    >>> rows = [[1, 0.8, 0.1, 0.2], [0.8, 1, 0.1, 0.2], [0.1, 0.1, 1, 0.3], [0.2, 0.2, 0.3, 1]]
    >>> most_important(Information(np.array(rows)), 4).indices
    array([3, 2, 0, 1])
    """
    scores = importance(information, mi_threshold)
    return take_telling(information, k, scores, lambda _: scores, retain=retain, include=include)
