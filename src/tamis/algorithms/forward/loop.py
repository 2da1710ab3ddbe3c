"""The forward loop: take the best column, condition on it, repeat."""

from collections.abc import Callable, Sequence

import numpy as np

from tamis.algorithms.path import REPRODUCED, Path
from tamis.algorithms.residual import Residual
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import NEGLIGIBLE, TIE
from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.statistics.gram import Gram

Score = Callable[[Residual], Floats]


def take_forward(
    gram: Gram,
    k: int,
    score: Score,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    redundant: bool = False,
    tie: Score | None = None,
) -> Path:
    """Take up to `k` columns, each the one with the highest score at its turn.

    Parameters
    ----------
    gram
        The Gram matrix of the centred columns.
    k
        Largest number of columns.
    score
        Gives every column a score, from what is left of the matrix.
    retain
        Stop once this share of the variance is reproduced.
    include
        Columns taken first, whatever their score.
    redundant
        Whether a column that the taken ones reproduce already may still be taken.
    tie
        Decides between columns with the same score; without it the first one is taken.
    """
    residual = Residual(gram, k)
    scores = np.full(residual.left.size, np.nan)
    open_ = np.ones(residual.left.size, dtype=bool)
    for step in track("columns taken", range(k), k):
        enough = residual.size > 0 and residual.retained[-1] >= retain - NEGLIGIBLE
        free = open_ if redundant else open_ & residual.free
        if step >= len(include) and (enough or not free.any()):
            break
        current = np.where(free, score(residual), -np.inf)
        pick = int(include[step]) if step < len(include) else _best(current, tie, residual)
        np.copyto(scores, current, where=open_)
        residual.take(pick)
        open_[pick] = False
    scores[np.isneginf(scores)] = 0.0
    return Path(residual.taken.copy(), residual.retained.copy(), scores, stopped=REPRODUCED)


def _best(score: Floats, tie: Score | None, residual: Residual) -> int:
    """Give the position of the highest score; what decides a tie is computed only for one."""
    tied = score >= score.max() - TIE * abs(score.max())
    if tie is None or np.count_nonzero(tied) == 1:
        return first_best(score)
    return first_best(np.where(tied, tie(residual), -np.inf))
