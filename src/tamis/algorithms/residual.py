"""What is left of a Gram matrix once some columns are taken: the state of the forward loop."""

import numpy as np

from tamis.numerics.rank import above_rounding
from tamis.numerics.threads import every_thread
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices, Mask
from tamis.statistics.gram import Gram

TRACE_FALL = 30.0  # norms are computed again once the trace is so many times smaller
_FIRST_FACTOR_BYTES = (
    1 << 28
)  # bytes of the factor set aside at first; it grows as columns are taken


class Taken:
    """The columns taken so far, and the share explained after each."""

    def __init__(self, k: int) -> None:
        self._taken = np.zeros(k, dtype=np.intp)
        self._retained = np.zeros(k)
        self.size = 0

    @property
    def taken(self) -> Indices:
        """Columns taken so far, in order."""
        return self._taken[: self.size]

    @property
    def retained(self) -> Floats:
        """Share explained after each taken column."""
        return self._retained[: self.size]

    def _note(self, j: int, share: float) -> None:
        self._taken[self.size], self._retained[self.size] = j, share
        self.size += 1


class Residual(Taken):
    """Hold `R = G - W'W`, where the rows of `W` are the taken columns made orthogonal.

    `R` itself is never formed: its diagonal (`left`) and squared column norms (`norms`) are
    updated instead. Only rows of columns that add something are held, at most as many as the rank:
    of a table with few rows that is far less than `k` by the number of columns.
    """

    def __init__(self, gram: Gram, k: int) -> None:
        super().__init__(k)
        self.gram = gram
        self.start = gram.diagonal()
        self.left = self.start.copy()
        self.total = float(self.start.sum())
        self.work = self.left.size * gram.rank_bound
        few = max(1, _FIRST_FACTOR_BYTES // (8 * self.left.size))
        self._rows = np.zeros((min(k, gram.rank_bound, few), self.left.size))
        self._steps = np.zeros(k, dtype=np.intp)  # at which each of the rows was added
        self._filled = 0
        self.capacity = k
        self._norms: Floats | None = None
        self._norms_rows = 0
        self._norms_trace = self.total

    @property
    def W(self) -> Floats:
        """Rows of the partial Cholesky factor, one for each taken column; some may be empty."""
        if self._filled == self.size:
            return self._rows[: self.size]
        whole = np.zeros((self.size, self.left.size))
        whole[self.adding] = self.rows
        return whole

    @property
    def rows(self) -> Floats:
        """The rows of `W` that are not empty."""
        return self._rows[: self._filled]

    @property
    def adding(self) -> Indices:
        """Positions among the taken columns of those that the ones before do not reproduce."""
        return self._steps[: self._filled]

    @property
    def free(self) -> Mask:
        """Columns that the taken ones do not reproduce already."""
        return np.asarray(self.left > RANK_TOL * self.start)

    @property
    def norms(self) -> Floats:
        """Squared column norms of `R`, brought up to date on demand."""
        trace = float(self.left.sum())
        # The norms shrink with the square of the trace: start afresh before rounding shows.
        if self._norms is None or trace * TRACE_FALL < self._norms_trace:
            with every_thread():
                self._norms = self.find_norms()
            self._norms_rows, self._norms_trace = self._filled, trace
        for step in range(self._norms_rows, self._filled):
            done, w = self._rows[:step], self._rows[step]
            residual_w = self.multiply(w) - (done @ w) @ done
            # ||(R - ww')e_j||^2 = ||Re_j||^2 - 2 w_j (Rw)_j + (w'w) w_j^2: no second pass over G.
            self._norms += w * ((w @ w) * w - 2 * residual_w)
        self._norms_rows = self._filled
        return np.maximum(self._norms, 0.0)

    def find_norms(self) -> Floats:
        """Compute the squared column norms of `R` afresh."""
        if self.size == 0:
            return self.gram.start_norms.copy()
        return self.gram.residual_norms(self.taken, self.W)

    def multiply(self, v: Floats) -> Floats:
        """Multiply `G` with a vector."""
        return self.gram.dot(v)

    def read_column(self, j: int) -> Floats:
        """Give one column of `G`."""
        return self.gram.column(j)

    def dot(self, v: Floats) -> Floats:
        """Multiply `R` with a vector."""
        # Taken columns have nothing left: not even the rounding of the largest of them.
        v = v.copy()
        v[self.taken] = 0.0
        product = self.gram.dot(v) - (self.rows @ v) @ self.rows
        product[self.taken] = 0.0
        return product

    def take(self, j: int) -> None:
        """Condition on column `j`; a column already reproduced adds an empty row."""
        if above_rounding(self.left[j], j, self.rows, self.taken[self.adding], self.start):
            w = (self.read_column(j) - self.rows[:, j] @ self.rows) / np.sqrt(self.left[j])
            w[self.taken] = 0.0
            self._add(w)
            self.left -= w * w
            np.maximum(self.left, 0.0, out=self.left)
        self.left[j] = 0.0
        self._note(j, 1.0 - self.left.sum() / self.total)

    def _add(self, w: Floats) -> None:
        if self._filled == len(self._rows):
            more = np.zeros((max(1, min(len(self._rows), self.capacity)), self.left.size))
            self._rows = np.concatenate([self._rows, more])
        self._rows[self._filled], self._steps[self._filled] = w, self.size
        self._filled += 1


def condition(gram: Gram, columns: Indices, most: int | None = None) -> Residual:
    """Take the given columns one after the other, with room for so many at the most."""
    residual = Residual(gram, len(columns) if most is None else most)
    for j in columns:
        residual.take(int(j))
    return residual


def error_drop(residual: Residual, offered: Mask | None = None) -> Floats:  # noqa: ARG001 - a score
    """Give the share of the variance that each column would add: `||R e_j||^2 / R_jj`."""
    out = np.zeros_like(residual.left)
    np.divide(residual.norms, residual.left, out=out, where=residual.free)
    return out / residual.total
