"""What methods that find a set for each number of columns share, instead of a path."""

from collections.abc import Callable, Sequence

import numpy as np

from tamis.algorithms.path import Path
from tamis.algorithms.residual import condition, error_drop
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram


def order_by_gain(
    gram: Gram,
    columns: Indices,
    scores: Floats,
    *,
    include: Sequence[int] = (),
    optimal: bool = False,
) -> Path:
    """Put a set of columns in the order in which each adds most, those to include first."""
    residual = condition(gram, np.asarray(include, dtype=np.intp), len(columns))
    waiting = np.zeros(residual.left.size, dtype=bool)
    waiting[columns] = True
    waiting[list(include)] = False
    while waiting.any():
        pick = first_best(np.where(waiting, error_drop(residual), -np.inf))
        residual.take(pick)
        waiting[pick] = False
    return Path(
        residual.taken.copy(), residual.retained.copy(), scores, nested=False, optimal=optimal
    )


def find_smallest(find: Callable[[int], Path], k: int, retain: float, *, least: int = 1) -> Path:
    """Give the result for the smallest number of columns, at most `k`, that reaches `retain`.

    The number is found by bisection, which assumes that more columns reproduce more; a result that
    falls short at `k` is returned as it is.
    """
    best = find(k)
    if retain >= 1.0 or best.share < retain:
        return best
    low, high = least, len(best.kept)
    while low < high:
        middle = (low + high) // 2
        path = find(middle)
        if path.share >= retain:
            best, high = path, middle
        else:
            low = middle + 1
    return best
