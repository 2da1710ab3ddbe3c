"""Columns that the others reproduce exactly: which to drop, whatever basis a solver returns.

In a rank-deficient table every combination in the null space has error 0 and the textbook loop
depends on the basis that LAPACK happened to choose. The unit vector of the null space with the
largest single coefficient is `P e_j / sqrt(P_jj)` for the projector `P` on it, so the column with
the largest `P_jj`, the smallest leverage, is dropped first; then the next, until the rest is
independent.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.backward.removal_guard import RemovalGuard
from tamis.algorithms.greedy import Mask
from tamis.algorithms.path import Removals, no_removals, note_equation
from tamis.errors import TamisError
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track

_N_CANDIDATES = 16
_NOTED = 10**9


def drop_dependent(
    V: Floats, fixed: Sequence[int] = (), guard: RemovalGuard | None = None
) -> Removals:
    """Drop d - r rows of an orthonormal d x r basis of the row space, the most dependent first.

    Leverages only ever grow, so old ones are lower bounds: only the smallest are brought up to
    date at each step. Of equal ones the last is dropped, so that the first column is kept. Rows in
    `fixed` are not dropped, and a `guard` says more: what breaks a limit goes first, as far as it
    depends on the others. The equations of the first drops are noted, as many as are cheap.

    Examples
    --------
    Rows 0 and 1 are copies, row 2 stands alone.

    >>> V = np.array([[0.5**0.5, 0.0], [0.5**0.5, 0.0], [0.0, 1.0]])
    >>> drop_dependent(V).columns
    array([1])
    """
    d, r = V.shape
    bound = np.einsum("ij,ij->i", V, V)
    own = RemovalGuard.of(d, fixed) if guard is None else guard
    B = np.eye(r)
    found = no_removals(d - r)
    noted = _NOTED // max(d * r, 1)
    dropped = np.zeros(d, dtype=bool)
    for step in track("dependent columns dropped", range(d - r), d - r):
        j = _next_dependent(V, B, bound, own, ~dropped)
        if bound[j] > 1.0 - TIE:
            raise TamisError(
                "The columns to include, or that a group must have, are linearly dependent: ask "
                "for fewer of them, or use a method that adds columns, such as sfs."
            )
        # Sherman-Morrison: (V_S'V_S - vv')^-1 = B + (Bv)(Bv)' / (1 - v'Bv)
        u = B @ V[j]
        left = 1.0 - bound[j]
        B += np.outer(u / left, u)
        bound[j], dropped[j], found.columns[step] = np.inf, True, j
        if step < noted:
            note_equation(found, step, np.where(dropped, 0.0, V @ (u / left)))
    return found


def _next_dependent(V: Floats, B: Floats, bound: Floats, guard: RemovalGuard, live: Mask) -> int:
    """Find the most dependent of the columns to be removed next, or of all that may be."""
    allowed = guard.mark_allowed(live)
    first = guard.mark_next(live) if guard.limited else allowed
    for marked in (first, allowed):
        known = np.where(marked, bound, np.inf)
        j = _smallest(V, B, known)
        bound[marked] = known[marked]
        if bound[j] <= 1.0 - TIE:
            break
    return j


def _smallest(V: Floats, B: Floats, bound: Floats) -> int:
    """Find the smallest true leverage, updating the lower bounds that come into question."""
    head = np.argpartition(bound, min(_N_CANDIDATES, bound.size) - 1)[:_N_CANDIDATES]
    _update(V, B, bound, head)
    # No column whose lower bound is above the best so far can be the smallest.
    rest = bound <= bound[head].min() * (1 + TIE)
    rest[head] = False
    _update(V, B, bound, np.flatnonzero(rest))
    return int(np.flatnonzero(bound <= bound.min() * (1 + TIE))[-1])


def _update(V: Floats, B: Floats, bound: Floats, columns: Indices) -> None:
    rows = V[columns]
    bound[columns] = np.maximum(np.einsum("ij,ij->i", rows @ B, rows), bound[columns])
