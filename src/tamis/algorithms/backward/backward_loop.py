"""The backward loop on linear equations: remove the column that the others predict best, repeat.

Each equation is a row of `W` (coefficients of the remaining columns) with an error; the errors are
known by their Gram matrix `M` alone. Removing column j by equation i subtracts a multiple of row i
from every other: a rank-one change of `W` and a rank-two change of `M`. The changes are collected
in panels and applied as matrix products.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg.blas import dgemm, dsyr2k

from tamis.algorithms.backward.removal_guard import RemovalGuard
from tamis.algorithms.path import Removals, no_removals, note_equations
from tamis.numerics.ties import last_best
from tamis.numerics.tolerances import NEGLIGIBLE, TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track

_PANEL_COLUMNS = 48
_SHRINK = 0.8


def eliminate(
    W: Floats, values: Floats, fixed: Sequence[int] = (), guard: RemovalGuard | None = None
) -> Removals:
    """Remove columns, each by the equation of smallest error at its turn, while any may be removed.

    `W` holds one equation a row, of squared error `values`, with uncorrelated errors; it is
    overwritten. The last column is kept, and so are those in `fixed`; a `guard` says more.

    Examples
    --------
    The equation `a + b - 1.4 c = 0` has no error; its largest coefficient removes column 2.

    >>> W = np.array([[1.0, 1.0, -1.4], [1.0, -1.0, 0.0], [0.7, 0.7, 1.0]])
    >>> eliminate(W, np.array([0.0, 1.0, 2.0])).columns
    array([2, 1])
    """
    own = RemovalGuard.of(len(values), fixed) if guard is None else guard
    count = len(values) - own.least
    state = _Equations(np.ascontiguousarray(W), values, own, no_removals(count))
    for step in track("columns removed", range(count), count):
        i, j, row = state.find_next()
        state.found.errors[step] = state.errors[i]
        state.remove(i, j, row)
    state.note()
    return state.found


class _Equations:
    """`W - C'P` and `M - C'H - H'C`: matrices with the changes not yet applied.

    Masks are numbers, 1 for what is open, as a product takes less time than a choice.
    """

    def __init__(self, W: Floats, values: Floats, guard: RemovalGuard, found: Removals) -> None:
        n = len(values)
        self._guard, self._live = guard, np.ones(n, dtype=bool)
        self._guards = guard.limited or len(guard.fixed) > 0  # or any open column goes next
        self.errors, self.found, self._done = values.copy(), found, 0
        self._W = W
        self._M = np.asfortranarray(np.diag(values))
        self._restart(np.arange(n))

    def _restart(self, names: Indices) -> None:
        """Begin anew with these columns, all of them open, and as many equations."""
        n = len(names)
        self._names, self._open_columns, self._open_rows = names, np.ones(n), np.ones(n)
        # Changes c and h stand in turn, so that one product adds up both.
        self._CH, self._P = np.empty((2 * _PANEL_COLUMNS, n)), np.empty((_PANEL_COLUMNS, n))
        self._places, self._size = np.empty(_PANEL_COLUMNS, dtype=np.intp), 0
        self._mark()

    def find_next(self) -> tuple[int, int, Floats]:
        """Find the equation of smallest error with a column that goes next, the column, its row.

        Ever fewer columns may be removed: an equation with none of them is closed. One with none
        that is removed next is passed over.
        """
        s, errors = self._size, self.errors
        while True:
            least = float(errors.min())
            i = int(np.argmax(errors <= least * (1 + TIE)))
            row = self._W[i] - self._CH[: 2 * s : 2, i] @ self._P[:s]
            row *= self._open_columns
            size = np.abs(row)
            if not self._guards:
                return i, last_best(size), row
            floor, goes = NEGLIGIBLE * size.max(), size * self._next_ones
            if goes.max() > floor:
                return i, last_best(goes), row
            errors = errors.copy() if errors is self.errors else errors
            errors[i] = np.inf
            if not (size * self._may_go).max() > floor:
                self._open_rows[i], self.errors[i] = 0.0, np.inf

    def _mark(self) -> None:
        """Mark the columns that may be removed, and those of which one is removed next."""
        if self._guards:
            self._may_go = self._guard.mark_allowed(self._live)[self._names].astype(float)
            self._next_ones = self._guard.mark_next(self._live)[self._names].astype(float)

    def remove(self, i: int, j: int, row: Floats) -> None:
        """Eliminate column `j` from all other equations by equation `i`, whose row is given."""
        s, known = self._size, self._CH[: 2 * self._size]
        c = self._W[:, j] - self._P[:s, j] @ known[::2]
        c *= self._open_rows / row[j]
        c[i] = 0.0
        h = self._M_column(i) - known[:, i].reshape(s, 2)[:, ::-1].ravel() @ known
        h -= 0.5 * self.errors[i] * c
        self.errors -= 2 * c * h
        np.maximum(self.errors, 0.0, out=self.errors)
        self.errors[i] = np.inf
        self._open_rows[i] = self._open_columns[j] = 0.0
        self._live[self._names[j]] = False
        self._mark()
        self._CH[2 * s], self._CH[2 * s + 1], self._P[s], self._places[s] = c, h, row, j
        self._size += 1
        if self._size == _PANEL_COLUMNS:
            self._flush()

    def _M_column(self, i: int) -> Floats:
        """Read column `i` of a symmetric matrix kept in its upper triangle."""
        return np.concatenate([self._M[:i, i], self._M[i, i:]])

    def note(self) -> None:
        """Note which columns were removed since the last flush, and by what equations."""
        s, places = self._size, self._places[: self._size]
        steps = slice(self._done, self._done + s)
        weights = -self._P[:s] / self._P[np.arange(s), places][:, None]
        weights[np.arange(s), places] = 0.0
        self.found.columns[steps] = self._names[places]
        note_equations(self.found, steps, weights, self._names)
        self._done += s

    def _flush(self) -> None:
        """Apply the collected changes in place; drop removed columns once they are a fifth."""
        self.note()
        C, H = (np.ascontiguousarray(self._CH[first::2]) for first in (0, 1))
        self._W = dgemm(-1.0, self._P.T, C.T, 1.0, self._W.T, trans_b=1, overwrite_c=1).T
        self._M = dsyr2k(-1.0, C.T, H.T, 1.0, self._M, overwrite_c=1)
        self._size = 0
        if self._open_rows.sum() > _SHRINK * len(self.errors):
            return
        rows, columns = np.flatnonzero(self._open_rows), np.flatnonzero(self._open_columns)
        self._W = self._W.take(rows, axis=0).take(columns, axis=1)
        self._M = self._M.T.take(rows, axis=0).take(rows, axis=1).T
        self.errors = self.errors[rows]
        self._restart(self._names[columns])
