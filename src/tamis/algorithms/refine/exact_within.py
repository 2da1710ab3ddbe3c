"""Branch and bound within limits: the set of columns that no other allowed set beats.

A branch holds kept columns, which break no limit, and undecided candidates. What the candidates
could add at most is bounded as without limits (`exact`): limits only make it less. So are the sets
complete in which every group has as many columns as it must. A set may have fewer columns than the
largest number, where limits such as a budget leave no room for more.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.fixed_size import order_by_gain
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.algorithms.refine.exact import MOST_BRANCHES, bound_branch, check_width, give_up
from tamis.algorithms.refine.swap_within import swap_within
from tamis.numerics.tolerances import RANK_TOL, TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.statistics.gram import Gram
from tamis.statistics.grouped import as_groups


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
    """The branches still to be looked at, and the best set so far."""

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
