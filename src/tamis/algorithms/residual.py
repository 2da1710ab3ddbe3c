"""What is left of a Gram matrix once some of its columns, or groups of them, are taken.

`R <- R - R_J (R_JJ + s I)^-1 R_J'` takes the group J, `s` being its shrinkage. It is the same as
taking the columns of J one after the other, each by `R <- R - r r' / (r_j + s)`: a column that is
measured with a little noise of its own. So `R = G - W'W`, with a row of `W` for every column taken,
and `R` itself is never formed. What a group would lower the error by is
`tr((R_JJ + s I)^-1 (R D R)_JJ)`, D being the importance of what is to be explained. Of a single
column that is its squared norm over what is left of it; of a group both matrices are kept.

With shrinkage the choice is that of shrunken regressions; what is explained is that of plain ones,
so that it compares with the ceiling: a second residual follows the same groups without shrinkage.

A category of fifty levels has fifty chances to fit the rows at hand where a number has one. The
error on new rows is about the error on these over the square of the rows that are left free
(generalised cross-validation, as for the shrinkage of regressions), so a group's score is the gain
of a single column that would leave the same error on new rows. Single columns keep their gains.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tamis.numerics.rank import above_rounding
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.threads import every_thread
from tamis.numerics.types import Floats, Indices, Mask
from tamis.rules.search import LEAST_FREE, TRACE_FALL
from tamis.rules.tolerances import RANK_TOL
from tamis.statistics.gram import Gram, Samples
from tamis.statistics.summary import Summary, as_summary

MIN_AT_ONCE = 5  # vectors from which on their product with a matrix is quicker than one by one
MAX_FEW = 32  # columns that matter, whose rows of R are held: no d x d product is needed then
_FIRST_FACTOR_BYTES = 1 << 28  # set aside for the factor at first; it grows as columns are taken


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


class _Peers(NamedTuple):
    """Groups of one size: their numbers, their columns, and for each `R_JJ` and `(R D R)_JJ`."""

    groups: Indices
    columns: Indices
    left: Floats
    squares: Floats


class Residual(Taken):
    """Hold `R = G - W'W`, where the rows of `W` are the taken columns made orthogonal.

    `left` is what plain regressions leave of every group: the trace of its block of `R`. Squared
    norms are brought up to date on demand. Only rows of columns that add something are held: of a
    table with few rows that is far less than `k` by the number of columns. A group that is taken is
    known: nothing of it is left, whatever the shrinkage. `importance` weighs what is to be
    explained of every group: with 0 it may explain others, and need not be explained.
    """

    def __init__(
        self,
        statistic: Gram | Summary,
        k: int,
        shrink: float | Floats = 0.0,
        importance: Floats | None = None,
    ) -> None:
        super().__init__(k)
        known = as_summary(statistic)
        self.gram, self._groups, self._n_rows = known.gram, known.groups, known.n_rows
        self._single = self._groups.single
        self._sizes = self.gram.diagonal()
        self._diagonal = self._sizes.copy()  # of R
        self.start = self._sizes if self._single else self._groups.sum_up(self._sizes)
        self.left = self._diagonal if self._single else self.start.copy()
        self._importance = importance
        self._weights = None if importance is None else importance[self._groups.owner]
        self.total = max(self._weigh(self.start), np.finfo(float).tiny)
        self.capacity, self.work = k, self._sizes.size * self.gram.rank_bound
        most = k if self._single else k * int(self._groups.sizes.max())
        few = max(1, _FIRST_FACTOR_BYTES // (8 * self._sizes.size))
        self._rows = np.zeros((min(most, self.gram.rank_bound, few), self._sizes.size))
        self._columns = np.zeros((2, len(self._rows)), dtype=np.intp)  # behind each row, and when
        self._filled = self._followed = 0  # rows there are, and rows that the norms know
        self._norms: Floats | None = None
        self._norms_trace = 0.0
        self._peers: tuple[_Peers, ...] = ()
        # The columns that matter, where they are a few only.
        matter = None if self._weights is None else np.flatnonzero(self._weights)
        self._few = None if matter is None or len(matter) > MAX_FEW else matter
        self._seen = np.zeros((0, 0))  # the rows of R of these few
        self.noise = np.asarray(shrink, dtype=np.float64)
        self._plain: Residual | None = None
        if self.noise.any():
            self.noise = np.broadcast_to(self.noise, self._sizes.shape)
            self._plain = Residual(known, k, importance=importance)

    @property
    def W(self) -> Floats:
        """Rows of the factor, one for each taken column of a single column; some may be empty."""
        if self._filled == self.size:
            return self.rows
        every = np.zeros((self.size, self._sizes.size))
        every[self.adding] = self.rows
        return every

    @property
    def rows(self) -> Floats:
        """The rows of `W` that are not empty."""
        return self._rows[: self._filled]

    @property
    def columns(self) -> Indices:
        """The column of the matrix behind each of these rows."""
        return self._columns[0, : self._filled]

    @property
    def adding(self) -> Indices:
        """The position among the taken groups of the one behind each of these rows."""
        return self._columns[1, : self._filled]

    @property
    def free(self) -> Mask:
        """Groups that plain regressions on the taken ones do not reproduce already."""
        return np.asarray(self.left > RANK_TOL * self.start)

    @property
    def unexplained(self) -> float:
        """Share of what matters that plain regressions on the taken groups leave."""
        return self._weigh(self.left) / self.total

    @property
    def norms(self) -> Floats:
        """Squared column norms of `R`, the diagonal of `R D R`."""
        trace = float(self._diagonal.sum())
        # The norms shrink with the square of the trace: start afresh before rounding shows.
        if self._norms is None or trace * TRACE_FALL < self._norms_trace:
            with every_thread():
                self._norms = self._start_afresh()
            self._norms_trace = trace
        elif self._followed < self._filled:
            self._update(self._norms, self.rows[: self._followed], self.rows[self._followed :])
        self._followed = self._filled
        if self._few is not None:
            self._square_few(self._norms, self._few)
        return np.maximum(self._norms, 0.0)

    def score(self) -> Floats:
        """Give what each group would add; chance is taken off where groups differ in size.

        A number and a category of many levels then compare by what they explain on new rows.
        """
        if not self._n_rows or self._single:
            return self.gains()
        gains, used = self._find_gains()
        free = self._n_rows - 1.0 - self._filled
        single = 1.0 / (1.0 + float(self.noise.min()))
        return discount_chance(gains, used, left=self.unexplained, free=free, single=single)

    def gains(self) -> Floats:
        """Give the share of the variance that each group would add."""
        if not self._single:
            return self._find_gains()[0]
        norms, gains = self.norms, np.zeros_like(self._diagonal)
        useful = self.free
        if self._plain is not None:
            useful = useful & (self._diagonal > RANK_TOL * self._sizes)
        np.divide(norms, self._diagonal + self.noise, out=gains, where=useful)
        gains /= self.total
        return gains

    def _find_gains(self) -> tuple[Floats, Floats]:
        """Give the gains, and the degrees of freedom that each group would take."""
        norms, noise = self.norms, np.broadcast_to(self.noise, self._sizes.shape)
        parts = np.zeros((2, len(self.start)))
        alone = np.flatnonzero(self._groups.sizes == 1)
        columns = self._groups.starts[alone]
        left = self._diagonal[columns]
        useful = left > RANK_TOL * self._sizes[columns]
        parts[:, alone] = np.divide(
            np.stack([norms[columns], left]),
            left + noise[columns],
            out=np.zeros((2, len(alone))),
            where=useful,
        )
        for peers in self._peers:
            parts[:, peers.groups] = _find_traces(peers, noise[peers.columns[:, 0]], self._sizes)
        return np.where(self.free, parts[0], 0.0) / self.total, parts[1]

    def dot(self, v: Floats) -> Floats:
        """Multiply `R` with a vector."""
        # Taken columns have nothing left: not even the rounding of the largest of them.
        v = v.copy()
        v[self.taken] = 0.0
        product = self.gram.dot(v) - (self.rows @ v) @ self.rows
        product[self.taken] = 0.0
        return product

    def take(self, j: int) -> None:
        """Condition on a group; columns of it that are reproduced already add nothing."""
        if self._single:
            self._take_column(j)
        else:
            members = self._groups.members([j])
            for column in members[np.argsort(-self._diagonal[members], kind="stable")].tolist():
                self._take_column(column)
        if self._plain is not None:
            self._plain.take(j)
            self.left = self._plain.left
        elif not self._single:
            self.left = self._groups.sum_up(self._diagonal)
            self.left[[*self.taken, j]] = 0.0
        self._note(j, 1.0 - self._weigh(self.left) / self.total)

    def _take_column(self, j: int) -> None:
        left = self._diagonal[j]
        if self._plain is not None:  # the noise may be less than the rounding of another unit
            left = left + self.noise[j]
            adds = left > RANK_TOL * self._sizes[j]
        else:
            adds = above_rounding(left, j, self.rows, self.columns, self._sizes)
        if adds:
            w = (self.gram.column(j) - self.rows[:, j] @ self.rows) / np.sqrt(left)
            if self._plain is None:
                w[self.columns] = 0.0
            self._add(w, j)
            self._diagonal -= w * w
            np.maximum(self._diagonal, 0.0, out=self._diagonal)
        if self._plain is None or not adds:
            self._diagonal[j] = 0.0

    def _add(self, w: Floats, j: int) -> None:
        if self._filled == len(self._rows):
            more = max(1, min(self._filled, self.capacity))
            self._rows = np.concatenate([self._rows, np.zeros((more, len(w)))])
            self._columns = np.pad(self._columns, ((0, 0), (0, more)))
        self._rows[self._filled], self._columns[:, self._filled] = w, (j, self.size)
        self._filled += 1

    def _weigh(self, left: Floats) -> float:
        """Add up what is left of all groups, by importance."""
        return float(left.sum() if self._importance is None else self._importance @ left)

    def _update(self, norms: Floats, old: Floats, new: Floats) -> None:
        """Bring norms and blocks to `R - N'N`, N being the new rows of `W`.

        `(R - N'N)D(R - N'N) = RDR + N'E + E'N` with `E = (NDN')N / 2 - NDR`: no pass over `R`.
        """
        E = new
        if self._few is not None:
            self._seen -= new[:, self._few].T @ new
        else:
            weighed = new if self._weights is None else new * self._weights
            E = (weighed @ new.T) @ new
            E *= 0.5
            if len(new) < MIN_AT_ONCE:
                for row, w in zip(E, weighed, strict=True):
                    row -= self.gram.dot(w)
            else:
                E -= self.gram.dot(weighed.T).T
            E += (weighed @ old.T) @ old
            norms += 2.0 * np.einsum("rj,rj->j", new, E)
        for peers in self._peers:
            n = new[:, peers.columns]
            peers.left[...] -= _sum_outer(n, n)
            if self._few is None:
                half = _sum_outer(n, E[:, peers.columns])
                peers.squares[...] += half + half.transpose(0, 2, 1)

    def _start_afresh(self) -> Floats:
        """Compute norms and blocks anew: at first, and as rounding grows."""
        if self._few is not None:
            self._seen = self._find_rows(self._few)
        groups, found = self._groups, []
        for size in [] if self._single else np.unique(groups.sizes[groups.sizes > 1]).tolist():
            some = np.flatnonzero(groups.sizes == size)
            columns = groups.starts[some][:, None] + np.arange(size)
            peers = _Peers(some, columns, *np.zeros((2, len(some), size, size)))
            for i, J in enumerate(columns):
                rows = self._find_rows(J)
                peers.left[i] = rows[:, J]
                peers.squares[i] = (
                    rows if self._weights is None else rows * self._weights
                ) @ rows.T
            found.append(peers)
        self._peers = tuple(found)
        return self._find_norms() if self._few is None else np.empty_like(self._diagonal)

    def _find_rows(self, columns: Indices | slice) -> Floats:
        """Give rows of `R`; of columns that are taken without noise nothing is left."""
        rows = self.gram.block(columns) - self.rows[:, columns].T @ self.rows
        if self._plain is None:
            rows[:, self.columns] = 0.0
        return rows

    def _square_few(self, norms: Floats, few: Indices) -> None:
        """Find norms and blocks of `R D R` from the rows of the few columns that matter.

        Nothing cancels, so the gains keep their digits where hardly anything is left to explain.
        """
        assert self._weights is not None
        seen = self._seen * np.sqrt(self._weights[few])[:, None]
        np.einsum("cj,cj->j", seen, seen, out=norms)
        for peers in self._peers:
            part = seen[:, peers.columns]
            peers.squares[...] = _sum_outer(part, part)

    def _find_norms(self) -> Floats:
        """Give the squared column norms of `R`, without differences of large numbers."""
        known = self.columns
        if self._weights is not None:
            norms, wanted = np.zeros(self._sizes.size), np.flatnonzero(self._weights)
            for part in row_blocks(len(wanted), self._sizes.size):
                rows = self._find_rows(wanted[part])
                if self._plain is None:
                    rows[np.isin(wanted[part], known)] = 0.0
                norms += self._weights[wanted[part]] @ np.square(rows)
            return norms
        if not len(known):
            return self.gram.start_norms.copy()
        if self._plain is None:
            return self.gram.residual_norms(known, self.rows)
        if self.gram.samples is not None:
            return find_shrunk_norms(self.gram.samples, known, self.noise[known])
        norms = np.empty(self._sizes.size)
        for part in row_blocks(self._sizes.size, self._sizes.size):
            rows = self._find_rows(part)
            norms[part] = np.einsum("ij,ij->i", rows, rows)
        return norms


def _sum_outer(a: Floats, b: Floats) -> Floats:
    """Add up, for every group, the outer products of the rows of its columns."""
    return np.asarray(a.transpose(1, 2, 0) @ b.transpose(1, 0, 2))


def _find_traces(peers: _Peers, noise: Floats, sizes: Floats) -> Floats:
    """Give `tr((R_JJ + s I)^-1 (R D R)_JJ)` and `tr((R_JJ + s I)^-1 R_JJ)`, degrees of freedom.

    Directions of which nothing is left add nothing.
    """
    values, vectors = np.linalg.eigh(peers.left)
    squares = np.einsum("gij,gij->gj", vectors, peers.squares @ vectors)
    useful = values > RANK_TOL * sizes[peers.columns].max(axis=1, keepdims=True)
    parts = np.stack([squares, values])
    over = np.divide(parts, values + noise[:, None], out=np.zeros_like(parts), where=useful)
    return np.asarray(over.sum(axis=2))


def discount_chance(
    gains: Floats, used: Floats, *, left: float, free: float, single: float
) -> Floats:
    """Give the gain of a single column that would do as well on new rows.

    `left` is the share that is not explained yet, `free` how many rows are free before the step,
    `used` how many of them each group takes and `single` how many a column that stands alone does.

    Examples
    --------
    Of 41 rows one is used by the means. Twenty random columns explain half of the others.

    >>> gains, used = np.array([0.1, 0.5]), np.array([1.0, 20.0])
    >>> discount_chance(gains, used, left=1.0, free=40, single=1.0).round(2)
    array([ 0.1, -0.9])
    """
    room = np.maximum(free - used, LEAST_FREE)
    alone = max(free - single, LEAST_FREE)
    return np.asarray(left - (left - gains) * np.square(alone / room))


def find_shrunk_norms(samples: Samples, known: Indices, shrink: float | Floats) -> Floats:
    """Give the squared column norms of `R = Z'(I + Z_S D^-1 Z_S')^-1 Z` from the rows `Z`.

    D has the shrinkage of each column, or of all. With the singular values of `Z_S` over its root
    the inverse has a root, so `R = Y'Y`; without shrinkage it is a projection.
    """
    shrunk = bool(np.all(shrink))
    columns = np.column_stack([samples.sample(int(j)) for j in known])
    U, sizes, _ = np.linalg.svd(columns / np.sqrt(shrink if shrunk else 1.0), full_matrices=False)
    if shrunk:
        taken = 1.0 - 1.0 / np.sqrt(1.0 + np.square(sizes))
    else:
        taken = (np.square(sizes) > RANK_TOL * sizes[0] ** 2).astype(np.float64)
    Z = samples.to_array()
    Y = Z - (U * taken) @ (U.T @ Z)
    norms = np.asarray(np.einsum("ij,ij->j", Y, (Y @ Y.T) @ Y))
    if not shrunk:
        norms[known] = 0.0
    return norms


def condition(
    statistic: Gram | Summary, columns: Indices, importance: Floats | None = None
) -> Residual:
    """Take the given columns one after the other."""
    residual = Residual(statistic, max(len(columns), 1), importance=importance)
    for j in columns:
        residual.take(int(j))
    return residual


# The same by the rows of a table, where these are few: with one shrinkage, or with several at once.
# A shrinkage is one number, or one for every column.
#
# With the centred rows `Z` what is left of the Gram matrix is `R = Z'MZ`, at first with `M = I`. To
# take the column `z` is `M <- M - aa'` with `a = Mz / sqrt(z'Mz + s)`, `s` being the shrinkage. The
# row of the factor is `w = Z'a`, and `Rw = Z'MKa` with the kernel `K = ZZ'`: all but these two
# products is as short as the rows are few, and they are one for all searches. (Searches on several
# tables do not gain by going together: what they read no longer stays in the cache.)
_FIRST_ROOM = 16  # columns for which there is room at first


class JointSearches:
    """What is left of the columns in each search (`left`, searches x columns), and their gains."""

    def __init__(self, gram: Gram, samples: Samples, shrinkages: Sequence[float | Floats]) -> None:
        count = len(shrinkages)
        self.start = gram.diagonal()
        # One row for each search, as short as it can be.
        width = 1 if all(np.ndim(one) == 0 for one in shrinkages) else len(self.start)
        self._shrink = np.stack([np.broadcast_to(one, width) for one in shrinkages])
        self._samples = samples
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
        if self._size == self._taken.shape[1]:
            self._taken = np.concatenate([self._taken, np.zeros_like(self._taken)], axis=1)
            self._factors = np.concatenate([self._factors, np.zeros_like(self._factors)], axis=1)
        self._taken[:, self._size], self._factors[:, self._size] = picks, a
        self._size += 1

    def _project(self, vectors: Floats) -> Floats:
        """Multiply one vector of each search with its `M`."""
        factors = self._factors[:, : self._size]
        parts = np.matmul(factors, vectors[:, :, None])
        return np.asarray(vectors - np.matmul(parts.transpose(0, 2, 1), factors)[:, 0])


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

    def find_free(self) -> Mask:
        """Mark the columns that are not reproduced already; none where hardly anything is left."""
        seen = self._samples.transposed_dot(self._rows[: self._size].T)
        left = np.maximum(self._start - np.square(seen).sum(axis=1), 0.0)
        some = left.sum() > RANK_TOL * self._start.sum()
        return np.asarray(some & (left > RANK_TOL * self._start))


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
