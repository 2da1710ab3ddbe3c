"""Shrunken searches on a table of few rows, several of them step by step together.

With the centred rows `Z` what is left of the Gram matrix is `R = Z'MZ`, at first with `M = I`. To
take the column `z` is `M <- M - aa'` with `a = Mz / sqrt(z'Mz + s)`, `s` being the shrinkage. The
row of the factor is `w = Z'a`, and `Rw = Z'MKa` with the kernel `K = ZZ'`: all else is as long as
the rows are many, and these products are one for all searches.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.residual import Taken
from tamis.numerics.tolerances import RANK_TOL, TIE
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram, Samples

_REFRESH = 30.0  # a trace so many times smaller has lost two digits more than it should
_FIRST_ROOM = 16  # columns for which there is room at first
_MAX_TRIES = 20  # columns that are tried one by one before all are


class RowSearches:
    """What is left of the columns in each search (`left`, searches x columns), and their gains."""

    def __init__(self, gram: Gram, samples: Samples, shrinkages: Sequence[float]) -> None:
        self._samples, self._shrink = samples, np.array(shrinkages)[:, None]
        self.start = gram.diagonal()
        count = len(self._shrink)
        self.left = np.tile(self.start, (count, 1))
        self._norms = np.tile(gram.start_norms, (count, 1))  # squared column norms of R
        self._traces = self.left.sum(axis=1)
        self._taken = np.zeros((count, _FIRST_ROOM), dtype=np.intp)
        self._factors = np.zeros((count, _FIRST_ROOM, len(samples.sample(0))))  # rows a
        self._size = 0

    def gains(self) -> Floats:
        """Give what each column would add in each search: `||R e_j||^2 / (R_jj + s)`."""
        for i in np.flatnonzero(self.left.sum(axis=1) * _REFRESH < self._traces):
            taken, shrink = self._taken[i, : self._size], float(self._shrink[i, 0])
            self._norms[i] = find_shrunk_norms(self._samples, taken, shrink)
            self._traces[i] = self.left[i].sum()
        useful = self.left > RANK_TOL * self.start
        norms = np.maximum(self._norms, 0.0)
        return np.divide(norms, self.left + self._shrink, out=np.zeros_like(norms), where=useful)

    def take(self, picks: Sequence[int]) -> None:
        """Condition every search on its column."""
        each, size = np.arange(len(picks)), self._size
        columns = np.stack([self._samples.sample(int(j)) for j in picks])
        whole = self.left[each, picks][:, None] + self._shrink
        a = self._project(columns)
        a = np.divide(a, np.sqrt(np.maximum(whole, 0.0)), out=np.zeros_like(a), where=whole > 0)
        b = self._project(self._samples.kernel_dot(a.T).T)
        w, v = np.split(self._samples.transposed_dot(np.concatenate([a, b]).T).T, 2)
        self._make_room()
        self._factors[:, size], self._taken[:, size] = a, picks
        self._size += 1
        plain = np.flatnonzero(self._shrink == 0).tolist()
        for i in plain:  # taken columns have nothing left, not even rounding
            w[i, self._taken[i, :size]] = 0.0
        sizes = np.einsum("ij,ij->i", w, w)[:, None]
        # ||(R - ww')e_j||^2 = ||Re_j||^2 - 2 w_j (Rw)_j + (w'w) w_j^2: no second pass over Z.
        self._norms += w * (sizes * w - 2.0 * v)
        self.left -= np.square(w)
        for i in plain:
            self.left[i, picks[i]] = 0.0

    def _project(self, vectors: Floats) -> Floats:
        """Multiply one vector of each search with its `M`."""
        factors = self._factors[:, : self._size]
        parts = np.matmul(factors, vectors[:, :, None])
        return np.asarray(vectors - np.matmul(parts.transpose(0, 2, 1), factors)[:, 0])

    def _make_room(self) -> None:
        if self._size == self._taken.shape[1]:
            self._taken = np.concatenate([self._taken, np.zeros_like(self._taken)], axis=1)
            self._factors = np.concatenate([self._factors, np.zeros_like(self._factors)], axis=1)


class RowBasis:
    """The directions of taken columns: what plain regressions on them explain."""

    def __init__(self, samples: Samples, start: Floats) -> None:
        self._samples, self._start = samples, start
        self._rows = np.zeros((0, len(samples.sample(0))))

    def find_left(self, j: int) -> Floats:
        """Give what is left of a column, twice made orthogonal: once leaves rounding behind."""
        column = self._samples.sample(j)
        for _ in range(2 if len(self._rows) else 0):
            column = column - (self._rows @ column) @ self._rows
        return column

    def leaves(self, j: int) -> bool:
        """Whether the taken columns do not reproduce a column already."""
        column = self.find_left(j)
        return bool(column @ column > RANK_TOL * self._start[j])

    def add(self, j: int) -> Floats:
        """Take a column that is not reproduced; give its direction."""
        column = self.find_left(j)
        column /= np.sqrt(column @ column)
        self._rows = np.concatenate([self._rows, column[None]])
        return column

    def find_all_left(self) -> Floats:
        """Give the squares of what is left of all columns."""
        seen = self._samples.transposed_dot(self._rows.T)
        return np.maximum(self._start - np.square(seen).sum(axis=1), 0.0)


class RowResidual(Taken):
    """What one shrunken search leaves, for the choice, beside what plain regressions explain.

    The columns taken are free ones: none that the others reproduce.
    """

    def __init__(self, gram: Gram, samples: Samples, k: int, shrink: float) -> None:
        super().__init__(k)
        self._samples, self._searches = samples, RowSearches(gram, samples, [shrink])
        self.start = self._searches.start
        self.left = self.start.copy()  # by plain regressions
        self._basis, self.total = RowBasis(samples, self.start), float(self.start.sum())

    @property
    def free(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Columns that plain regressions on the taken ones do not reproduce already."""
        return np.asarray(self.left > RANK_TOL * self.start)

    @property
    def unexplained(self) -> float:
        """Share that plain regressions leave."""
        return float(self.left.sum()) / self.total

    def gains(self) -> Floats:
        """Give the share of the variance that each column would add."""
        return np.where(self.free, self._searches.gains()[0], 0.0) / self.total

    def take(self, j: int) -> None:
        """Condition on a column."""
        self._searches.take([j])
        seen = self._samples.transposed_dot(self._basis.add(j))
        self.left = np.maximum(self.left - np.square(seen), 0.0)
        self.left[[*self.taken, j]] = 0.0
        self._note(j, 1.0 - self.left.sum() / self.total)


