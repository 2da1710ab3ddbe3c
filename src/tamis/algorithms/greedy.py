"""The greedy loop: take the best column, note what it explains of the others, repeat.

It asks one thing: how much of every column the taken ones leave unexplained. `Residual` answers it
for variances, `UnsharedInformation` for mutual information.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tamis.algorithms.path import REPRODUCED, Path
from tamis.algorithms.residual import Residual, Taken
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import NEGLIGIBLE, RANK_TOL, TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.statistics.gram import Gram
from tamis.statistics.relations import answer_by_kind
from tamis.statistics.shared_information import Information

Mask = NDArray[np.bool_]


class Left(Protocol):
    """What the taken columns leave of all columns.

    `left` is what is not explained of each, of `start`; `free` those not explained entirely;
    `retained` the share of all columns explained after each step.
    """

    start: Floats
    left: Floats
    size: int

    @property
    def taken(self) -> Indices:
        """Columns taken so far, in order."""

    @property
    def retained(self) -> Floats:
        """Share explained after each taken column."""

    @property
    def free(self) -> Mask:
        """Columns that the taken ones do not explain already."""

    def take(self, j: int) -> None:
        """Take column `j`."""


L = TypeVar("L", bound=Left)


class UnsharedInformation(Taken):
    """What of each column's information is not shared with the taken column that shares most.

    Examples
    --------
    >>> left = UnsharedInformation(Information(np.array([[1.0, 0.25], [0.25, 1.0]])), 2)
    >>> left.take(0)
    >>> left.left, left.retained
    (array([0.  , 0.75]), array([0.625]))
    """

    def __init__(self, information: Information, k: int) -> None:
        super().__init__(k)
        self._matrix = information.matrix
        self.start = np.ones(len(self._matrix))
        self.left = self.start.copy()

    @property
    def free(self) -> Mask:
        """Columns that are no copies of taken ones."""
        return np.asarray(self.left > RANK_TOL)

    def take(self, j: int) -> None:
        """Take column `j`."""
        np.minimum(self.left, 1.0 - self._matrix[j], out=self.left)
        self.left[j] = 0.0
        self._note(j, min(1.0 - self.left.mean(), 1.0))


def start_left(known: Gram | Information, k: int) -> Left:
    """Start with no column taken, and room for `k`."""
    variance: Callable[[Gram], Left] = partial(Residual, k=k)
    return answer_by_kind(known, variance, partial(UnsharedInformation, k=k))


def reaches(left: Left, retain: float) -> bool:
    """Whether the taken columns explain the share that is wanted."""
    return bool(left.size > 0 and left.retained[-1] >= retain - NEGLIGIBLE)


def take_greedily(
    left: L,
    k: int,
    score: Callable[[L], Floats],
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    usable: Callable[[L], Mask] = lambda left: left.free,
    tie: Callable[[L], Floats] | None = None,
    is_met: Callable[[L], bool] = lambda left: True,  # noqa: ARG005 - nothing else is demanded
) -> Path:
    """Take up to `k` columns, each the usable one with the highest score at its turn.

    `include` comes first; it ends once `retain` is reached or no column is usable. `tie` decides
    between columns with the same score; without it the first one is taken. `is_met` says whether
    all that must be taken is: a share alone is not enough.
    """
    scores = np.full(left.left.size, np.nan)
    open_ = np.ones(left.left.size, dtype=bool)
    for step in track("columns taken", range(k), k):
        enough = reaches(left, retain) and is_met(left)
        free = open_ & usable(left)
        if step >= len(include) and (enough or not free.any()):
            break
        current = np.where(free, score(left), -np.inf)
        pick = int(include[step]) if step < len(include) else _best(current, tie, left)
        np.copyto(scores, current, where=open_)
        left.take(pick)
        open_[pick] = False
    scores[np.isneginf(scores)] = 0.0
    return Path(left.taken.copy(), left.retained.copy(), scores, stopped=REPRODUCED)


def _best(score: Floats, tie: Callable[[L], Floats] | None, left: L) -> int:
    """Give the position of the highest score; what decides a tie is computed only for one."""
    tied = score >= score.max() - TIE * abs(score.max())
    if tie is None or np.count_nonzero(tied) == 1:
        return first_best(score)
    return first_best(np.where(tied, tie(left), -np.inf))
