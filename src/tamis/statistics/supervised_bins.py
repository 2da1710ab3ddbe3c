"""Bins chosen by the classes: neighbouring fine bins of a numeric column are merged.

Both rules work from counts (fine bins by classes), so they stream. Fine bins are quantiles, up to
1,024 of them: a column with no more distinct values has a bin for each, which makes the cuts exact.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, xlogy

from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Indices

Counts = NDArray[np.int64]
Cut = Callable[[Sequence[Counts], int], list[Indices]]

_MAX_MERGED_CELLS = 1 << 21  # cells that are merged together
_MERGE_LEVEL = 0.05


def mdl_cuts(blocks: Sequence[Counts], bins: int) -> list[Indices]:  # noqa: ARG001 - it decides
    """Cut as long as that shortens the description of the classes (Fayyad & Irani 1993).

    Examples
    --------
    >>> mdl_cuts([np.array([[9, 0], [9, 0], [0, 9], [1, 9]])], 10)
    [array([2])]
    """
    return [_mdl(np.cumsum(block, axis=0)) for block in blocks]


def _mdl(below: Counts) -> Indices:
    """Cut one column, given the classes of the rows up to and including each fine bin."""
    cuts: list[int] = []
    parts = [(0, len(below))]
    while parts:
        first, last = parts.pop()
        cut = _best_cut(below, first, last)
        if cut is not None:
            cuts.append(cut)
            parts += [(first, cut), (cut, last)]
    return np.sort(np.array(cuts, dtype=np.intp))


def _best_cut(below: Counts, first: int, last: int) -> int | None:
    """Find the cut of fine bins first..last-1 with the largest gain, if it pays for itself."""
    if last - first < 2:
        return None
    lower = below[first : last - 1] - (below[first - 1] if first else 0)
    both = lower[-1] + (below[last - 1] - below[last - 2])
    upper = both - lower
    n, n_lower, n_upper = both.sum(), lower.sum(axis=1), upper.sum(axis=1)
    if n < 2:
        return None
    left = (_bits(lower) + _bits(upper)) / n
    best = int(np.flatnonzero(left <= left.min() * (1 + TIE))[0])
    if not n_lower[best] or not n_upper[best]:
        return None
    present = [np.count_nonzero(part) for part in (both, lower[best], upper[best])]
    parts = [(both, n), (lower[best], n_lower[best]), (upper[best], n_upper[best])]
    entropy = [_bits(part[None])[0] / size for part, size in parts]
    own = present[0] * entropy[0] - present[1] * entropy[1] - present[2] * entropy[2]
    ways = np.log2(3.0 ** present[0] - 2) if present[0] < 40 else present[0] * np.log2(3.0)
    price = (np.log2(n - 1) + ways - own) / n
    return first + best + 1 if entropy[0] - left[best] > price else None


def _bits(counts: Counts) -> Floats:
    """Give rows times entropy, in bits, of each line of counts."""
    sizes = counts.sum(axis=-1)
    return np.asarray(xlogy(sizes, sizes) - xlogy(counts, counts).sum(axis=-1)) / np.log(2)


def chimerge_cuts(blocks: Sequence[Counts], bins: int) -> list[Indices]:
    """Merge the neighbours that differ least until all differ at 5% and at most `bins` are left.

    Kerber's ChiMerge (1992), all columns at once: each step merges one pair in each column.

    Examples
    --------
    >>> chimerge_cuts([np.array([[9, 0], [9, 0], [0, 9], [1, 9]])], 10)
    [array([2])]
    """
    found: list[Indices] = []
    start = 0
    while start < len(blocks):
        widest, stop = 0, start
        while stop < len(blocks):
            widest = max(widest, len(blocks[stop]))
            if (
                stop > start
                and widest * (stop + 1 - start) * blocks[0].shape[1] > _MAX_MERGED_CELLS
            ):
                break
            stop += 1
        found += _merge_blocks(blocks[start:stop], bins)
        start = stop
    return found


def _merge_blocks(blocks: Sequence[Counts], bins: int) -> list[Indices]:
    chains = _Chains(blocks)
    limit = chdtri(blocks[0].shape[1] - 1, _MERGE_LEVEL)
    while True:
        first = chains.distance.argmin(axis=1)
        lowest = chains.distance[np.arange(len(first)), first]
        on = np.isfinite(lowest) & ((lowest < limit) | (chains.alive.sum(axis=1) > bins))
        if not on.any():
            return [np.flatnonzero(alive)[1:] for alive in chains.alive]
        columns = np.flatnonzero(on)
        chains.merge(columns, first[columns])


class _Chains:
    """The bins of several columns, each with its neighbours and the distance to the next one."""

    def __init__(self, blocks: Sequence[Counts]) -> None:
        width = max(map(len, blocks))
        self.counts = np.zeros((len(blocks), width, blocks[0].shape[1]))
        for j, block in enumerate(blocks):
            self.counts[j, : len(block)] = block
        self.alive: NDArray[np.bool_] = np.asarray(self.counts.any(axis=2))
        self.width = width
        self.after = _next_alive(self.alive)
        self.before = width - 1 - _next_alive(self.alive[:, ::-1])[:, ::-1]
        self.distance = np.full(self.alive.shape, np.inf)
        self._renew(*np.nonzero(self.alive & (self.after < width)))

    def merge(self, columns: Indices, first: Indices) -> None:
        """Merge in each of these columns one bin with the next."""
        lost = self.after[columns, first]
        self.counts[columns, first] += self.counts[columns, lost]
        self.alive[columns, lost] = False
        self.distance[columns, lost] = self.distance[columns, first] = np.inf
        following = self.after[columns, lost]
        self.after[columns, first] = following
        more = following < self.width
        self.before[columns[more], following[more]] = first[more]
        self._renew(columns[more], first[more])
        prior = self.before[columns, first]
        self._renew(columns[prior >= 0], prior[prior >= 0])

    def _renew(self, columns: Indices, left: Indices) -> None:
        right = self.after[columns, left]
        apart = _difference(self.counts[columns, left], self.counts[columns, right])
        self.distance[columns, left] = apart


def _next_alive(alive: NDArray[np.bool_]) -> Indices:
    """Give for every position the next living one, or the width.

    >>> _next_alive(np.array([[True, False, True]]))
    array([[2, 2, 3]])
    """
    d, width = alive.shape
    places = np.where(alive, np.arange(width), width)
    nearest = np.minimum.accumulate(places[:, ::-1], axis=1)[:, ::-1]
    return np.concatenate([nearest[:, 1:], np.full((d, 1), width)], axis=1)


def _difference(left: Floats, right: Floats) -> Floats:
    """Give the chi-square statistic of pairs of neighbours; a class that neither has adds 0.

    With two lines it is a sum over classes of one squared difference each.
    """
    n_left, n_right = left.sum(axis=1, keepdims=True), right.sum(axis=1, keepdims=True)
    both = left + right
    excess = (left * n_right - right * n_left) ** 2
    parts = np.divide(excess, both * n_left * n_right, out=np.zeros_like(excess), where=both > 0)
    return np.asarray(parts.sum(axis=1))


CUTS: dict[str, Cut] = {
    "mdl": mdl_cuts,
    "chimerge": chimerge_cuts,
}
