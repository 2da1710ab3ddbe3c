"""The backward loop on equations: remove the column that the rest expresses best, repeat.

Each equation is a row of `W` (coefficients of the live columns) with an error; the errors are known
by their Gram matrix `M` alone. Removing column j by equation i subtracts a multiple of row i from
every other: a rank-one change of `W` and a rank-two change of `M`. The changes are collected in
panels and applied as matrix products.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg.blas import dgemm, dsyr2k

from tamis.methods.path import TIE, Floats, Indices
from tamis.progress import track

FEW = 8
_PANEL = 96
_SHRINK = 0.8


@dataclass(frozen=True)
class Removals:
    """Columns in the order they went, each with the equation that removed it.

    `errors` is the squared error of the equation; `places` and `weights` hold its largest
    coefficients, solved for the removed column (-1 and 0 where there are fewer).
    """

    columns: Indices
    errors: Floats
    places: Indices
    weights: Floats


def last_best(score: Floats) -> int:
    """Give the last position whose score is within 1e-9 (relative) of the largest.

    What is removed is chosen so: of equal columns the first one stays.
    """
    best = float(score.max())
    return int(np.flatnonzero(score >= best - TIE * abs(best))[-1])


def eliminate(W: Floats, values: Floats) -> Removals:
    """Remove all columns but one, each by the equation of smallest error at its turn.

    `W` holds one equation a row, of squared error `values`, without correlation between the
    errors; it is overwritten.

    Examples
    --------
    The equation `a + b - 1.4 c = 0` has no error; its largest coefficient removes column 2.

    >>> W = np.array([[1.0, 1.0, -1.4], [1.0, -1.0, 0.0], [0.7, 0.7, 1.0]])
    >>> eliminate(W, np.array([0.0, 1.0, 2.0])).columns
    array([2, 1])
    """
    state = _Equations(np.ascontiguousarray(W), values)
    count = len(values) - 1
    columns, errors = np.zeros(count, dtype=np.intp), np.zeros(count)
    places, weights = np.full((count, FEW), -1, dtype=np.intp), np.zeros((count, FEW))
    for step in track("columns removed", range(count), count):
        i = int(np.argmin(state.errors * (1 + TIE)))
        errors[step] = state.errors[i]
        row = state.row(i)
        j = last_best(np.where(state.open_columns, np.abs(row), -1.0))
        columns[step] = state.names[j]
        largest = _largest(np.where(state.open_columns, row, 0.0) / -row[j], j)
        places[step, : largest.size] = state.names[largest]
        weights[step, : largest.size] = -row[largest] / row[j]
        state.remove(i, j, row)
    return Removals(columns, errors, places, weights)


def _largest(row: Floats, j: int) -> Indices:
    size = np.abs(row)
    size[j] = 0.0
    few = min(FEW, size.size)
    top = np.argpartition(-size, few - 1)[:few]
    top = top[np.argsort(-size[top], kind="stable")]
    return top[size[top] > 0]


class _Equations:
    """`W - C'P` and `M - C'H - H'C`: matrices with the changes not yet applied."""

    def __init__(self, W: Floats, values: Floats) -> None:
        n = len(values)
        self.errors = values.copy()
        self.names = np.arange(n)
        self.open_columns = np.ones(n, dtype=bool)
        self._open_rows = np.ones(n, dtype=bool)
        self._W = W
        self._M = np.asfortranarray(np.diag(values))
        self._clear()

    def _clear(self) -> None:
        n = len(self.errors)
        self._C, self._H, self._P = (np.zeros((_PANEL, n)) for _ in range(3))
        self._size = 0

    def row(self, i: int) -> Floats:
        """Give the coefficients of equation `i` as they are now."""
        s = self._size
        return self._W[i] - self._C[:s, i] @ self._P[:s]

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
        self._open_rows[i] = self.open_columns[j] = False
        self.errors[~self._open_rows] = np.inf
        self._C[s], self._H[s], self._P[s] = c, h, row
        self._size += 1
        if self._size == _PANEL:
            self._flush()

    def _M_column(self, i: int) -> Floats:
        """Read column `i` of a symmetric matrix kept in its upper triangle."""
        return np.concatenate([self._M[:i, i], self._M[i, i:]])

    def _flush(self) -> None:
        """Apply the collected changes in place; leave out what is dead when it is a fifth."""
        dgemm(-1.0, self._P.T, self._C.T, 1.0, self._W.T, trans_b=1, overwrite_c=1)
        dsyr2k(-1.0, self._C.T, self._H.T, 1.0, self._M, overwrite_c=1)
        if self._open_rows.sum() <= _SHRINK * len(self.errors):
            rows, columns = np.flatnonzero(self._open_rows), np.flatnonzero(self.open_columns)
            self._W = self._W[rows][:, columns]
            self._M = np.asfortranarray(self._M[:, rows][rows])
            self.errors, self.names = self.errors[rows], self.names[columns]
            self._open_rows = np.ones(len(rows), dtype=bool)
            self.open_columns = self._open_rows.copy()
        self._clear()
