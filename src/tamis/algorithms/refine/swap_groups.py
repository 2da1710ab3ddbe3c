"""Swap kept groups of columns for others until no single swap explains more."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tamis.algorithms.path import Path
from tamis.algorithms.residual import condition
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import NEGLIGIBLE
from tamis.numerics.types import Indices, Mask
from tamis.statistics.grouped import GroupedGram

_MAX_PASSES = 100


def swap_groups(
    statistic: GroupedGram,
    path: Path,
    *,
    include: Sequence[int] = (),
    may_join: Callable[[Indices], Mask] | None = None,
) -> Path:
    """Improve a set of groups by swaps, one kept group after the other; those in `include` stay.

    `may_join` marks the groups that may be kept beside given others, where there are limits.

    Examples
    --------
    Column 1 alone explains more than column 0 does.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.grouped import as_groups
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.5], [0.0, 0.5, 1.0]]))
    >>> swap_groups(as_groups(gram), Path(np.array([0]), np.array([0.4]))).indices
    array([1])
    """
    kept, share = path.kept.copy(), path.share
    for _ in range(_MAX_PASSES):
        before = kept.copy()
        for place in range(len(kept)):
            if int(kept[place]) in set(include):
                continue
            others = np.delete(kept, place)
            residual = condition(statistic, others, importance=path.importance)
            gains = residual.gains()
            if may_join is not None:
                gains[~may_join(others)] = -np.inf
            gains[kept] = -np.inf
            best = first_best(gains)
            found = (residual.retained[-1] if residual.size else 0.0) + gains[best]
            if found > share + NEGLIGIBLE:
                kept[place], share = best, found
        if np.array_equal(kept, before):
            break
    if set(kept.tolist()) == set(path.kept.tolist()):
        return path
    shares = condition(statistic, kept, importance=path.importance).retained.copy()
    return replace(path, indices=kept, retained=shares, nested=False)
