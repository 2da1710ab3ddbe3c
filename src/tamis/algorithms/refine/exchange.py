"""Swap kept columns for others until no single swap lowers the reconstruction error."""

from collections.abc import Sequence

import numpy as np
import scipy.linalg

from tamis.algorithms.column_pairs import order_by_gain
from tamis.algorithms.greedy import search
from tamis.algorithms.path import NO_GOAL, Path
from tamis.algorithms.residual import Residual, condition
from tamis.numerics.rank import bound_rounding
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import RANK_TOL, TIE
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram

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
    adding = residual.taken.tolist()
    start = Residual(gram, size)
    return search(
        start, size, lambda residual, _: residual.gains(), retain=NO_GOAL, include=adding
    ).indices


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
