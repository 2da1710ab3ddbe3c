"""`fsfs`: keep the columns with the tightest neighbourhoods, drop their neighbours (Mitra et al.).

The distance of two columns is the maximal information compression index: the smaller eigenvalue of
their 2 x 2 covariance matrix, which is 0 when one is a linear function of the other. At each step
the column whose k-th nearest neighbour is closest is kept and its k nearest neighbours are dropped.
The distance at the first step is the tolerance from then on, and k is reduced whenever no column
has k others within it. A kept column may be chosen again, or dropped later.

The paper does not standardise the columns; here they are standardised unless `scale=False`. The
authors' later code uses another distance and a moving tolerance; we follow the paper, but continue
at k = 1 where it stops. Ties, as between any two columns that are nearest to each other, are broken
by the larger variance, then by the smaller sum of distances to all columns, then by position.

Without `neighbours`, the number of neighbours that leaves `k` columns, or slightly more, is found
by bisection, and of these the columns with the tightest neighbourhoods are kept. Sets of different
sizes are not nested. The search starts at 0 neighbours, which drops exact copies only. With
`neighbours` the set is the paper's; `k` or `retain` shorten it, and `retain=1.0` keeps every column
of it that adds something.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from tamis.algorithms.orders import Pairs, as_set, cut_at_share, measure_order, prefer_by_score
from tamis.algorithms.path import Path, count_enough
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import RANK_TOL, TIE
from tamis.statistics.gram import Gram

_STORED = 64


def keep_tight_neighbourhoods(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    neighbours: int | None = None,
) -> Path:
    """Keep columns that represent their nearest neighbours."""
    pairs = Pairs(gram)
    index = _ColumnIndex(pairs, include)
    most = max(pairs.count - 1 - len(include), 0)
    run = cache(lambda count: _cluster_columns(index, count))
    if neighbours is not None:
        kept, removed, keepers, radius = run(min(neighbours, most))
        retained = measure_order(gram, kept)
        removals = prefer_by_score(pairs, removed, keepers)
        size = max(min(k, count_enough(retained, retain)), len(include))
        stopped = f"neighbours={neighbours} leaves no more"
        return Path(kept, retained, radius, size=size, removals=removals, stopped=stopped)

    def left_by(count: int, size: int | None = None) -> Path:
        kept, removed, keepers, radius = run(count)
        return as_set(pairs, kept[:size], radius, prefer_by_score(pairs, removed, keepers))

    def of_size(size: int) -> Path:
        low, high = 0, most + 1
        while high - low > 1 and len(run(low)[0]) > size:
            middle = (low + high) // 2
            low, high = (middle, high) if len(run(middle)[0]) >= size else (low, middle)
        return left_by(low, size)

    return cut_at_share(
        retain,
        k,
        of_size=of_size,
        at=lambda level: left_by(most - level),
        levels=most,
        least=max(1, len(include)),
    )


# What one run leaves, tightest first, what it drops in favour of which columns, and all radii.
_Left = tuple[Indices, Indices, Indices, Floats]


class _ColumnIndex:
    """The maximal information compression index of all pairs, in blocks.

    A column to include is no neighbour of any other.
    """

    def __init__(self, pairs: Pairs, include: Sequence[int]) -> None:
        self.pairs = pairs
        self.include = np.array(include, dtype=np.intp)
        self._size = float(pairs.sizes.max())
        self._alike = bool(np.ptp(pairs.sizes) <= RANK_TOL * self._size)
        self._sums = np.zeros(pairs.count)

    def block(self, rows: Indices, columns: Indices) -> Floats:
        """Give the distances of some columns to others; infinite from a column to itself."""
        every = len(columns) == self.pairs.count  # a slice spares a copy
        products = self.pairs.products(rows, slice(None) if every else columns)
        if self._alike:  # equal variances v: the index is v - |covariance|
            block = self._size - np.abs(products)
            block[block <= RANK_TOL * self._size / 2] = 0.0
        else:
            one, other = self.pairs.sizes[rows][:, None], self.pairs.sizes[columns]
            product, total = one * other, one + other
            block = product - products**2  # det of the 2 x 2 covariance
            block[block <= RANK_TOL * product] = 0.0
            block *= 2.0
            block /= total + np.sqrt(np.maximum(total * total - 2.0 * block, 0.0))
        block[rows[:, None] == columns] = np.inf
        return block

    def radius(self, count: int) -> Floats:
        """Give the distance of every column to its neighbour number `count`."""
        d = self.pairs.count
        every, radius = np.arange(d), np.empty(d)
        for part in track("columns compared", self.pairs.parts(), d, lambda s: s.stop - s.start):
            block = self.block(every[part], every)
            self._sums[part] = np.where(np.isfinite(block), block, 0.0).sum(axis=1)
            block[:, self.include] = np.inf
            radius[part] = np.partition(block, count - 1, axis=1)[:, count - 1]
        return radius

    def tightest(self, radius: Floats) -> int:
        """Choose the smallest radius, by the rule for equal ones."""
        tied = radius <= radius.min() * (1 + TIE)
        for merit in (self.pairs.sizes, -self._sums):
            best = merit[tied].max()
            tied &= merit >= best - TIE * abs(best)
        return first_best(tied)

    def rank_columns(self, columns: Indices, radius: Floats) -> Indices:
        """Sort columns by their radius, by the same rule; those to include come first."""
        others = np.setdiff1d(columns, self.include)
        near = _levels(radius[others])
        large, far = _levels(-self.pairs.sizes[others]), _levels(self._sums[others])
        order = others[np.lexsort((others, far, large, near))]
        return np.concatenate([self.include, order])


def _levels(values: Floats) -> Indices:
    """Rank the values; those that differ by rounding only share a rank."""
    order = np.argsort(values, kind="stable")
    steps = np.diff(values[order], prepend=values[order[:1]])
    levels = np.empty(len(values), dtype=np.intp)
    levels[order] = np.cumsum(steps > TIE * np.abs(values[order]))
    return levels


def _cluster_columns(index: _ColumnIndex, count: int) -> _Left:
    """Run the paper's loop with `count` neighbours; with 0 only exact copies are dropped."""
    d = index.pairs.count
    if d - 1 - len(index.include) < 1:
        every = index.rank_columns(np.arange(d), np.zeros(d))
        return every, every[:0], every[:0], np.zeros(d)
    radius = index.radius(max(count, 1))
    tolerance = float(radius.min()) if count else 0.0
    near = _Near(index, tolerance * (1 + TIE))
    k = count or d
    removed: list[Indices] = [np.zeros(0, dtype=np.intp)]
    keepers = removed.copy()
    while True:
        near.hold_pairs()
        k = min(k, int(near.degree.max()))
        if k < 1:
            break
        pick = index.tightest(near.reach(k))
        dropped = near.nearest(pick, k)
        removed.append(dropped)
        keepers.append(np.full(k, pick))
        near.drop(dropped)
    kept = np.setdiff1d(np.arange(d), np.concatenate(removed))
    kept = index.rank_columns(kept, radius)
    return kept, np.concatenate(removed), np.concatenate(keepers), radius


