"""What backward methods share: dropping exact dependencies, ranking, where to stop."""

import numpy as np
import scipy.linalg
from scipy.linalg import solve_triangular
from scipy.linalg.blas import dgemm, dsyr2k

from tamis.algorithms.limits import Limits
from tamis.algorithms.orders import measure_order
from tamis.algorithms.path import (
    REPRODUCED,
    Path,
    Removals,
    best_first,
    count_enough,
    no_removals,
    note_equation,
    note_equations,
)
from tamis.algorithms.residual import condition
from tamis.errors import TamisError
from tamis.numerics.ties import last_best
from tamis.numerics.types import Floats, Indices, Mask
from tamis.progress import track
from tamis.rules.tolerances import NEGLIGIBLE, TIE
from tamis.statistics.gram import Gram
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class Independent:
    """A table without its linearly dependent columns.

    `values` are the non-zero eigenvalues of the full table, smallest first, and `V` their
    eigenvectors (as columns), restricted to the columns that are left.
    """

    removed: Removals
    left: Indices
    values: Floats
    V: Floats


def split_independent(gram: Gram, within: Limits) -> Independent:
    """Decompose the table and drop columns until the rest is linearly independent."""
    values, V = gram.decomposition()
    removed = drop_dependent(V, within)
    left = np.setdiff1d(np.arange(len(V)), removed.columns)
    return Independent(removed, left, values, V if len(left) == len(V) else V[left])


def chain_removals(first: Removals, then: Removals, names: Indices) -> Removals:
    """Put two runs of removals one behind the other; `names` are the columns of the second."""
    positions = np.where(then.positions >= 0, names[then.positions], -1)
    return Removals(
        np.concatenate([first.columns, names[then.columns]]),
        np.concatenate([first.errors, then.errors]),
        np.concatenate([first.positions, positions]),
        np.concatenate([first.weights, then.weights]),
    )


def rank_by_removal(
    gram: Gram,
    removals: Removals,
    k: int,
    within: Limits,
    *,
    rank: int,
    retain: float,
    threshold: float | None = None,
    independent_head: bool = True,
) -> Path:
    """Turn an order of removal into a path: last removed, best; cut at the goal.

    With `threshold` columns are removed while their error is at most that large; otherwise as many
    are kept as reach `retain`, at most `k`. `independent_head` states that the first `rank` columns
    of the path are independent: the columns behind them would add nothing and are never kept.
    """
    d = gram.diagonal().size
    order = best_first(removals, d, within.fixed)
    if independent_head:
        retained = measure_prefixes(gram, order, rank)
    else:
        retained = measure_order(gram, order)
    if threshold is not None:
        over = np.flatnonzero(removals.errors > threshold)
        size = d - (int(over[0]) if over.size else len(removals.errors))
    else:
        size = min(k, count_enough(retained, retain), rank if independent_head else d)
    scores = np.full(d, removals.errors[-1] if len(removals.errors) else 0.0)
    scores[removals.columns] = removals.errors
    size = max(size, len(within.fixed), 1)
    path = Path(order, retained, scores, size=size, removals=removals, stopped=REPRODUCED)
    return within.cut(path, removals)


def measure_prefixes(gram: Gram, order: Indices, rank: int) -> Floats:
    """Give what the first 1..d columns reproduce, the first `rank` being independent."""
    W = _orthogonal(gram, order[:rank])
    gains = np.zeros(len(order))
    gains[:rank] = np.einsum("ij,ij->i", W, W)
    return np.minimum(np.cumsum(gains) / gram.diagonal().sum(), 1.0)


def _orthogonal(gram: Gram, head: Indices) -> Floats:
    """Make independent columns orthogonal: give them as seen from every column."""
    if gram.samples is not None:
        basis = np.linalg.qr(np.column_stack([gram.samples.sample(int(j)) for j in head]))[0]
        return gram.samples.transposed_dot(basis).T
    # The transpose is the same matrix in the order LAPACK writes into, so no copy is made.
    block = gram.block(head, head).T
    factor, failed = scipy.linalg.lapack.dpotrf(block, lower=1, overwrite_a=1)
    if failed:
        return condition(gram, head).W
    if len(head) == len(gram.diagonal()):
        return np.asarray(factor.T)
    return np.asarray(
        scipy.linalg.solve_triangular(factor, gram.block(head), lower=True, check_finite=False)
    )


