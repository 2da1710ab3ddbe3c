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
from tamis.algorithms.path import Removals, no_removals, note_equation
from tamis.numerics.ties import last_best
from tamis.numerics.tolerances import NEGLIGIBLE, TIE
from tamis.numerics.types import Floats
from tamis.progress import track

_PANEL_COLUMNS = 96
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
    state = _Equations(np.ascontiguousarray(W), values, own)
    count = len(values) - own.least
    found = no_removals(count)
    for step in track("columns removed", range(count), count):
        i, row = state.next_equation()
        j = last_best(np.where(state.next_ones, np.abs(row), -1.0))
        found.columns[step], found.errors[step] = state.names[j], state.errors[i]
        weights = np.where(state.open_columns, -row / row[j], 0.0)
        weights[j] = 0.0
        note_equation(found, step, weights, state.names)
        state.remove(i, j, row)
    return found


class _Equations:
    """`W - C'P` and `M - C'H - H'C`: matrices with the changes not yet applied."""

    def __init__(self, W: Floats, values: Floats, guard: RemovalGuard) -> None:
        n = len(values)
        self._guard, self._live = guard, np.ones(n, dtype=bool)
        self.errors = values.copy()
        self.names = np.arange(n)
        self.open_columns = np.ones(n, dtype=bool)
        self._mark()
        self._open_rows = np.ones(n, dtype=bool)
        self._W = W
        self._M = np.asfortranarray(np.diag(values))
        self._clear()

    def _clear(self) -> None:
        n = len(self.errors)
        self._C, self._H, self._P = (np.zeros((_PANEL_COLUMNS, n)) for _ in range(3))
        self._size = 0

    def next_equation(self) -> tuple[int, Floats]:
        """Find the equation of smallest error with a column that goes next, and its row.

        What may go only becomes less: an equation with nothing of it is closed. One with nothing of
        what goes next is passed over.
        """
        s, errors = self._size, self.errors.copy()
        while True:
            least = float(errors.min())
            i = int(np.argmax(errors <= least * (1 + TIE)))
            row = self._W[i] - self._C[:s, i] @ self._P[:s]
            floor = NEGLIGIBLE * np.abs(row[self.open_columns]).max()
            if np.abs(row[self.next_ones]).max() > floor:
                return i, row
            errors[i] = np.inf
            if not np.abs(row[self.may_go]).max() > floor:
                self._open_rows[i] = False
                self.errors[i] = np.inf

    def _mark(self) -> None:
        """Mark what may go, and what of it goes next."""
        self.may_go = self._guard.mark_allowed(self._live)[self.names]
        self.next_ones = self._guard.mark_next(self._live)[self.names]

    def remove(self, i: int, j: int, row: Floats) -> None:
        """Eliminate column `j` from all other equations by equation `i`, whose row is given."""
        s = self._size
        C, H = self._C[:s], self._H[:s]
        c = (self._W[:, j] - self._P[:s, j] @ C) / row[j]
        c[~self._open_rows] = 0.0
        c[i] = 0.0
        g = self._M_column(i) - H[:, i] @ C - C[:, i] @ H
        error = self.errors[i]
        h = g - 0.5 * error * c
        self.errors -= 2 * c * h
        np.maximum(self.errors, 0.0, out=self.errors)
        self.errors[i] = np.inf
        self._open_rows[i] = self.open_columns[j] = self._live[self.names[j]] = False
        self._mark()
        self.errors[~self._open_rows] = np.inf
        self._C[s], self._H[s], self._P[s] = c, h, row
        self._size += 1
        if self._size == _PANEL_COLUMNS:
            self._flush()

    def _M_column(self, i: int) -> Floats:
        """Read column `i` of a symmetric matrix kept in its upper triangle."""
        return np.concatenate([self._M[:i, i], self._M[i, i:]])

    def _flush(self) -> None:
        """Apply the collected changes in place; drop removed columns once they are a fifth."""
        self._W = dgemm(-1.0, self._P.T, self._C.T, 1.0, self._W.T, trans_b=1, overwrite_c=1).T
        self._M = dsyr2k(-1.0, self._C.T, self._H.T, 1.0, self._M, overwrite_c=1)
        if self._open_rows.sum() <= _SHRINK * len(self.errors):
            rows, columns = np.flatnonzero(self._open_rows), np.flatnonzero(self.open_columns)
            self._W = np.ascontiguousarray(self._W[rows][:, columns])
            self._M = np.asfortranarray(self._M[:, rows][rows])
            self.errors, self.names = self.errors[rows], self.names[columns]
            self._mark()
            self._open_rows = np.ones(len(rows), dtype=bool)
            self.open_columns = np.ones(len(columns), dtype=bool)
        self._clear()
