"""`naive-fs`: the columns with the highest VIMICA score.

The VIMICA score of a column is its weight in the leading components of the matrix of normalised
mutual information between all columns (numbers in bins, categories as they are). The columns with
the highest scores are kept. Redundant columns all score high: `greedy-fs` and `rspfs` avoid that.

The paper takes the components that explain "more than 90%"; with repeated eigenvalues the scores
depend on the basis that the solver returns. Negative eigenvalues, which the paper does not mention,
are ignored.

Mutual information is as in the paper, not corrected for chance: a column with many distinct values
seems to share information with every other, and is preferred for it (`representatives` takes off
what chance gives).
"""

from collections.abc import Sequence

from tamis.algorithms.information.importance import score_importance, take_informative
from tamis.algorithms.path import Path
from tamis.statistics.shared_information import Information


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
    scores = score_importance(information, mi_threshold)
    return take_informative(
        information, k, scores, lambda _: scores, retain=retain, include=include
    )
