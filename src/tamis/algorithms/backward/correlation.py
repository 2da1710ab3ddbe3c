"""`correlation`: keep one representative of each group of highly correlated columns.

No two kept columns correlate (in absolute value) above the threshold, every dropped column
correlates above it with a kept one, and the result does not depend on the order of the columns. At
each step, the undecided column with the largest sum of squared correlations with its undecided
neighbours (those above the threshold) is kept and its neighbours are dropped. Ties, as in every
group of two, are broken by the sum over all columns, then by position.

With `k` or `retain` the threshold is found by bisection: at most 24 steps, until a set has exactly
`k` columns. Where no threshold gives `k` columns, the largest smaller set is completed, each time
with the column whose largest correlation with the kept ones is smallest. Sets of different sizes
are not nested. Exact copies are never kept together.

With `kind="spearman"` the columns are first replaced by their ranks. Shares of variance are then
shares of the variance of the ranks, and the table is held in memory.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import scipy.sparse

from tamis.algorithms.orders import Pairs, as_set, cut_at_share, prefer_by_score
from tamis.algorithms.path import Path
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import RANK_TOL, TIE
from tamis.statistics.gram import Gram

_HALVINGS = 24
_STORED = 64
_NEAR = 0.04  # from the threshold of most of the rows is that of most others
_HALVINGS_NEAR = 4


def keep_representatives(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
) -> Path:
    """Keep one representative of each group of columns that correlate above the threshold."""
    groups = _Groups(Pairs(gram), include)
    if threshold is not None:
        return groups.path(groups.keep_at_threshold(threshold))
    return cut_at_share(
        retain,
        k,
        of_size=lambda size: groups.path(groups.keep_about(size)),
        at=lambda level: groups.path(groups.keep_at_threshold(level / 2**_HALVINGS)),
        levels=2**_HALVINGS,
        least=max(1, len(include)),
    )


def keep_again(gram: Gram, k: int, near: float | None = None) -> tuple[Indices, float]:
    """Keep `k` representatives, and give the threshold, which is searched `near` another one.

    For folds: that of most of the rows is near that of most others.
    """
    groups = _Groups(Pairs(gram), ())
    return groups.keep_about(k, near), groups.last


class _Groups:
    """The sets of columns kept at different thresholds."""

    def __init__(self, pairs: Pairs, include: Sequence[int]) -> None:
        self._pairs = pairs
        self._include = np.array(include, dtype=np.intp)
        self._totals = np.zeros(pairs.count)
        self._known: dict[float, Indices] = {}
        self.last = 1.0  # threshold that was tried

    def path(self, kept: Indices) -> Path:
        """Say what the kept columns reproduce and which of them each other column resembles."""
        others = np.setdiff1d(np.arange(self._pairs.count), kept)
        nearest, closeness = self._nearest(kept)
        order = others[np.argsort(-closeness[others], kind="stable")]
        removed = prefer_by_score(self._pairs, order, nearest[order])
        return as_set(self._pairs, kept, self._totals, removed)

    def keep_about(self, size: int, near: float | None = None) -> Indices:
        """Search the threshold that keeps `size` columns, or come close from below and fill up."""
        best, low, high = self.keep_at_threshold(0.0 if near is None else 0.5 * near), 0.0, 1.0
        if near is None and len(most := self.keep_at_threshold(1.0)) <= size:
            return most
        for _ in range(_HALVINGS if near is None else _HALVINGS_NEAR):
            if len(best) >= size:
                break
            middle = (low + high) / 2 if near is None else near
            found = self.keep_at_threshold(middle)
            many = len(found) > size
            if near is not None:
                low, high, near = max(near - _NEAR, 0.0), min(near + _NEAR, 1.0), None
            low, high, self.last = (low, middle, middle) if many else (middle, high, middle)
            best = found if len(best) < len(found) <= size else best
        return self._fill_up(best[: max(size, len(self._include))], size)

    def keep_at_threshold(self, threshold: float) -> Indices:
        """Keep representatives and drop their neighbours until every column is decided."""
        if threshold not in self._known:
            # The margin keeps rounding from deciding; copies are neighbours at any threshold.
            self._known[threshold] = self._keep(min((threshold + TIE) ** 2, 1.0 - RANK_TOL))
        return self._known[threshold]

    def _keep(self, limit: float) -> Indices:
        graph = _CorrelationGraph(self._pairs, limit, self._squares)
        self._totals = totals = graph.totals
        weight = graph.weights.copy()  # -inf once decided
        weight[self._include] = -np.inf
        kept: list[int] = []

        def keep(j: int) -> None:
            kept.append(j)
            near = graph.neighbours(j)
            decided = np.append(near[weight[near] > -np.inf], j)
            weight[decided] = -np.inf
            weight[:] -= graph.weights_with(decided, weight)

        for j in self._include:
            keep(int(j))
        while True:
            best = float(weight.max())
            if best <= max(limit / 2, RANK_TOL):
                break
            tied = np.flatnonzero(weight >= best * (1 - TIE))
            keep(int(tied[0] if len(tied) == 1 else tied[first_best(totals[tied])]))
        alone = np.flatnonzero(weight > -np.inf)
        alone = alone[np.argsort(-totals[alone], kind="stable")]
        return np.concatenate([np.array(kept, dtype=np.intp), alone])

    def _fill_up(self, kept: Indices, size: int) -> Indices:
        nearness = self._nearest(kept)[1]
        taken = kept.tolist()
        while len(taken) < size:
            nearness[taken] = np.inf
            if nearness.min() ** 2 > 1.0 - RANK_TOL:
                break
            pick = np.array([first_best(-nearness)])
            nearness = np.maximum(nearness, np.abs(self._pairs.correlations(pick)[0]))
            taken.append(int(pick[0]))
        return np.array(taken, dtype=np.intp)

    @cached_property
    def _squares(self) -> Floats | None:
        """The squared correlations of all columns, where they are few; 0 with themselves."""
        parts = self._pairs.parts()
        if len(parts) > 1:
            return None
        block = np.square(self._pairs.correlations(parts[0]))
        np.fill_diagonal(block, 0.0)
        return block

    def _nearest(self, kept: Indices) -> tuple[Indices, Floats]:
        """Find for every column the kept one that it correlates with most, and how much."""
        nearest, closeness = np.zeros(self._pairs.count, dtype=np.intp), np.zeros(self._pairs.count)
        for part in self._pairs.parts():
            block = np.abs(self._pairs.correlations(part, kept))
            position = (block >= block.max(axis=1)[:, None] - TIE).argmax(axis=1)
            nearest[part], closeness[part] = kept[position], block[np.arange(len(block)), position]
        return nearest, closeness


class _CorrelationGraph:
    """Which columns are neighbours: squared correlations above `limit`.

    They are a matrix where the `squares` of all correlations are given. Else they are stored while
    there are few, and computed again on demand where there are many: no d x d array is made.
    `weights` is the sum of a column's squared correlations with its neighbours, `totals` with all
    columns.
    """

    def __init__(self, pairs: Pairs, limit: float, squares: Floats | None) -> None:
        self._pairs, self._limit = pairs, limit
        d = pairs.count
        self._near: Floats | None = None
        if squares is not None:
            self._near = np.where(squares > limit, squares, 0.0)
            self.weights, self.totals = self._near.sum(axis=0), squares.sum(axis=0)
            return
        self.weights, self.totals = np.zeros(d), np.zeros(d)
        found: list[tuple[Indices, Indices, Floats]] = []
        stored = 0
        for part in track("columns compared", pairs.parts(), d, lambda s: s.stop - s.start):
            block = pairs.correlations(part, slice(part.start, d))
            block *= block
            side = part.stop - part.start
            block[:, :side] = np.triu(block[:, :side], 1)  # each pair counts once
            self._add(self.totals, block, part)
            near = block > limit
            stored += int(np.count_nonzero(near))
            if stored <= _STORED * d:
                rows, columns = np.nonzero(near)
                found.append((rows + part.start, columns + part.start, block[near]))
            block *= near
            self._add(self.weights, block, part)
        self._stored: scipy.sparse.csr_array | None = None
        if stored <= _STORED * d:
            first, second, values = (np.concatenate(some) for some in zip(*found, strict=True))
            upper = scipy.sparse.csr_array((values, (first, second)), shape=(d, d))
            self._stored = scipy.sparse.csr_array(upper + upper.T)

    @staticmethod
    def _add(sums: Floats, block: Floats, part: slice) -> None:
        sums[part] += block.sum(axis=1)
        sums[part.start :] += block.sum(axis=0)

    def neighbours(self, j: int) -> Indices:
        """List the neighbours of a column."""
        if self._near is not None:
            return np.flatnonzero(self._near[j])
        if self._stored is not None:
            start, stop = self._stored.indptr[j : j + 2]
            return np.asarray(self._stored.indices[start:stop], dtype=np.intp)
        near = self._pairs.correlations(np.array([j]))[0] ** 2 > self._limit
        near[j] = False
        return np.flatnonzero(near)

    def weights_with(self, columns: Indices, weight: Floats) -> Floats:
        """Add up, for each undecided column, its squared correlations with its `columns`."""
        if self._near is not None:
            return np.asarray(self._near[columns].sum(axis=0))
        sums = np.zeros(self._pairs.count)
        if self._stored is not None:
            starts, stops = self._stored.indptr[columns], self._stored.indptr[columns + 1]
            cells = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
            np.add.at(sums, self._stored.indices[cells], self._stored.data[cells])
            return sums
        others = np.flatnonzero(weight > -np.inf)
        step = self._pairs.parts()[0].stop
        for first in range(0, len(columns), step):
            block = self._pairs.correlations(columns[first : first + step], others)
            block *= block
            sums[others] += (block * (block > self._limit)).sum(axis=0)
        return sums