class _Near:
    """Which columns lie within the tolerance of which, among those not removed.

    `degree` counts the neighbours of each. Distances are computed on demand while there are many
    neighbours, as then few rounds are left; pairs that are few enough are held, sorted by first
    column and distance.
    """

    def __init__(self, index: _ColumnIndex, limit: float) -> None:
        self._index, self._limit = index, limit
        self._held: tuple[Indices, Indices, Floats] | None = None
        self._live = np.arange(index.pairs.count)
        self._count_neighbours()

    def _count_neighbours(self) -> None:
        self._may_go = np.setdiff1d(self._live, self._index.include)
        self.degree = np.zeros(self._index.pairs.count, dtype=np.intp)
        for rows, block in self._blocks(self._live):
            self.degree[rows] = np.count_nonzero(block <= self._limit, axis=1)

    def _blocks(self, rows: Indices) -> Iterator[tuple[Indices, Floats]]:
        step = self._index.pairs.parts()[0].stop
        for first in range(0, len(rows), step):
            some = rows[first : first + step]
            yield some, self._index.block(some, self._may_go)

    def hold_pairs(self) -> None:
        """Hold the pairs in memory, if they are few enough."""
        if self._held is not None or self.degree.sum() > _STORED * self.degree.size:
            return
        found = [np.zeros((3, 0))]
        for rows, block in self._blocks(self._live):
            i, j = np.nonzero(block <= self._limit)
            order = np.lexsort((j, block[i, j], i))
            i, j = i[order], j[order]
            found.append(np.array([rows[i], self._may_go[j], block[i, j]]))
        first, second, distances = np.concatenate(found, axis=1)
        self._held = first.astype(np.intp), second.astype(np.intp), distances

    def reach(self, k: int) -> Floats:
        """Give the distance to neighbour number `k`, infinite where there are fewer."""
        reach = np.full(self.degree.size, np.inf)
        able = self.degree >= k
        if self._held is not None:
            starts = np.cumsum(self.degree) - self.degree
            reach[able] = self._held[2][starts[able] + k - 1]
            return reach
        for rows, block in self._blocks(np.flatnonzero(able)):
            reach[rows] = np.partition(block, k - 1, axis=1)[:, k - 1]
        return reach

    def nearest(self, j: int, k: int) -> Indices:
        """Give the `k` nearest columns."""
        if self._held is not None:
            start = int(self.degree[:j].sum())
            return self._held[1][start : start + k]
        distances = self._index.block(np.array([j]), self._may_go)[0]
        return self._may_go[np.argsort(distances, kind="stable")[:k]]

    def drop(self, dropped: Indices) -> None:
        """Remove columns."""
        if self._held is None:
            self._live = np.setdiff1d(self._live, dropped)
            self._count_neighbours()
            return
        live = np.ones(self.degree.size, dtype=bool)
        live[dropped] = False
        first, second, distances = self._held
        both = live[first] & live[second]
        self._held = first[both], second[both], distances[both]
        self.degree = np.bincount(first[both], minlength=live.size)
