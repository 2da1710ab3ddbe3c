"""Branch and bound: the set of `k` columns that no other set of `k` columns beats.

A branch holds kept columns and undecided candidates. No choice of `q` more candidates can add more
than the `q` largest eigenvalues of the residual table, projected on the span of the candidates: a
branch whose ceiling is below the best set so far is cut.
"""

from collections.abc import Sequence

import numpy as np
import scipy.linalg

from tamis.algorithms.column_pairs import order_by_gain
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.algorithms.refine.exchange import exchange
from tamis.algorithms.refine.swap_within import swap_within
from tamis.algorithms.residual import condition
from tamis.errors import TamisError, spell
from tamis.numerics.tolerances import RANK_TOL, TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.statistics.gram import Gram
from tamis.statistics.grouped import as_groups

LARGEST = 64
MOST_BRANCHES = 300_000


def best_subset(gram: Gram, path: Path, *, include: Sequence[int] = ()) -> Path:
    """Find the best set of as many columns as `path` has, proven optimal.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.5], [0.0, 0.5, 1.0]]))
    >>> best_subset(gram, Path(np.array([0]), np.array([0.4]))).indices
    array([1])
    """
    check_width(gram.diagonal().size)
    start = exchange(gram, path, include=include)
    search = _BranchSearch(gram, start.indices, include)
    return order_by_gain(gram, search.run(), path.scores, include=include, optimal=True)


def check_width(d: int) -> None:
    """Refuse a table with too many columns to search all sets."""
    if d > LARGEST:
        raise TamisError(
            f"{spell('refine', 'exact')} searches tables of up to {LARGEST} columns and this one "
            f"has {d}: use {spell('refine', True)}, which swaps columns until no swap helps."
        )


def give_up() -> None:
    """Say that there are too many branches."""
    raise TamisError(
        f"The exact search gave up after {MOST_BRANCHES:,} branches: choose fewer columns, or "
        f"use {spell('refine', True)}, which swaps columns until no swap helps."
    )


class _BranchSearch:
    def __init__(self, gram: Gram, start: Indices, include: Sequence[int]) -> None:
        d = gram.diagonal().size
        matrix = np.array([gram.column(j) for j in range(d)])
        self._floor = RANK_TOL * np.diagonal(matrix)
        self._size = len(start)
        self.best = start
        self.value = float(condition(gram, start).retained[-1]) * float(np.trace(matrix))
        left, kept = matrix, [int(j) for j in include]
        for j in kept:
            left = self._take_column(left, j)
        gained = float(np.trace(matrix) - np.trace(left))
        self._stack = [(left, kept, [j for j in range(d) if j not in kept], gained)]

    def run(self) -> Indices:
        """Search every branch that could hold a better set."""
        for _ in track("branches searched", range(MOST_BRANCHES)):
            if not self._stack:
                return self.best
            self._look(*self._stack.pop())
        give_up()
        return self.best

    def _look(self, left: Floats, kept: list[int], open_: list[int], value: float) -> None:
        need = self._size - len(kept)
        free = [j for j in open_ if left[j, j] > self._floor[j]]
        if need == 0 or not free:
            if value > self.value * (1 + TIE):
                self.best, self.value = self._complete(kept, open_), value
            return
        if value + bound_branch(left, free, need) <= self.value * (1 + TIE):
            return
        gains = [left[:, j] @ left[:, j] / left[j, j] for j in free]
        best = int(np.argmax(gains))
        if need == 1:
            free, gains = [free[best]], [gains[best]]
            best = 0
        pick, rest = free[best], free[:best] + free[best + 1 :]
        if len(rest) >= need:
            self._stack.append((left, kept, rest, value))
        self._stack.append(
            (self._take_column(left, pick), [*kept, pick], rest, value + gains[best])
        )

    def _take_column(self, left: Floats, j: int) -> Floats:
        if left[j, j] <= self._floor[j]:
            return left
        return left - np.outer(left[:, j] / left[j, j], left[j])

    def _complete(self, kept: list[int], open_: list[int]) -> Indices:
        """Fill up with columns that add nothing when fewer than requested reproduce everything."""
        return np.array((kept + open_)[: self._size], dtype=np.intp)


