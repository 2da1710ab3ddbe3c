"""Branch and bound: the set of columns that no other allowed set beats.

A branch holds kept columns, which break no limit, and undecided candidates. No choice of `q` more
candidates can add more than the `q` largest eigenvalues of the residual table, projected on the
span of the candidates: a branch whose ceiling is below the best set so far is cut. Limits only make
it less. Sets are complete in which every group has as many columns as it must; where limits such as
a budget leave no room for more, a set may have fewer columns than the largest number.
"""

from collections.abc import Sequence

import numpy as np
import scipy.linalg

from tamis.algorithms.limits import Limits, no_limits
from tamis.algorithms.orders import order_by_gain
from tamis.algorithms.path import Path
from tamis.algorithms.refine.swap import swap_columns
from tamis.errors import TamisError, spell
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import RANK_TOL, TIE
from tamis.statistics.gram import Gram
from tamis.statistics.summary import as_summary

LARGEST = 64
MOST_BRANCHES = 300_000


def best_subset(
    gram: Gram,
    path: Path,
    limits: Limits | None = None,
    *,
    include: Sequence[int] = (),
    most: int | None = None,
) -> Path:
    """Find the best set of as many columns as `path` has, proven optimal; within limits of `most`.

    Examples
    --------
    Column 1 is the best; where it is forbidden it is column 0.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.5], [0.0, 0.5, 1.0]]))
    >>> last = Path(np.array([2]), np.array([0.4]))
    >>> best_subset(gram, last).indices, best_subset(gram, last, Limits.of(3, forbid=[1])).indices
    (array([1]), array([0]))
    """
    d = len(gram.diagonal())
    if d > LARGEST:
        raise TamisError(
            f"{spell('refine', 'exact')} searches tables of up to {LARGEST} columns and this one "
            f"has {d}: use {spell('refine', True)}, which swaps columns until no swap helps."
        )
    size = max(len(path.kept), len(include), most or 0)
    start = swap_columns(as_summary(gram), path, limits, include=include, most=most)
    branches = _Branches(gram, limits or no_limits(d), size, include)
    if branches.limits.is_met(start.kept):
        branches.note(start.kept, start.share * branches.total)
    best = branches.search()
    if best is None:
        return path
    if limits is None:  # columns that add nothing, where fewer reproduce everything
        best = np.append(best, np.setdiff1d(np.arange(d), best)[: size - len(best)])
    return order_by_gain(gram, best, path.scores, include=include, optimal=True)


class _Branches:
    """The branches still to be searched, and the best set so far."""

    def __init__(self, gram: Gram, limits: Limits, size: int, include: Sequence[int]) -> None:
        matrix = gram.block(np.arange(len(gram.diagonal())))
        self.limits, self._size = limits, size
        self._floor = RANK_TOL * np.diagonal(matrix)
        self.total = float(np.trace(matrix))
        self._best: Indices | None = None
        self._value = -np.inf
        left, kept = matrix, [int(j) for j in include]
        for j in kept:
            left = self._take_column(left, j)
        others = np.setdiff1d(np.arange(len(matrix)), kept)
        self._stack = [(left, kept, others, self.total - float(np.trace(left)))]

    def search(self) -> Indices | None:
        """Search every branch that could hold a better set; None where no set is allowed."""
        for _ in track("branches searched", range(MOST_BRANCHES)):
            if not self._stack:
                return self._best
            self._look(*self._stack.pop())
        raise TamisError(
            f"The exact search gave up after {MOST_BRANCHES:,} branches: choose fewer columns, or "
            f"use {spell('refine', True)}, which swaps columns until no swap helps."
        )

    def note(self, kept: Indices, value: float) -> None:
        """Keep a set that is better than the best so far."""
        if value > self._value + TIE * self.total:
            self._best, self._value = np.asarray(kept, dtype=np.intp), value

    def _look(self, left: Floats, kept: list[int], others: Indices, value: float) -> None:
        taken = np.array(kept, dtype=np.intp)
        if kept and self.limits.is_met(taken):
            self.note(taken, value)
        open_ = others[self.limits.mark_next(taken, self._size)[others]]
        need = self._size - len(kept)
        if need <= 0 or not len(open_):
            return
        free = [int(j) for j in open_ if left[j, j] > self._floor[j]]
        more = _bound_gain(left, free, min(need, len(free))) if free else 0.0
        if value + more <= self._value + TIE * self.total:
            return
        gains, own = np.zeros(len(open_)), left[open_, open_]
        np.divide(
            np.square(left[:, open_]).sum(axis=0), own, out=gains, where=own > self._floor[open_]
        )
        best = int(np.argmax(gains))
        pick, rest = int(open_[best]), np.delete(open_, best)
        if need > 1:  # the last column is the best one
            self._stack.append((left, kept, rest, value))
        self._stack.append(
            (self._take_column(left, pick), [*kept, pick], rest, value + float(gains[best]))
        )

    def _take_column(self, left: Floats, j: int) -> Floats:
        if left[j, j] <= self._floor[j]:
            return left
        return np.asarray(left - np.outer(left[:, j] / left[j, j], left[j]))


def _bound_gain(left: Floats, free: list[int], need: int) -> float:
    """Give what `need` of the free columns can add at most to what is explained."""
    lengths = np.sqrt(np.diagonal(left)[free])  # small columns count as much as large ones
    block = left[np.ix_(free, free)] / lengths / lengths[:, None]
    values, vectors = scipy.linalg.eigh(block, check_finite=False)
    nonzero = values > RANK_TOL * values[-1]
    spread = (vectors[:, nonzero] / np.sqrt(values[nonzero])).T @ (left[free] / lengths[:, None])
    most = scipy.linalg.eigvalsh(spread @ spread.T, check_finite=False)
    return float(most[-need:].sum())