def search_together(
    gram: Gram, samples: Samples, k: int, shrinkages: Sequence[float]
) -> list[Indices]:
    """Take up to `k` columns with each shrinkage; the searches share the products with the rows.

    The columns are those that `take_groups` takes.
    """
    searches = RowSearches(gram, samples, shrinkages)
    each = [_Picker(RowBasis(samples, searches.start), searches.start) for _ in shrinkages]
    for _ in range(min(k, gram.rank_bound)):
        gains = searches.gains()
        picks = [one.pick(row) for one, row in zip(each, gains, strict=True)]
        if all(one.ended for one in each):
            break
        searches.take(picks)
    return [np.array(one.taken, dtype=np.intp) for one in each]


class _Picker:
    """The columns taken in one of several searches; once it has `ended` no more are."""

    def __init__(self, basis: RowBasis, start: Floats) -> None:
        self._basis, self._total = basis, float(start.sum())
        self._start, self._open = start, np.ones(len(start), dtype=bool)
        self.taken: list[int] = []
        self.ended = False

    def pick(self, gains: Floats) -> int:
        """Take the free column of the largest gain, the first of equal ones; 0 at the end."""
        found = None if self.ended else self._find_best(gains)
        if found is None:
            self.ended = True
            return 0  # what an ended search is conditioned on does not matter
        self._basis.add(found)
        self._open[found] = False
        self.taken.append(found)
        return found

    def _find_best(self, gains: Floats) -> int | None:
        for tries in range(len(gains) + 1):
            if tries == _MAX_TRIES:
                self._bar_reproduced()
            current = np.where(self._open, gains, 0.0)
            best = int(current.argmax())
            if not current[best] > 0:
                return None
            tied = np.flatnonzero(current >= current[best] * (1.0 - TIE))
            free = [j for j in tied.tolist() if self._basis.leaves(j)]
            if best in free:
                return free[0]
            self._open[np.setdiff1d(tied, free)] = False
        return None

    def _bar_reproduced(self) -> None:
        left = self._basis.find_all_left()
        explained = left.sum() <= RANK_TOL * self._total
        self._open &= (left > RANK_TOL * self._start) & (not explained)


def find_shrunk_norms(samples: Samples, known: Indices, shrink: float | Floats) -> Floats:
    """Give the squared column norms of `R = Z'(I + Z_S D^-1 Z_S')^-1 Z` from the rows `Z`.

    D has the shrinkage of each column, or of all. With the singular values of `Z_S` over its root
    the inverse has a root, so `R = Y'Y`; without shrinkage it is a projection.
    """
    shrunk = bool(np.all(shrink))
    columns = np.column_stack([samples.sample(int(j)) for j in known])
    U, sizes, _ = np.linalg.svd(columns / np.sqrt(shrink if shrunk else 1.0), full_matrices=False)
    kept = 1.0 / np.sqrt(1.0 + np.square(sizes)) if shrunk else np.zeros(len(sizes))
    Z = samples.to_array()
    Y = Z - (U * (1.0 - kept)) @ (U.T @ Z)
    norms = np.asarray(np.einsum("ij,ij->j", Y, (Y @ Y.T) @ Y))
    if not shrunk:
        norms[known] = 0.0
    return norms