# Columns that the others reproduce exactly: which to drop, whatever basis a solver returns.
#
# In a rank-deficient table every combination in the null space has error 0 and the textbook loop
# depends on the basis that LAPACK happened to choose. The unit vector of the null space with the
# largest single coefficient is `P e_j / sqrt(P_jj)` for the projector `P` on it, so the column
# with the largest `P_jj`, the smallest leverage, is dropped first; then the next, until the rest
# is independent.
_MIN_POOL_COLUMNS, _MAX_POOL_COLUMNS = 16, 256  # whose leverages are kept up to date
_MAX_NOTED_PRODUCTS = 10**9  # multiplications for the equations that are noted


def drop_dependent(V: Floats, within: Limits) -> Removals:
    """Drop d - r rows of an orthonormal d x r basis of the row space, the most dependent first.

    Of equal leverages the last is dropped, so that the first column is kept. Rows that are fixed
    are not dropped, and what breaks a limit goes first, as far as it depends on the others. The
    equations of the first drops are noted, as many as are cheap.

    Examples
    --------
    Rows 0 and 1 are copies, row 2 stands alone.

    >>> V = np.array([[0.5**0.5, 0.0], [0.5**0.5, 0.0], [0.0, 1.0]])
    >>> drop_dependent(V, Limits.fixing(3, [])).columns
    array([1])
    """
    d, r = V.shape
    state = _Leverages(V, no_removals(d - r))
    live = np.ones(d, dtype=bool)
    marked = np.zeros(d, dtype=bool)
    for _ in track("dependent columns dropped", range(d - r), d - r):
        wanted = within.mark_removals(live)
        if not (state.is_settled and np.array_equal(wanted, marked)):
            state.refill(wanted)
        marked = wanted
        if within.rules_removal and state.smallest > 1.0 - TIE:
            marked = within.mark_removable(live)
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


# The backward loop on linear equations: remove the column that the others predict best, repeat.
#
# Each equation is a row of `W` (coefficients of the remaining columns) with an error; the errors
# are known by their Gram matrix `M` alone. Removing column j by equation i subtracts a multiple of
# row i from every other: a rank-one change of `W` and a rank-two change of `M`. The changes are
# collected in panels and applied as matrix products.
_PANEL_COLUMNS = 48
_SHRINK = 0.8


def eliminate(W: Floats, values: Floats, within: Limits) -> Removals:
    """Remove columns, each by the equation of smallest error at its turn, while any may be removed.

    `W` holds one equation a row, of squared error `values`, with uncorrelated errors; it is
    overwritten. The last column is kept.

    Examples
    --------
    The equation `a + b - 1.4 c = 0` has no error; its largest coefficient removes column 2.

    >>> W = np.array([[1.0, 1.0, -1.4], [1.0, -1.0, 0.0], [0.7, 0.7, 1.0]])
    >>> eliminate(W, np.array([0.0, 1.0, 2.0]), Limits.fixing(3, [])).columns
    array([2, 1])
    """
    count = len(values) - within.fewest
    state = _Equations(np.ascontiguousarray(W), values, within, no_removals(count))
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

    def __init__(self, W: Floats, values: Floats, within: Limits, found: Removals) -> None:
        n = len(values)
        self._limits, self._live = within, np.ones(n, dtype=bool)
        self._ruled = within.rules_removal or len(within.fixed) > 0  # or any open column goes next
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
            if not self._ruled:
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
        if self._ruled:
            self._may_go = self._limits.mark_removable(self._live)[self._names].astype(float)
            self._next_ones = self._limits.mark_removals(self._live)[self._names].astype(float)

    def remove(self, i: int, j: int, row: Floats) -> None:
        """Eliminate column `j` from all other equations by equation `i`, whose row is given."""
        s, known = self._size, self._CH[: 2 * self._size]
        c = self._W[:, j] - self._P[:s, j] @ known[::2]
        c *= self._open_rows / row[j]
        c[i] = 0.0
        # Of a symmetric matrix the upper triangle is kept.
        h = (
            np.concatenate([self._M[:i, i], self._M[i, i:]])
            - known[:, i].reshape(s, 2)[:, ::-1].ravel() @ known
        )
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
