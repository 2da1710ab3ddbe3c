"""The forward search on a table of few rows, with one shrinkage or with several at once.

A shrinkage is one number, or one for every column.

With the centred rows `Z` what is left of the Gram matrix is `R = Z'MZ`, at first with `M = I`. To
take the column `z` is `M <- M - aa'` with `a = Mz / sqrt(z'Mz + s)`, `s` being the shrinkage. The
row of the factor is `w = Z'a`, and `Rw = Z'MKa` with the kernel `K = ZZ'`: all but these two
products is as short as the rows are few, and they are one for all searches. (Searches on several
tables do not gain by going together: what they read no longer stays in the cache.)
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.residual import Taken, find_shrunk_norms
from tamis.numerics.tolerances import RANK_TOL, TIE
from tamis.numerics.types import Floats, Indices, Mask
from tamis.rules.search import TRACE_FALL
from tamis.statistics.gram import Gram, Samples
from tamis.statistics.grouped import GroupedGram, as_groups

_MAX_TRIES = 20  # columns that are tried one by one before all are
_FIRST_ROOM = 16  # columns for which there is room at first


class JointSearches:
    """What is left of the columns in each search (`left`, searches x columns), and their gains."""

    def __init__(self, gram: Gram, samples: Samples, shrinkages: Sequence[float | Floats]) -> None:
        count = len(shrinkages)
        self.start = gram.diagonal()
        self._samples, self._shrink = samples, _stack_shrinkages(shrinkages, len(self.start))
        self._plain = np.flatnonzero(~self._shrink.any(axis=1)).tolist()
        self.left = np.tile(self.start, (count, 1))
        self._floor = RANK_TOL * self.start
        self._norms = np.tile(gram.start_norms, (count, 1))  # squared column norms of R
        self._totals = self.left.sum(axis=1)  # as the factors say, which is enough to know when
        self._traces = self._totals.copy()  # at the last refresh
        self._taken = np.zeros((count, _FIRST_ROOM), dtype=np.intp)
        self._factors = np.zeros((count, _FIRST_ROOM, len(samples.sample(0))))  # rows a
        self._size = 0

    def gains(self) -> Floats:
        """Give what each column would add in each search: `||R e_j||^2 / (R_jj + s)`."""
        for i in np.flatnonzero(self._totals * TRACE_FALL < self._traces).tolist():
            taken = self._taken[i, : self._size]
            shrink = np.broadcast_to(self._shrink[i], self.start.shape)[taken]
            self._norms[i] = find_shrunk_norms(self._samples, taken, shrink)
            self._traces[i] = self._totals[i] = self.left[i].sum()
        gains = np.maximum(self._norms, 0.0)
        gains /= np.maximum(self.left + self._shrink, self._floor)
        gains[self.left <= self._floor] = 0.0
        return gains

    def take(self, picks: Sequence[int]) -> None:
        """Condition every search on its column; one that has ended goes on with nothing."""
        each = np.arange(len(picks))
        own = self._shrink if self._shrink.shape[1] == 1 else self._shrink[each, picks][:, None]
        whole = self.left[each, picks][:, None] + own
        roots = np.sqrt(np.maximum(whole, 0.0))
        a = self._project(np.stack([self._samples.sample(j) for j in picks]))
        a = np.divide(a, roots, out=np.zeros_like(a), where=whole > 0)
        b = self._project(self._samples.kernel_dot(a.T).T)
        products = self._samples.transposed_dot(np.concatenate([a, b]).T).T
        w, v = products[: len(a)], products[len(a) :]
        for i in self._plain:  # taken columns have nothing left, not even rounding
            w[i, self._taken[i, : self._size]] = 0.0
        sizes = np.einsum("ij,ij->i", w, w)[:, None]
        self._totals -= sizes[:, 0]
        # ||(R - ww')e_j||^2 = ||Re_j||^2 - 2 w_j (Rw)_j + (w'w) w_j^2: no second pass over Z.
        v *= -2.0
        v += sizes * w
        v *= w
        self._norms += v
        w *= w
        self.left -= w
        for i in self._plain:
            self.left[i, picks[i]] = 0.0
        self._note(picks, a)

    def _project(self, vectors: Floats) -> Floats:
        """Multiply one vector of each search with its `M`."""
        factors = self._factors[:, : self._size]
        parts = np.matmul(factors, vectors[:, :, None])
        return np.asarray(vectors - np.matmul(parts.transpose(0, 2, 1), factors)[:, 0])

    def _note(self, picks: Sequence[int], a: Floats) -> None:
        if self._size == self._taken.shape[1]:
            self._taken = np.concatenate([self._taken, np.zeros_like(self._taken)], axis=1)
            self._factors = np.concatenate([self._factors, np.zeros_like(self._factors)], axis=1)
        self._taken[:, self._size], self._factors[:, self._size] = picks, a
        self._size += 1


def _stack_shrinkages(shrinkages: Sequence[float | Floats], width: int) -> Floats:
    """Give one row for each search, as short as it can be."""
    alike = all(np.ndim(one) == 0 for one in shrinkages)
    return np.stack([np.broadcast_to(one, 1 if alike else width) for one in shrinkages])


class RowBasis:
    """The directions of taken columns: what plain regressions on them explain."""

    def __init__(self, samples: Samples, start: Floats) -> None:
        self._samples, self._start = samples, start
        self._rows = np.zeros((0, len(samples.sample(0))))
        self._size = 0
        self._asked: tuple[int, Floats] | None = None  # the last column, and what is left of it

    def find_left(self, j: int) -> Floats:
        """Give what is left of a column, twice made orthogonal: once leaves rounding behind."""
        if self._asked is not None and self._asked[0] == j:
            return self._asked[1]
        column, rows = self._samples.sample(j), self._rows[: self._size]
        for _ in range(2 if self._size else 0):
            column = column - (rows @ column) @ rows
        self._asked = (j, column)
        return column

    def leaves(self, j: int) -> bool:
        """Whether the taken columns do not reproduce a column already."""
        column = self.find_left(j)
        return bool(column @ column > RANK_TOL * self._start[j])

    def add(self, j: int) -> Floats:
        """Take a column that is not reproduced; give its direction."""
        column = self.find_left(j)
        if self._size == len(self._rows):
            room = max(len(self._rows), _FIRST_ROOM)
            self._rows = np.concatenate([self._rows, np.zeros((room, len(column)))])
        direction = self._rows[self._size]
        np.divide(column, np.sqrt(column @ column), out=direction)
        self._size, self._asked = self._size + 1, None
        return direction

    def find_all_left(self) -> Floats:
        """Give the squares of what is left of all columns."""
        seen = self._samples.transposed_dot(self._rows[: self._size].T)
        return np.maximum(self._start - np.square(seen).sum(axis=1), 0.0)


class RowResidual(Taken):
    """What one shrunken search leaves, for the choice, beside what plain regressions explain.

    The columns taken are free ones: none that the others reproduce.
    """

    def __init__(self, gram: Gram, samples: Samples, k: int, shrink: float | Floats) -> None:
        super().__init__(k)
        self._samples, self._searches = samples, JointSearches(gram, samples, [shrink])
        self.start = self._searches.start
        self.left = self.start.copy()  # by plain regressions
        self._basis, self.total = RowBasis(samples, self.start), float(self.start.sum())
        self.work = len(self.start) * gram.rank_bound

    @property
    def free(self) -> Mask:
        """Columns that plain regressions on the taken ones do not reproduce already."""
        return np.asarray(self.left > RANK_TOL * self.start)

    @property
    def unexplained(self) -> float:
        """Share that plain regressions leave."""
        return float(self.left.sum()) / self.total

    def score(self) -> Floats:
        """Give the share of the variance that each column would add."""
        return np.where(self.free, self._searches.gains()[0], 0.0) / self.total

    def take(self, j: int) -> None:
        """Condition on a column."""
        self._searches.take([j])
        seen = self._samples.transposed_dot(self._basis.add(j))
        self.left = np.maximum(self.left - np.square(seen), 0.0)
        self.left[[*self.taken, j]] = 0.0
        self._note(j, 1.0 - self.left.sum() / self.total)


def can_join(statistic: Gram | GroupedGram) -> bool:
    """Whether this table is searched by its rows: of single columns, each as important."""
    grouped = as_groups(statistic)
    return grouped.groups.single and not grouped.responses and grouped.samples is not None


def search_together(gram: Gram, k: int, shrinkages: Sequence[float | Floats]) -> list[Indices]:
    """Take up to `k` columns of a table held by its rows, with each shrinkage.

    The columns are those that `take_groups` takes.
    """
    samples = gram.samples
    assert samples is not None
    searches = JointSearches(gram, samples, shrinkages)
    start, most = searches.start, min(k, gram.rank_bound)
    each = [_Picker(start, RowBasis(samples, start) if np.any(one) else None) for one in shrinkages]
    for _ in range(most):
        picks = [one.pick(row) for one, row in zip(each, searches.gains(), strict=True)]
        if all(one.ended for one in each):
            break
        searches.take(picks)
    return [np.array(one.taken, dtype=np.intp) for one in each]


class _Picker:
    """The columns taken in one of several searches; once it has `ended` no more are.

    The `basis` of a shrunken search knows which columns plain regressions reproduce already; a
    plain one has no gains for them.
    """

    def __init__(self, start: Floats, basis: RowBasis | None) -> None:
        self._basis = basis
        self._start, self._open = start, np.ones(len(start), dtype=bool)
        self.taken: list[int] = []
        self.ended = False

    def pick(self, gains: Floats) -> int:
        """Take the free column of the largest gain, the first of equal ones; 0 at the end."""
        found = None if self.ended else self._find_best(gains)
        if found is None:
            self.ended = True
            return 0  # what an ended search is conditioned on does not matter
        if self._basis is not None:
            self._basis.add(found)
        self._open[found] = False
        self.taken.append(found)
        return found

    def _find_best(self, gains: Floats) -> int | None:
        gains[~self._open] = 0.0
        for tries in range(len(gains) + 1):
            if tries == _MAX_TRIES:
                self._bar_reproduced(gains)
            best = int(gains.argmax())
            if not gains[best] > 0:
                return None
            tied = np.flatnonzero(gains >= gains[best] * (1.0 - TIE)).tolist()
            basis = self._basis
            free = tied if basis is None else [j for j in tied if basis.leaves(j)]
            if best in free:
                return int(free[0])
            self._bar(np.setdiff1d(tied, free), gains)
        return None

    def _bar(self, columns: Indices, gains: Floats) -> None:
        self._open[columns], gains[columns] = False, 0.0

    def _bar_reproduced(self, gains: Floats) -> None:
        if self._basis is None:
            return
        left = self._basis.find_all_left()
        explained = left.sum() <= RANK_TOL * self._start.sum()
        barred = np.ones(len(left), dtype=bool) if explained else left <= RANK_TOL * self._start
        self._bar(np.flatnonzero(barred), gains)
