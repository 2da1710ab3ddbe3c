"""Swap kept columns for others until no single swap explains more.

Columns without limits, of equal importance, are swapped by a closed form (`exchange`). All others,
groups of columns among them, one after the other: what the others leave says what each could add.

Within limits there is more than one start where there are prices, and sets are filled up. The
greedy search takes what explains most for its price, which may spend a budget on many cheap
columns. So a second search takes what explains most, whatever it costs, within the same budget.
Both are improved by swaps and filled up with what the limits still allow, in turn, until nothing
changes; the better one is the answer, which is never below the given path.

Of representatives all swaps are valued at once (`swap_representatives`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import scipy.linalg

from tamis.algorithms.greedy import by_gain, search
from tamis.algorithms.information.representatives import take_among
from tamis.algorithms.limits import Limits, Units, no_limits
from tamis.algorithms.orders import order_by_gain
from tamis.algorithms.path import NO_GOAL, Goal, Path
from tamis.algorithms.residual import Residual, condition
from tamis.numerics.rank import bound_rounding
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices, Mask
from tamis.rules.tolerances import NEGLIGIBLE, RANK_TOL, TIE
from tamis.statistics.gram import Gram
from tamis.statistics.shared_information import Information
from tamis.statistics.summary import Summary

_MAX_PASSES = 100
_MIN_LEFT_TO_SWAP = 1e-6  # of a column is left, as of all before it: far above rounding


def exchange(gram: Gram, path: Path, *, include: Sequence[int] = ()) -> Path:
    """Improve a set of columns by swaps; the columns in `include` stay.

    Examples
    --------
    Column 1 alone reproduces more than column 0 does.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.5], [0.0, 0.5, 1.0]]))
    >>> exchange(gram, Path(np.array([0]), np.array([0.4]))).indices
    array([1])
    """
    forced = split_dependent(gram, np.asarray(include, dtype=np.intp))[0]
    others = path.kept[np.isin(path.kept, include, invert=True)]
    filled, fixed = _fill_up(gram, forced, others), set(forced.tolist())
    kept = split_dependent(gram, filled)[0]
    spare = np.setdiff1d([*include, *filled], kept)
    for _ in range(_MAX_PASSES):
        before, state = kept, KeptSet.afresh(gram, kept)
        for j in state.cheapest_first():
            state = state if j in fixed else state.improve_at(j)
        kept = state.columns
        if np.array_equal(kept, before):
            break
    return order_by_gain(gram, np.concatenate([kept, spare]), path.scores, include=include)


def split_dependent(gram: Gram, columns: Indices) -> tuple[Indices, Indices]:
    """Separate columns that span all of these from the others, which they reproduce.

    The one of which most is left comes next: of columns that depend on each other those that are
    the least alike. They are kept in any case, so that all that is above rounding counts.
    """
    residual = Residual(gram, len(columns))
    rest = np.ones(len(columns), dtype=bool)
    while rest.any():
        own = residual.left[columns] / residual.start[columns]
        pick = first_best(np.where(rest, own, -1.0))
        if not _above_rounding(residual, columns[pick]):
            break
        residual.take(int(columns[pick]))
        rest[pick] = False
    return columns[~rest], columns[rest]


def _above_rounding(residual: Residual, j: int) -> bool:
    """Check that more is left of a column than the rounding error of finding it."""
    left, W, taken = residual.left[j], residual.W, residual.taken
    if not residual.size or left > _MIN_LEFT_TO_SWAP * residual.start[j]:
        return bool(left > 0)
    lengths = np.sqrt(residual.start)
    coefficients = scipy.linalg.solve_triangular(W[:, taken], W[:, j], check_finite=False)
    return bool(left > bound_rounding(lengths[j], lengths[taken], coefficients))


def _fill_up(gram: Gram, forced: Indices, others: Indices) -> Indices:
    """Replace columns that the ones before them reproduce by the best other ones."""
    size = len(forced) + len(others)
    residual = Residual(gram, size)
    for j in [*forced, *others]:
        if j in forced or residual.free[j]:
            residual.take(int(j))
    goal = Goal(retain=NO_GOAL, include=residual.taken.tolist())
    return search(Residual(gram, size), size, by_gain, **goal).indices


class KeptSet:
    """Regression of all columns on the kept ones: `rows = G[kept]`, `weights = G_kk^-1 rows`."""

    def __init__(self, gram: Gram, columns: Indices, rows: Floats, norms: Floats) -> None:
        self._gram, self.columns, self._rows, self._norms = gram, columns, rows, norms
        self._start = gram.diagonal()
        factor = scipy.linalg.cho_factor(rows[:, columns])
        self._weights = scipy.linalg.cho_solve(factor, rows)
        self._inverse = scipy.linalg.cho_solve(factor, np.eye(len(columns)))
        left = self._start - np.einsum("ij,ij->j", rows, self._weights)
        self._left = np.maximum(left, 0.0)
        self._left[columns] = 0.0
        lengths = np.sqrt(self._start)
        self.error = float(self._left.sum())
        self._noise = bound_rounding(lengths, lengths[columns], self._weights)
        self.noise = float(self._noise.sum())

    @classmethod
    def afresh(cls, gram: Gram, columns: Indices) -> "KeptSet":
        """Read the rows of the kept columns and find the squared column norms of the residual."""
        rows = np.array([gram.column(int(j)) for j in columns])
        return cls(gram, columns, rows, gram.residual_norms(columns, condition(gram, columns).W))

    def cheapest_first(self) -> list[int]:
        """Give the kept columns, the one whose loss costs least first."""
        losses = np.square(self._weights).sum(axis=1) / np.diagonal(self._inverse)
        return [int(j) for j in self.columns[np.argsort(losses, kind="stable")]]

    def without(self, position: int) -> tuple[Floats, Floats, Floats]:
        """Give what the residual gains when a kept column is dropped, and then has left.

        The gain is `bb'`; of the residual these are the diagonal and the squared column norms.
        """
        b = self._weights[position] / np.sqrt(self._inverse[position, position])
        return b, self._left + b * b, self._norms + b * (2 * self._dot(b) + (b @ b) * b)

    def is_part_of(self, position: int, columns: Indices) -> bool:
        """Whether some of these columns, which the kept ones reproduce, need a kept one for it.

        Together with the others they reproduce it, too.
        """
        b = self.without(position)[0][columns]
        return bool((b * b > self._noise[columns]).any())

    def gains(self, left: Floats, norms: Floats) -> Floats:
        """Give what each column takes of such a residual: 0 where only rounding is left of it."""
        free = left > np.maximum(RANK_TOL * self._start, self._noise)
        return np.divide(norms, left, out=np.zeros_like(left), where=free)

    def additions(self) -> Floats:
        """Give what each column would take of what the kept ones leave."""
        return self.gains(self._left, self._norms)

    def improve_at(self, column: int) -> "KeptSet":
        """Swap one kept column for the best other if that lowers the error."""
        position = int(np.flatnonzero(self.columns == column)[0])
        b, left, norms = self.without(position)
        gain = self.gains(left, norms)
        gain[self.columns] = -np.inf
        best = first_best(gain)
        if not gain[best] > (b @ b) * (1 + TIE):
            return self
        row = self._gram.column(best)
        w = row - self._weights.T @ self._rows[:, best] + b[best] * b
        w /= np.sqrt(left[best])
        residual_w = self._dot(w) + (b @ w) * b
        columns, rows = self.columns.copy(), self._rows.copy()
        columns[position], rows[position] = best, row
        norms = norms + w * ((w @ w) * w - 2 * residual_w)
        try:
            other = KeptSet(self._gram, columns, rows, norms)
        except np.linalg.LinAlgError:  # the new set is dependent, up to rounding
            return self
        # Predicted gains are rounding where columns are nearly dependent: look at the error itself.
        return other if other.error + other.noise < self.error else self

    def _dot(self, v: Floats) -> Floats:
        return self._gram.dot(v) - (self._rows @ v) @ self._weights


_MAX_ROUNDS = 20  # of swaps, and of filling up


def swap_columns(
    statistic: Summary,
    path: Path,
    limits: Limits | None = None,
    *,
    include: Sequence[int] = (),
    most: int | None = None,
) -> Path:
    """Improve a set of columns; those in `include` stay.

    Within limits there may be up to `most`, as many as before by default.

    Examples
    --------
    Column 1 alone explains more than column 0 does. Of the second table, three cheap columns cost
    as much as the first one, which explains more than all of them.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.summary import as_summary
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.5], [0.0, 0.5, 1.0]]))
    >>> swap_columns(as_summary(gram), Path(np.array([0]), np.array([0.4]))).indices
    array([1])
    >>> gram = as_summary(DenseGram(np.diag([9.0, 1.0, 1.0, 1.0])))
    >>> cheap = Path(np.array([1, 2, 3]), np.array([1.0, 2.0, 3.0]) / 12)
    >>> swap_columns(gram, cheap, Limits.of(4, costs={0: 3.0}, budget=3.0)).indices
    array([0])
    """
    if limits is None and statistic.groups.single and path.importance is None:
        return exchange(statistic.gram, path, include=include)
    within = limits or no_limits(len(statistic.groups.sizes))
    size = max(len(path.kept), most or 0)
    starts = [path]
    if np.isfinite(within.budget) and within.priced:
        starts.append(_take_dear(statistic, within, path, include, size))
    found = [_settle_swaps(statistic, within, start, include, size, most) for start in starts]
    met = [path for path in found[1:] if within.is_met(path.kept)]
    return max([found[0], *met], key=lambda path: path.share)


def swap_units(
    statistic: Summary,
    path: Path,
    limits: Limits,
    *,
    include: Sequence[int] = (),
    most: int | None = None,
) -> Path:
    """Improve a set of groups that are taken whole; there may be up to `most` of them.

    Examples
    --------
    Columns 1 and 2 are a group, and explain more than column 0 does.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.summary import as_summary
    >>> gram = as_summary(DenseGram(np.diag([3.0, 2.0, 2.0])))
    >>> limits = Limits.of(3, groups={"A": [1, 2]})
    >>> swap_units(gram, Path(np.array([0]), np.array([3 / 7])), limits).indices
    array([1, 2])
    """
    units = Units.of(limits)
    kept = np.array(units.list_units(path.kept.tolist()), dtype=np.intp)
    # What is explained after each unit is not needed, but that after all of them.
    start = Path(kept, np.full(len(kept), path.share), np.zeros(len(units.members)))
    merged, weights = units.merge(statistic, path.importance)
    start, must = replace(start, importance=weights), units.list_units(include)
    found = swap_columns(merged, start, units.limit(), include=must, most=most)
    if set(found.kept.tolist()) == set(kept.tolist()):
        return path
    spread = units.spread(found, statistic, path.importance)
    return replace(spread, scores=path.scores, nested=False, stopped=path.stopped)


def _settle_swaps(
    statistic: Summary,
    limits: Limits,
    path: Path,
    include: Sequence[int],
    size: int,
    most: int | None,
) -> Path:
    """Swap and fill up in turn, until nothing changes."""
    for _ in range(_MAX_ROUNDS):
        before = path
        path = _swap_each(statistic, limits, path, include)
        if most is None or len(path.kept) >= size:
            break
        more = _take_dear(statistic, limits, path, path.kept.tolist(), size)
        if more.share <= path.share + NEGLIGIBLE and path is before:
            break
        path = more
    return path


def _swap_each(statistic: Summary, limits: Limits, path: Path, include: Sequence[int]) -> Path:
    """Swap one kept group after the other, until no swap helps."""
    kept, share = path.kept.copy(), path.share
    for _ in range(_MAX_PASSES):
        before = kept.copy()
        for place in range(len(kept)):
            if int(kept[place]) in set(include):
                continue
            others = np.delete(kept, place)
            residual = condition(statistic, others, importance=path.importance)
            gains = residual.gains()
            gains[~limits.mark_swaps(others)] = -np.inf
            gains[kept] = -np.inf
            best = first_best(gains)
            found = (residual.retained[-1] if residual.size else 0.0) + gains[best]
            if found > share + NEGLIGIBLE:
                kept[place], share = best, found
        if np.array_equal(kept, before):
            break
    if set(kept.tolist()) == set(path.kept.tolist()):
        return path
    shares = condition(statistic, kept, importance=path.importance).retained.copy()
    return replace(path, indices=kept, retained=shares, nested=False)


def _take_dear(
    statistic: Summary, limits: Limits, path: Path, include: Sequence[int], size: int
) -> Path:
    """Take what explains most, whatever it costs, behind the columns to include."""
    most = max(size, len(include))

    def gain(state: Residual, _: Mask) -> Floats:
        return state.gains() * limits.price  # which the search divides by

    state = Residual(statistic, most, importance=path.importance)
    found = search(state, most, gain, limits, retain=NO_GOAL, include=include)
    return replace(path, indices=found.indices, retained=found.retained, nested=False, size=None)


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
        gain, place, column = 0.0, 0, 0
        for columns, gains in swap_gains(M, kept):
            gains[:, fixed] = -np.inf
            if barred is not None:
                gains[barred[columns]] = -np.inf
            at = first_best(gains.ravel())
            if gains.flat[at] > gain * (1.0 + TIE):
                gain, place = float(gains.flat[at]), at % len(kept)
                column = int(columns[at // len(kept)])
        if gain <= NEGLIGIBLE * len(M):
            break
        kept[place] = column
    if set(kept.tolist()) == set(path.kept.tolist()):
        return path
    found = take_among(information, kept, len(kept), retain=np.inf, include=include)
    return replace(found, scores=path.scores, nested=False)


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
