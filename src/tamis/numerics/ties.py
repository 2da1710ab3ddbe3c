"""The rule that breaks ties: numbers within `TIE` of each other are equal, and the first counts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.rules.tolerances import TIE


def first_best(score: NDArray[Any]) -> int:
    """Give the first position whose score is within 1e-9 (relative) of the largest.

    Examples
    --------
    >>> first_best(np.array([0.3, 0.7 - 1e-13, 0.7]))
    1
    """
    best = float(score.max())
    return int(np.argmax(score >= best - TIE * abs(best)))


def last_best(score: NDArray[Any]) -> int:
    """Give the last position whose score is within 1e-9 (relative) of the largest.

    What is removed is chosen so: of equal columns the first one stays.

    Examples
    --------
    >>> last_best(np.array([0.7, 0.7 - 1e-13, 0.3]))
    1
    """
    best = float(score.max())
    return int(np.flatnonzero(score >= best - TIE * abs(best))[-1])
