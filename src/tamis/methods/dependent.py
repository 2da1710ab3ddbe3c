"""Columns that the others reproduce exactly: which to drop, whatever basis a solver returns.

In a rank-deficient table every combination in the null space has error 0 and the textbook loop
depends on the basis that LAPACK happened to choose. The unit vector of the null space with the
largest single coefficient is `P e_j / sqrt(P_jj)` for the projector `P` on it, so the column with
the largest `P_jj`, the smallest leverage, goes first; then the next, until the rest is independent.
"""

import numpy as np

from tamis.methods.path import TIE, Floats, Indices
from tamis.progress import track

_HEAD = 24


def drop_dependent(V: Floats) -> Indices:
    """Give the d - r rows to drop from an orthonormal d x r basis of the row space, in order.

    Leverages only ever grow, so old ones are lower bounds: only the smallest are brought up to
    date at each step. Of equal ones the last goes, so that the first column stays.

    Examples
    --------
    Rows 0 and 1 are copies, row 2 stands alone.

    >>> V = np.array([[0.5**0.5, 0.0], [0.5**0.5, 0.0], [0.0, 1.0]])
    >>> drop_dependent(V)
    array([1])
    """
    d, r = V.shape
    bound = np.einsum("ij,ij->i", V, V)
    B = np.eye(r)
    dropped = np.zeros(d - r, dtype=np.intp)
    for step in track("dependent columns dropped", range(d - r), d - r):
        j = _smallest(V, B, bound)
        u = B @ V[j]
        # Sherman-Morrison: (V_S'V_S - vv')^-1 = B + (Bv)(Bv)' / (1 - v'Bv)
        B += np.outer(u / max(1.0 - bound[j], TIE), u)
        bound[j] = np.inf
        dropped[step] = j
    return dropped


def _smallest(V: Floats, B: Floats, bound: Floats) -> int:
    """Find the smallest true leverage, updating the lower bounds that come into question."""
    head = np.argpartition(bound, min(_HEAD, bound.size) - 1)[:_HEAD]
    _update(V, B, bound, head)
    # No column whose lower bound is above the best so far can be the smallest.
    rest = bound <= bound[head].min() * (1 + TIE)
    rest[head] = False
    _update(V, B, bound, np.flatnonzero(rest))
    return int(np.flatnonzero(bound <= bound.min() * (1 + TIE))[-1])


def _update(V: Floats, B: Floats, bound: Floats, columns: Indices) -> None:
    rows = V[columns]
    bound[columns] = np.maximum(np.einsum("ij,ij->i", rows @ B, rows), bound[columns])
