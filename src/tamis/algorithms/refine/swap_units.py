"""Swap groups that are taken whole for others, until no swap explains more."""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.forward.together import Units
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.algorithms.refine.swap_within import swap_within
from tamis.numerics.types import Indices
from tamis.statistics.grouped import GroupedGram


def swap_units(
    statistic: GroupedGram,
    limits: Limits,
    path: Path,
    *,
    include: Sequence[int] = (),
    most: int | None = None,
) -> Path:
    """Improve a set of whole groups; there may be up to `most`, as many by default.

    Examples
    --------
    Columns 1 and 2 are a group, and explain more than column 0 does.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.grouped import as_groups
    >>> gram = as_groups(DenseGram(np.diag([3.0, 2.0, 2.0])))
    >>> limits = Limits.of(3, groups={"A": [1, 2]})
    >>> swap_units(gram, limits, Path(np.array([0]), np.array([3 / 7]))).indices
    array([1, 2])
    """
    units = Units.of(limits)
    kept: Indices = np.array(units.list_units(path.kept.tolist()), dtype=np.intp)
    # What is explained after each unit is not needed, but that after all of them.
    shares = np.full(len(kept), path.share)
    none_scored = np.zeros(len(units.members))
    start = Path(kept, shares, none_scored, importance=units.weigh(path.importance))
    found = swap_within(
        units.merge(statistic),
        units.limit(),
        start,
        include=units.list_units(include),
        most=most,
    )
    if set(found.kept.tolist()) == set(kept.tolist()):
        return path
    spread = units.spread(found, statistic, path.importance)
    return Path(
        spread.indices,
        spread.retained,
        path.scores,
        nested=False,
        importance=path.importance,
        stopped=path.stopped,
    )
