"""What is left of a Gram matrix once some groups of its columns are taken, with shrinkage.

`R <- R - R_J (R_JJ + s I)^-1 R_J'` takes the group J, `s` being its shrinkage. It is the same as
taking the columns of J one after the other, each by `R <- R - r r' / (r_j + s)`: a column that is
measured with a little noise of its own. What a group would lower the error by is
`tr((R_JJ + s I)^-1 (R R)_JJ)`. Both matrices are kept for every group and updated with each column
taken, as the squared norms are for single columns.

With shrinkage the choice is that of shrunken regressions; what is explained is that of plain ones,
so that it compares with the ceiling: a second residual follows the same groups without shrinkage.

A category of fifty levels has fifty chances to fit the rows at hand where a number has one. The
error on new rows is about the error on these over the square of the rows that are left free
(generalised cross-validation, as for the shrinkage of regressions), so a group's score is the gain
of a single column that would leave the same error on new rows. Single columns keep their gains.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tamis.algorithms.forward.joint_searches import find_shrunk_norms
from tamis.algorithms.residual import Taken
from tamis.numerics.rank import above_rounding
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices, Mask
from tamis.statistics.grouped import GroupedGram

_REFRESH = 30.0  # a trace so many times smaller has lost two digits more than it should
MIN_AT_ONCE = 8  # columns of a group from which on products of matrices are quicker
LEAST_FREE = 0.5  # rows: where none is free, more columns still count as worse
MAX_FEW = 32  # columns that matter, whose rows of R are held: no d x d product is needed then


class _Peers(NamedTuple):
    """Groups of one size: their numbers, their columns, and for each `R_JJ` and `(R R)_JJ`."""

    groups: Indices
    columns: Indices
    left: Floats
    squares: Floats


class GroupResidual(Taken):
    """Hold `R = G - W'W` for groups of columns; `left` is the trace of each group.

    A group that is taken is known: nothing of it is left to explain, whatever the shrinkage.
    `importance` weighs what is to be explained of every group: with 0 it may explain others, and
    need not be explained. The gain is then `tr((R_JJ + s I)^-1 (R D R)_JJ)`, D the weights.
    """

    def __init__(
        self,
        statistic: GroupedGram,
        k: int,
        shrink: float | Floats = 0.0,
        importance: Floats | None = None,
    ) -> None:
        super().__init__(k)
        self._gram, self._groups, self._n_rows = statistic.gram, statistic.groups, statistic.n_rows
        self.shrink = float(np.max(shrink))  # the largest: 0 where nothing is shrunk
        self.noise = np.broadcast_to(
            np.asarray(shrink, dtype=np.float64), statistic.gram.diagonal().shape
        )
        self._importance = importance
        self._weights = None if importance is None else importance[statistic.groups.owner]
        self._start = self._gram.diagonal()
        self._single = self._start.copy()  # the diagonal of R
        self.start = self._groups.sum_up(self._start)
        self.left = self.start.copy()
        self.work = self._start.size * self._gram.rank_bound
        self.total = max(self._weigh(self.start), np.finfo(float).tiny)
        self._rows = np.zeros((16, self._start.size))
        self._columns: list[int] = []  # the column behind every row of W
        self._peers: tuple[_Peers, ...] = ()
        self._trace = np.inf
        self._few = self._find_few()
        self._seen = np.zeros((0, self._start.size))  # the rows of R of these few
        self._plain = GroupResidual(statistic, k, 0.0, importance) if self.shrink else None

    @property
    def W(self) -> Floats:
        """Rows of the factor, one for each column that added something."""
        return self._rows[: len(self._columns)]

    @property
    def retained(self) -> Floats:
        """Share explained after each taken group, by plain regressions."""
        return super().retained if self._plain is None else self._plain.retained

    @property
    def free(self) -> Mask:
        """Groups that plain regressions on the taken ones do not reproduce already."""
        plain = self if self._plain is None else self._plain
        return np.asarray(plain.left > RANK_TOL * plain.start)

    def _find_few(self) -> Indices | None:
        """Give the columns that matter where they are a few only."""
        if self._weights is None:
            return None
        found = np.flatnonzero(self._weights)
        return found if len(found) <= MAX_FEW else None

    @property
    def unexplained(self) -> float:
        """Share of what matters that plain regressions on the taken groups leave."""
        plain = self if self._plain is None else self._plain
        return plain._weigh(plain.left) / plain.total

    def score(self) -> Floats:
        """Give what each group would add; chance is taken off where groups differ in size.

        A number and a category of many levels then compare by what they explain on new rows.
        """
        gains, used = self._find_gains()
        if self._n_rows is None or self._groups.single:
            return gains
        free = self._n_rows - 1.0 - self.freedom
        single = 1.0 / (1.0 + float(self.noise.min()))
        return discount_chance(gains, used, left=self.unexplained, free=free, single=single)

    def gains(self) -> Floats:
        """Give the share of the variance that each group would add."""
        return self._find_gains()[0]

    def _find_gains(self) -> tuple[Floats, Floats]:
        """Give the gains, and the degrees of freedom that each group would take."""
        if float(self._single.sum()) * _REFRESH < self._trace:
            self._refresh()
        if self._few is not None:
            self._square_few(self._few)
        found, used = np.zeros(len(self.start)), np.zeros(len(self.start))
        for peers in self._peers:
            found[peers.groups], used[peers.groups] = _traces(peers, self.noise, self._start)
        return np.where(self.free, found, 0.0) / self.total, used

    @property
    def freedom(self) -> int:
        """How many columns are taken that those before did not reproduce."""
        return len(self._columns)

    def take(self, group: int) -> None:
        """Condition on every column of a group; columns already reproduced add nothing."""
        members, first = self._groups.members([group]), len(self._columns)
        at_once = len(members) >= MIN_AT_ONCE
        for j in members[np.argsort(-self._single[members], kind="stable")]:
            self._take_column(int(j), update=not at_once)
        if at_once and self._peers:
            self._update_at_once(first)
        self.left = self._groups.sum_up(np.maximum(self._single, 0.0))
        self.left[[*self.taken, group]] = 0.0
        self._note(group, 1.0 - self._weigh(self.left) / self.total)
        if self._plain is not None:
            self._plain.take(group)

    def _weigh(self, left: Floats) -> float:
        """Add up what is left of all groups, by importance."""
        return float(left.sum() if self._importance is None else self._importance @ left)

    def _take_column(self, j: int, *, update: bool = True) -> None:
        left = self._single[j]
        if self.shrink:  # which may be less than the rounding of columns in another unit
            known = left + self.noise[j] <= RANK_TOL * self._start[j]
        else:
            known = not above_rounding(left, j, self.W, self._columns, self._start)
        if known:
            self._single[j] = 0.0
            return
        w = self._gram.column(j) - self.W[:, j] @ self.W
        w /= np.sqrt(left + self.noise[j])
        if not self.shrink:
            w[self._columns] = 0.0
        if update:
            self._update(w)
        if len(self._columns) == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._rows[len(self._columns)] = w
        self._columns.append(j)
        self._single -= w * w
        if not self.shrink:
            self._single[j] = 0.0

    def _update(self, w: Floats) -> None:
        """Bring `R_JJ` and `(R R)_JJ` of all groups to `R - w w'`."""
        if not self._peers:
            return
        if self._few is not None:
            self._seen -= np.multiply.outer(w[self._few], w)
            for peers in self._peers:
                a = w[peers.columns]
                peers.left[...] -= a[:, :, None] * a[:, None, :]
            return
        wanted = w if self._weights is None else self._weights * w
        v = self._gram.dot(wanted) - (self.W @ wanted) @ self.W  # R D w
        size = float(w @ wanted)
        for peers in self._peers:
            a, b = w[peers.columns], v[peers.columns]
            outer = a[:, :, None] * a[:, None, :]
            peers.left[...] -= outer
            # (R - ww')D(R - ww') = RDR - (RDw)w' - w(RDw)' + (w'Dw) ww'
            cross = b[:, :, None] * a[:, None, :]
            peers.squares[...] += size * outer - cross - cross.transpose(0, 2, 1)

    def _update_at_once(self, first: int) -> None:
        """Do the same for all rows of W from `first` on, by products of matrices."""
        old, new = self.W[:first], self.W[first:]
        wanted = new if self._weights is None else new * self._weights
        if self._few is not None:
            self._seen -= new[:, self._few].T @ new
            V, inner = None, None
        else:
            V = self._gram.dot(wanted.T) - old.T @ (old @ wanted.T)  # R D W'
            inner = new @ wanted.T
        for peers in self._peers:
            A = new[:, peers.columns].transpose(1, 0, 2)
            peers.left[...] -= A.transpose(0, 2, 1) @ A
            if V is not None and inner is not None:
                # (R - W'W)D(R - W'W) = RDR - (RDW')W - W'(WDR) + W'(WDW')W
                cross = V[peers.columns] @ A
                squares = A.transpose(0, 2, 1) @ (inner @ A)
                peers.squares[...] += squares - cross - cross.transpose(0, 2, 1)

    def _refresh(self) -> None:
        """Compute both matrices of all groups anew: at first, and as rounding grows."""
        self._peers = tuple(_peers_of(self._groups.sizes, self._groups.starts))
        known = np.array(self._columns, dtype=np.intp)
        if self._few is not None:
            self._seen = self._gram.block(self._few) - self.W[:, self._few].T @ self.W
            if not self.shrink:
                self._seen[:, known] = 0.0
        for peers in self._peers:
            if peers.columns.shape[1] == 1:
                columns = peers.columns[:, 0]
                peers.left[:, 0, 0] = self._single[columns]
                if self._few is None:
                    peers.squares[:, 0, 0] = self._norms(known)[columns]
                continue
            for i, columns in enumerate(peers.columns):
                rows = self._gram.block(columns) - self.W[:, columns].T @ self.W
                if not self.shrink:
                    rows[:, known] = 0.0
                peers.left[i] = rows[:, columns]
                peers.squares[i] = (
                    rows if self._weights is None else rows * self._weights
                ) @ rows.T
        self._trace = float(self._single.sum())

    def _square_few(self, few: Indices) -> None:
        """Give all groups their `(R D R)_JJ` from the rows of the few columns that matter.

        Nothing cancels, so the gains keep their digits where hardly anything is left to explain.
        """
        assert self._weights is not None
        seen = self._seen * np.sqrt(self._weights[few])[:, None]
        for peers in self._peers:
            part = seen[:, peers.columns]
            peers.squares[...] = np.einsum("cgi,cgj->gij", part, part)

    def _norms(self, known: Indices) -> Floats:
        """Give the squared column norms of `R`, without differences of large numbers."""
        if self._weights is not None:
            return self._weighted_norms(known)
        if not len(known):
            return self._gram.start_norms
        if not self.shrink:
            return self._gram.residual_norms(known, self.W)
        if self._gram.samples is not None:
            return find_shrunk_norms(self._gram.samples, known, self.noise[known])
        norms = np.empty(self._start.size)
        for part in row_blocks(self._start.size, self._start.size):
            left = self._gram.block(part) - self.W[:, part].T @ self.W
            norms[part] = np.einsum("ij,ij->i", left, left)
        return norms

    def _weighted_norms(self, known: Indices) -> Floats:
        """Do the same where columns differ in importance, from those of any."""
        assert self._weights is not None
        wanted, norms = np.flatnonzero(self._weights), np.zeros(self._start.size)
        for part in row_blocks(len(wanted), self._start.size):
            columns = wanted[part]
            left = self._gram.block(columns) - self.W[:, columns].T @ self.W
            if not self.shrink:
                left[np.isin(columns, known)] = 0.0
                left[:, known] = 0.0
            norms += self._weights[columns] @ np.square(left)
        return norms


def _peers_of(sizes: Indices, starts: Indices) -> Iterator[_Peers]:
    for size in np.unique(sizes):
        groups = np.flatnonzero(sizes == size)
        columns = starts[groups][:, None] + np.arange(size)
        room = (len(groups), int(size), int(size))
        yield _Peers(groups, columns, np.zeros(room), np.zeros(room))


def _traces(peers: _Peers, noise: Floats, start: Floats) -> tuple[Floats, Floats]:
    """Give `tr((R_JJ + s I)^-1 (R R)_JJ)` and `tr((R_JJ + s I)^-1 R_JJ)`, the degrees of freedom.

    Directions of which nothing is left add nothing.
    """
    shrink = noise[peers.columns[:, 0]]
    if peers.columns.shape[1] == 1:
        left, squares = peers.left[:, 0, 0], np.maximum(peers.squares[:, 0, 0], 0.0)
        useful = left > RANK_TOL * start[peers.columns[:, 0]]
        parts = np.stack([squares, left])
        over = np.divide(parts, left + shrink, out=np.zeros_like(parts), where=useful)
        return over[0], over[1]
    values, vectors = np.linalg.eigh(peers.left)
    squares = np.einsum("gij,gik,gkj->gj", vectors, peers.squares, vectors)
    largest = start[peers.columns].max(axis=1, keepdims=True)
    useful = values > RANK_TOL * largest
    parts = np.stack([squares, values])
    over = np.divide(parts, values + shrink[:, None], out=np.zeros_like(parts), where=useful).sum(
        axis=2
    )
    return over[0], over[1]


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
