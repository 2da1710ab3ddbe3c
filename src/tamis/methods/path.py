"""What a selection method returns, and the rule that breaks ties."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

TIE = 1e-9


@dataclass(frozen=True)
class Path:
    """Columns in the order they were taken, and what they reproduce together.

    Attributes
    ----------
    indices
        Columns taken, best first.
    retained
        Share of the total variance that the first 1, 2, ... of them reproduce.
    scores
        The method's own score of every column: when it was taken or, for a column never taken,
        when the path ended.
    nested
        Whether a shorter request gives the head of this path.
    optimal
        Whether an exact search has proven that no other columns of this number reproduce more.
    """

    indices: Indices
    retained: Floats
    scores: Floats = field(repr=False, default_factory=lambda: np.zeros(0))
    nested: bool = field(repr=False, default=True)
    optimal: bool = field(repr=False, default=False)


def first_best(score: NDArray[Any]) -> int:
    """Give the first position whose score is within 1e-9 (relative) of the largest.

    Summing batches in another order moves a score by about 1e-13; without the margin that would
    be enough to change a pick.

    Examples
    --------
    >>> first_best(np.array([0.3, 0.7 - 1e-13, 0.7]))
    1
    """
    best = float(score.max())
    return int(np.argmax(score >= best - TIE * abs(best)))
