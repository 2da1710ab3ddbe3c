"""Columns that the others reproduce exactly: which to drop, whatever basis a solver returns.

In a rank-deficient table every combination in the null space has error 0 and the textbook loop
depends on the basis that LAPACK happened to choose. The unit vector of the null space with the
largest single coefficient is `P e_j / sqrt(P_jj)` for the projector `P` on it, so the column with
the largest `P_jj`, the smallest leverage, is dropped first; then the next, until the rest is
independent.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg import solve_triangular

from tamis.algorithms.backward.removal_guard import RemovalGuard
from tamis.algorithms.path import Removals, no_removals, note_equation
from tamis.errors import TamisError
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Mask
from tamis.progress import track

_MIN_POOL_COLUMNS, _MAX_POOL_COLUMNS = 16, 256  # whose leverages are kept up to date
_MAX_NOTED_PRODUCTS = 10**9  # multiplications for the equations that are noted


def drop_dependent(
    V: Floats, fixed: Sequence[int] = (), guard: RemovalGuard | None = None
) -> Removals:
    """Drop d - r rows of an orthonormal d x r basis of the row space, the most dependent first.

    Of equal leverages the last is dropped, so that the first column is kept. Rows in `fixed` are
    not dropped, and a `guard` says more: what breaks a limit goes first, as far as it depends on
    the others. The equations of the first drops are noted, as many as are cheap.

    Examples
    --------
    Rows 0 and 1 are copies, row 2 stands alone.

    >>> V = np.array([[0.5**0.5, 0.0], [0.5**0.5, 0.0], [0.0, 1.0]])
    >>> drop_dependent(V).columns
    array([1])
    """
    d, r = V.shape
    own = RemovalGuard.of(d, fixed) if guard is None else guard
    state = _Leverages(V, no_removals(d - r))
    live = np.ones(d, dtype=bool)
    marked = np.zeros(d, dtype=bool)
    for _ in track("dependent columns dropped", range(d - r), d - r):
        wanted = own.mark_next(live)
        if not (state.is_settled and np.array_equal(wanted, marked)):
            state.refill(wanted)
        marked = wanted
        if own.limited and state.smallest > 1.0 - TIE:
            marked = own.mark_allowed(live)
            state.refill(marked)
        if state.smallest > 1.0 - TIE:
            raise TamisError(
                "The columns to include, or that a group must have, are linearly dependent: ask "
                "for fewer of them, or use a method that adds columns, such as sfs."
            )
        j = state.drop()
        live[j] = marked[j] = False
    state.flush()
    return state.found


class _Leverages:
    """Leverages of the rows of `V`, and a pool of the smallest, in which rows are dropped.

    With `B = (V_S'V_S)^-1` over the rows S that are left, dropping row v adds `uu' / (1 - v'Bv)`
    to B, with `u = Bv` (Sherman and Morrison), and `(w'u)^2 / (1 - v'Bv)` to the leverage of row w.
    Leverages only ever grow: while the smallest of the pool is below all those outside, it is the
    smallest of all. So the rows outside wait until some were dropped, and change by one product.
    """

    def __init__(self, V: Floats, found: Removals) -> None:
        self._V, self._names = V, np.arange(len(V))
        self._B, self.found = np.eye(V.shape[1]), found
        self._leverage = np.einsum("ij,ij->i", V, V)
        self._size, self._noted = _MAX_POOL_COLUMNS, _MAX_NOTED_PRODUCTS // max(V.size, 1)
        self._done = self._used = 0
        self.smallest, self._beyond = np.inf, -np.inf  # leverages, in the pool and outside

    @property
    def is_settled(self) -> bool:
        """Whether no row outside the pool can have a leverage as small as one in it."""
        return self.smallest * (1 + TIE) < self._beyond

    def refill(self, marked: Mask) -> None:
        """Fill the pool with the marked rows of smallest leverage, the last of equal ones first."""
        # A pool that served few steps was too large for its cost.
        factor = 2.0 if self._used > self._size // 8 else 0.5
        self._size = int(np.clip(factor * self._size, _MIN_POOL_COLUMNS, _MAX_POOL_COLUMNS))
        self.flush()
        known = np.where(marked[self._names], self._leverage, np.inf)
        size = min(self._size, len(known))
        near = np.argpartition(known, size - 1)[:size]
        last = np.flatnonzero(known <= known[near].min() * (1 + TIE))[-1]
        self._pool = np.sort(near if last in near else np.append(near[1:], last))
        self._true = known[self._pool]
        self.smallest = float(self._true.min())
        known[self._pool] = np.inf
        self._beyond = float(known.min())
        self._BV = self._V[self._pool] @ self._B
        self._K = self._BV @ self._V[self._pool].T
        self._C, self._left = np.empty((size, size)), np.empty(size)
        self._places = np.empty(size, dtype=np.intp)

    def drop(self) -> int:
        """Drop the row of smallest leverage, the last of equal ones; give its name."""
        s = self._used
        place = int(np.flatnonzero(self._true <= self.smallest * (1 + TIE))[-1])
        C, left = self._C[:s], self._left[:s]
        c = self._K[place] + (C[:, place] / left) @ C
        self._C[s], self._places[s], self._left[s] = c, place, 1.0 - self._true[place]
        self._true += c * c / self._left[s]
        self._true[place] = np.inf
        self.smallest = float(self._true.min())
        self._used += 1
        return int(self._names[self._pool[place]])

    def flush(self) -> None:
        """Bring all leverages up to date with the drops from the pool; note their equations."""
        s = self._used
        if not s:
            return
        places, left = self._places[:s], self._left[:s, None]
        gone = self._pool[places]
        # Each u = Bv with the B of its turn: Bv with that of before, and what the drops since add.
        since = np.tril((self._C[:s, places] / left).T, -1)
        U = solve_triangular(np.eye(s) - since, self._BV[places], lower=True, unit_diagonal=True)
        self._B += (U / left).T @ U
        seen = (U / left) @ self._V.T
        self._leverage += (left * np.square(seen)).sum(axis=0)
        # A drop has nothing to do with those before it.
        seen[:, gone] = np.triu(seen[:, gone], 1)
        self.found.columns[self._done : self._done + s] = self._names[gone]
        for step in range(self._done, min(self._done + s, self._noted)):
            note_equation(self.found, step, seen[step - self._done], self._names)
        self._V, self._names = np.delete(self._V, gone, axis=0), np.delete(self._names, gone)
        self._leverage = np.delete(self._leverage, gone)
        self._done, self._used = self._done + s, 0
