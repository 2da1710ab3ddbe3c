"""`jmi`: the column that says most about the class together with those already kept.

Joint mutual information (Yang & Moody, 1999). The first column shares most information with the
class. Then each step adds the column x with the largest sum, over the kept columns s, of the
information that x and s together share with the class; scores are the mean of these, in bits. So
columns that matter only together are found once one of them is kept: `y = a xor b` is explained by
neither a nor b alone. Cunningham's survey names filters that score groups of columns by mutual
information (Novovicova et al.) as better than those on single columns.

Where no column of such a group says anything alone, it is chance which is kept first.
`start="pair"` begins with the two columns that together say most, of all pairs: d^2 / 2 tables.

Two columns have many more cells than one, and information that is shared by chance grows with the
cells: numbers have 5 bins here, not 10, and `corrected` takes off what unrelated columns with as
many cells would share on average. It matters where columns have different numbers of values.

Without `k` the search ends by a rule of ours: a column is added only while it says something about
the class beyond each kept column (the G-test of independence given that column, at 0.05 divided by
the number of columns). The first column is always kept. With bins chosen by the labels the test is
too generous.
"""

from itertools import pairwise
from typing import Unpack

import numpy as np
from scipy.special import chdtrc, xlogy

from tamis.algorithms.filters.independence import LEVEL, information_gain
from tamis.algorithms.greedy import State, all_usable, search, start_left
from tamis.algorithms.limits import LimitedGoal
from tamis.algorithms.path import Path
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices, Mask
from tamis.rules.tolerances import TIE
from tamis.statistics.class_table import ClassCounts, ClassTable, PairCounter
from tamis.statistics.joint_counts import pairs_with_class
from tamis.statistics.shared_information import information_by_chance

_MAX_COUNTS_HELD = 1 << 24  # of the counts that are held at a time


def join_informative(
    table: ClassTable,
    k: int | None,
    *,
    start: str = "column",
    corrected: bool = False,
    **goal: Unpack[LimitedGoal],
) -> Path:
    """Add columns, each the one that says most about the class together with those kept."""
    d = table.counts.count
    most = d if k is None else k
    pairs = table.pairs
    assert pairs is not None
    together = _Together(table.counts, pairs, corrected)
    first = [int(j) for j in goal.get("include", ())]
    if start == "pair" and not first and min(most, d) > 1:
        first = together.order(best_pair(table.counts, pairs, corrected=corrected))
    goal["include"] = first
    usable = together.adding if k is None else all_usable
    return search(start_left(table.explained, most), most, together.score, usable=usable, **goal)


class _Together:
    """Follow the columns as they are kept: what each other one says together with them."""

    def __init__(self, counts: ClassCounts, pairs: PairCounter, corrected: bool) -> None:
        self._counts, self._pairs, self._corrected = counts, pairs, corrected
        self._alone = information_gain(counts)
        if corrected:
            self._alone = self._alone - _by_chance(counts.occupied, counts)
        self._summed = np.zeros(counts.count)
        self._beyond = np.ones(counts.count, dtype=bool)
        self._followed = 0

    def score(self, state: State, offered: Mask) -> Floats:  # noqa: ARG002 - counted for all at once
        """Give the mean information with each kept column; at first, of the column alone."""
        if not state.size:
            return self._alone
        self._follow(state)
        return self._summed / state.size

    def adding(self, state: State) -> Mask:
        """Mark the columns that say something beyond each kept one."""
        self._follow(state)
        return self._beyond

    def order(self, pair: tuple[int, int]) -> list[int]:
        """Put the one that says more alone first."""
        first = first_best(self._alone[list(pair)])
        return [pair[first], pair[1 - first]]

    def _follow(self, state: State) -> None:
        for s in state.taken[self._followed :].tolist():
            found, cells, p = joint_information(self._counts, self._pairs, s)
            self._summed += found - _by_chance(cells, self._counts) if self._corrected else found
            self._beyond &= p * len(p) < LEVEL
        self._followed = state.size


