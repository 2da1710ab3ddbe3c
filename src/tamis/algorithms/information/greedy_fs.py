"""`greedy-fs`: important columns that share little information with those already taken.

The first column is the most important one (VIMICA score, see `naive-fs`). Each further one
maximises its importance divided by its mean normalised mutual information with the columns taken. A
column that shares no information with them is preferred to all others; among several such columns,
importance decides.

Mutual information is as in the paper, not corrected for chance: a column with many distinct values
seems to share information with every other, and is preferred for it (`representatives` takes off
what chance gives).
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.information.importance import score_importance, take_informative
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.numerics.tolerances import NEGLIGIBLE
from tamis.numerics.types import Indices
from tamis.statistics.shared_information import Information


def important_and_new(
    information: Information,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    mi_threshold: float = 0.9,
    limits: Limits | None = None,
) -> Path:
    """Take at each step the column with the highest importance relative to its redundancy.

    Examples
    --------
    >>> rows = [[1, 0.8, 0.1, 0.2], [0.8, 1, 0.1, 0.2], [0.1, 0.1, 1, 0.3], [0.2, 0.2, 0.3, 1]]
    >>> important_and_new(Information(np.array(rows)), 4).indices
    array([3, 0, 2, 1])
    """
    scores = score_importance(information, mi_threshold)
    shared = np.zeros(len(scores))
    seen = 0

    def preference(taken: Indices) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        nonlocal seen
        for j in taken[seen:]:
            shared[:] += information.matrix[j]
        seen = len(taken)
        return scores / np.maximum(shared / seen, NEGLIGIBLE) if seen else scores

    return take_informative(
        information, k, scores, preference, retain=retain, include=include, limits=limits
    )
