"""Branch and bound: the set of `k` columns that no other set of `k` columns beats.

A branch holds kept columns and undecided candidates. No choice of `q` more candidates can add more
than the `q` largest eigenvalues of the residual table, projected on the span of the candidates: a
branch whose ceiling is below the best set so far is cut.
"""

from collections.abc import Sequence

import numpy as np
import scipy.linalg

from tamis.algorithms.fixed_size import order_by_gain
from tamis.algorithms.path import Path
from tamis.algorithms.refine.exchange import exchange
from tamis.algorithms.residual import condition
from tamis.errors import TamisError, spell
from tamis.numerics.tolerances import RANK_TOL, TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.statistics.gram import Gram

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
