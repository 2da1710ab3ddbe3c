"""Swap kept columns for others until no single swap lowers the reconstruction error."""

from collections.abc import Sequence

import numpy as np
import scipy.linalg

from tamis.methods.fixed_size import ordered
from tamis.methods.forward import take_forward
from tamis.methods.path import Floats, Indices, Path, first_best
from tamis.methods.residual import condition
from tamis.methods.sfs import error_drop
from tamis.statistics.eigen import RANK_TOL
from tamis.statistics.gram import Gram

_GAIN = 1e-9


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
    kept = _filled(gram, path.kept)
    fixed = {int(j) for j in include}
    swapped = len(kept) > 0
    while swapped:
        state = _Exchange(gram, kept)
        swaps = [state.improve(j) for j in state.cheapest_first() if j not in fixed]
        swapped = any(swaps)
        kept = state.kept
    return ordered(gram, kept, path.scores)


def _filled(gram: Gram, columns: Indices) -> Indices:
    """Replace columns that the ones before them reproduce by the best others."""
    sound = columns[condition(gram, columns).W.any(axis=1)]
    path = take_forward(gram, len(columns), error_drop, include=sound.tolist())
    return path.indices


class _Exchange:
    """Regression of all columns on the kept ones: `rows = G[kept]`, `weights = G_kk^-1 rows`."""

    def __init__(self, gram: Gram, kept: Indices) -> None:
        self._gram = gram
        self._start = gram.diagonal()
        self._norms = gram.residual_norms(kept, condition(gram, kept).W)
        self._set(kept.copy(), np.array([gram.column(int(j)) for j in kept]))

    def _set(self, kept: Indices, rows: Floats) -> None:
        self.kept, self._rows = kept, rows
        factor = scipy.linalg.cho_factor(rows[:, kept])
        self._weights = scipy.linalg.cho_solve(factor, rows)
        self._inverse = scipy.linalg.cho_solve(factor, np.eye(len(kept)))
        left = self._start - np.einsum("ij,ij->j", rows, self._weights)
        self._left = np.maximum(left, 0.0)

    def cheapest_first(self) -> list[int]:
        """Give the kept columns, the one whose loss costs least first."""
        losses = np.square(self._weights).sum(axis=1) / np.diagonal(self._inverse)
        return [int(j) for j in self.kept[np.argsort(losses, kind="stable")]]

    def improve(self, column: int) -> bool:
        """Swap one kept column for the best other if that lowers the error."""
        place = int(np.flatnonzero(self.kept == column)[0])
        # Dropping a column adds bb' to the residual.
        b = self._weights[place] / np.sqrt(self._inverse[place, place])
        norms = self._norms + b * (2 * self._dot(b) + (b @ b) * b)
        left = self._left + b * b
        others = np.delete(self.kept, place)
        free = left > RANK_TOL * self._start
        free[others] = False
        gain = np.divide(norms, left, out=np.full_like(left, -np.inf), where=free)
        best = first_best(gain)
        if not gain[best] > (b @ b) * (1 + _GAIN):
            return False
        self._swap(place, best, b, norms, left)
        return True

    def _swap(self, place: int, best: int, b: Floats, norms: Floats, left: Floats) -> None:
        column = self._gram.column(best)
        w = column - self._weights.T @ self._rows[:, best] + b[best] * b
        w /= np.sqrt(left[best])
        residual_w = self._dot(w) + (b @ w) * b
        self._norms = norms + w * ((w @ w) * w - 2 * residual_w)
        kept, rows = self.kept.copy(), self._rows.copy()
        kept[place], rows[place] = best, column
        self._set(kept, rows)

    def _dot(self, v: Floats) -> Floats:
        return self._gram.dot(v) - (self._rows @ v) @ self._weights
