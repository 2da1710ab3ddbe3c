"""Swap representatives until no swap raises the information that they explain."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tamis.algorithms.information.representatives import take_among
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import NEGLIGIBLE, TIE
from tamis.numerics.types import Floats, Indices, Mask
from tamis.statistics.shared_information import Information

_MAX_SWAPS_PER_COLUMN = 10  # for each kept column at the most


def swap_representatives(
    information: Information,
    path: Path,
    limits: Limits | None = None,
    *,
    include: Sequence[int] = (),
) -> Path:
    """Exchange at each step the kept and the dropped column that raise the share most.

    All swaps are valued at once: of every column only its best and second-best representative
    matter, so that one step costs as much as reading the matrix of mutual information.

    Examples
    --------
    Column 0 represents 1 and 2 as well; column 3 has no representative but itself.

    >>> M = [[1, 0.6, 0.6, 0.0], [0.6, 1, 0.0, 0.0], [0.6, 0.0, 1, 0.3], [0.0, 0.0, 0.3, 1]]
    >>> first = Path(np.array([0, 1]), np.array([0.55, 0.65]))
    >>> swap_representatives(Information(np.array(M)), first)
    Path(indices=array([0, 3]), retained=array([0.55, 0.8 ]))
    """
    M, kept = information.matrix, path.kept.copy()
    fixed = np.isin(kept, np.asarray(include, dtype=np.intp))
    for _ in range(_MAX_SWAPS_PER_COLUMN * len(kept)):
        barred = None
        if limits is not None:  # by column, and by the place that it may take
            others = (np.delete(kept, i) for i in range(len(kept)))
            barred = np.column_stack([~limits.mark_swaps(rest) for rest in others])
        swap = _best_swap(M, kept, fixed, barred)
        if swap.gain <= NEGLIGIBLE * len(M):
            break
        kept[swap.place] = swap.column
    if set(kept.tolist()) == set(path.kept.tolist()):
        return path
    found = take_among(information, kept, len(kept), retain=np.inf, include=include)
    return replace(found, scores=path.scores, nested=False)


class _Swap(NamedTuple):
    """Which kept column to exchange, by its place, for which other, and what that adds."""

    gain: float
    place: int
    column: int


def _best_swap(M: Floats, kept: Indices, fixed: Mask, barred: Mask | None) -> _Swap:
    best = _Swap(0.0, 0, 0)
    for columns, gains in swap_gains(M, kept):
        gains[:, fixed] = -np.inf
        if barred is not None:
            gains[barred[columns]] = -np.inf
        at = first_best(gains.ravel())
        gain = float(gains.ravel()[at])
        if gain > best.gain * (1.0 + TIE):
            best = _Swap(gain, at % len(kept), int(columns[at // len(kept)]))
    return best


def swap_gains(M: Floats, kept: Indices) -> Iterator[tuple[Indices, Floats]]:
    """Give what every swap adds, some joining columns at a time, by the place that leaves."""
    links = np.sort(M[kept], axis=0)
    first, second = links[-1], links[-2] if len(kept) > 1 else np.zeros(len(M))
    represents = np.zeros((len(M), len(kept)))
    represents[np.arange(len(M)), M[kept].argmax(axis=0)] = 1.0
    others = np.setdiff1d(np.arange(len(M)), kept)
    for part in row_blocks(len(others), len(M)):
        rows = M[others[part]]
        added = np.maximum(rows - first, 0.0)
        # Without its representative a column has the second best, or the one that joins.
        instead = np.maximum(rows, second) - first - added
        yield others[part], added.sum(axis=1)[:, None] + instead @ represents