def joint_information(
    counts: ClassCounts, pairs: PairCounter, s: int
) -> tuple[Floats, Indices, Floats]:
    """Give the information, in bits, that each column together with column `s` has on the class.

    With it come the cells of the two that have rows, and the p-value of the G-test that the column
    and the class are independent given column `s`.
    """
    n_classes = len(counts.by_class)
    # So many neighbouring columns together that their counts fit.
    held = counts.sizes * int(counts.sizes[s]) * n_classes
    group = (np.cumsum(held) - 1) // max(_MAX_COUNTS_HELD, int(held.max()))
    starts = [0, *(np.flatnonzero(np.diff(group)) + 1).tolist(), len(held)]
    parts = [
        _of_pairs(counts, pairs.count_beside(s, slice(first, last)), s, n_classes)
        for first, last in pairwise(starts)
    ]
    information, cells, p = (np.concatenate(part) for part in zip(*parts, strict=True))
    return information, cells, p


def _of_pairs(
    counts: ClassCounts, pairs: ClassCounts, s: int, n_classes: int
) -> tuple[Floats, Indices, Floats]:
    """Give information, occupied cells and p-value of some columns with column `s`."""
    n, given = float(counts.by_class.sum()), counts.block(s)
    T = pairs.table.reshape(len(pairs.table), -1, n_classes)
    both = T.sum(axis=2)
    expected = both[:, :, None] * (counts.by_class / n)
    # Each count beside its expected one: nothing cancels for pairs that have little to say.
    excess = np.divide(T, expected, out=np.ones_like(expected), where=expected > 0)
    nats = np.maximum(pairs.sum_levels(xlogy(T, excess).sum(axis=(1, 2))), 0.0) / n
    levels = np.add.reduceat((both > 0).astype(np.intp), pairs.starts, axis=0)
    # Given a level of s: the levels of x and the classes that occur there.
    classes = np.maximum(np.count_nonzero(given, axis=1) - 1, 0)
    freedom = np.maximum(levels - 1, 0) @ classes
    alone = information_gain(counts)[s] * np.log(2)
    G = 2 * n * np.maximum(nats - alone, 0.0)
    p = np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), G), 1.0)
    return nats / np.log(2), levels.sum(axis=1), p


def best_pair(
    counts: ClassCounts, pairs: PairCounter, *, corrected: bool = False
) -> tuple[int, int]:
    """Find the two columns that together say most about the class, the first of equal ones."""
    n, by_class = int(counts.by_class.sum()), counts.by_class
    by_level = np.split(counts.by_level.astype(np.intp), counts.starts[1:])
    own = -float(xlogy(by_class, by_class / n).sum()) / n  # the entropy of the class
    best, pair = -np.inf, (0, 1)
    for tile in pairs_with_class(pairs.count_by_class, by_level, len(by_class)):
        score = own + tile.excess / n
        if corrected:
            score = score - information_by_chance(tile.cells, float(len(by_class)), n)
        rows = np.arange(tile.rows.start, tile.rows.stop)[:, None]
        score = np.where(rows < np.arange(tile.columns.start, tile.columns.stop), score, -np.inf)
        place = first_best(score.ravel())
        if not np.isfinite(best) or score.flat[place] > best + TIE * abs(best):
            best = float(score.flat[place])
            i, j = np.unravel_index(place, score.shape)
            pair = (tile.rows.start + int(i), tile.columns.start + int(j))
    return pair


def _by_chance(cells: Indices, counts: ClassCounts) -> Floats:
    """Give what unrelated columns with so many cells would share with the class, in bits."""
    by_class = counts.by_class
    n, classes = int(by_class.sum()), float(np.count_nonzero(by_class))
    return information_by_chance(cells + 0.0, classes, n) / np.log(2)