def bound_branch(left: Floats, free: list[int], need: int) -> float:
    """Give what `need` of the free columns can add at most to what is explained."""
    lengths = np.sqrt(np.diagonal(left)[free])  # small columns count as much as large ones
    block = left[np.ix_(free, free)] / lengths / lengths[:, None]
    values, vectors = scipy.linalg.eigh(block, check_finite=False)
    nonzero = values > RANK_TOL * values[-1]
    spread = (vectors[:, nonzero] / np.sqrt(values[nonzero])).T @ (left[free] / lengths[:, None])
    most = scipy.linalg.eigvalsh(spread @ spread.T, check_finite=False)
    return float(most[-need:].sum())


# Branch and bound within limits: the set of columns that no other allowed set beats.
#
# A branch holds kept columns, which break no limit, and undecided candidates. What the candidates
# could add at most is bounded as without limits (`exact`): limits only make it less. So are the
# sets complete in which every group has as many columns as it must. A set may have fewer columns
# than the largest number, where limits such as a budget leave no room for more.
def best_within(
    gram: Gram,
    limits: Limits,
    path: Path,
    *,
    include: Sequence[int] = (),
    most: int | None = None,
) -> Path:
    """Find the best set of at most `most` columns, as many as `path` has by default.

    Examples
    --------
    Column 1 is the best, and forbidden.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.5], [0.0, 0.5, 1.0]]))
    >>> limits = Limits.of(3, forbid=[1])
    >>> best_within(gram, limits, Path(np.array([2]), np.array([0.4]))).indices
    array([0])
    """
    check_width(len(gram.diagonal()))
    size = max(len(path.kept), len(include), most or 0)
    start = swap_within(as_groups(gram), limits, path, include=include, most=most)
    search = _LimitedBranches(gram, limits, size, include)
    if limits.is_met(start.kept):
        search.note(start.kept, start.share * search.total)
    best = search.run()
    if best is None:
        return path
    return order_by_gain(gram, best, path.scores, include=include, optimal=True)


class _LimitedBranches:
    """The branches still to be searched, and the best set so far."""

    def __init__(self, gram: Gram, limits: Limits, size: int, include: Sequence[int]) -> None:
        matrix = gram.block(np.arange(len(gram.diagonal())))
        self._limits, self._size = limits, size
        self._floor = RANK_TOL * np.diagonal(matrix)
        self.total = float(np.trace(matrix))
        self._best: Indices | None = None
        self._value = -np.inf
        left, kept = matrix, [int(j) for j in include]
        for j in kept:
            left = self._take_column(left, j)
        others = np.setdiff1d(np.arange(len(matrix)), kept)
        self._stack = [(left, kept, others, self.total - float(np.trace(left)))]

    def run(self) -> Indices | None:
        """Search every branch that could hold a better set; None where no set is allowed."""
        for _ in track("branches searched", range(MOST_BRANCHES)):
            if not self._stack:
                return self._best
            self._look(*self._stack.pop())
        give_up()
        return None

    def note(self, kept: Indices, value: float) -> None:
        """Keep a set that is better than the best so far."""
        if value > self._value + TIE * self.total:
            self._best, self._value = np.asarray(kept, dtype=np.intp), value

    def _look(self, left: Floats, kept: list[int], others: Indices, value: float) -> None:
        taken = np.array(kept, dtype=np.intp)
        if kept and self._limits.is_met(taken):
            self.note(taken, value)
        open_ = others[self._limits.mark_next(taken, self._size)[others]]
        need = self._size - len(kept)
        if need <= 0 or not len(open_):
            return
        free = [int(j) for j in open_ if left[j, j] > self._floor[j]]
        more = bound_branch(left, free, min(need, len(free))) if free else 0.0
        if value + more <= self._value + TIE * self.total:
            return
        gains = np.zeros(len(open_))
        own = left[open_, open_]
        np.divide(
            np.square(left[:, open_]).sum(axis=0), own, out=gains, where=own > self._floor[open_]
        )
        best = int(np.argmax(gains))
        pick, rest = int(open_[best]), np.delete(open_, best)
        self._stack.append((left, kept, rest, value))
        self._stack.append(
            (self._take_column(left, pick), [*kept, pick], rest, value + float(gains[best]))
        )

    def _take_column(self, left: Floats, j: int) -> Floats:
        if left[j, j] <= self._floor[j]:
            return left
        return np.asarray(left - np.outer(left[:, j] / left[j, j], left[j]))
