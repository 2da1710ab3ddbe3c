"""Forward selection on a matrix that is not held: candidates by an estimate, picks by passes.

A pass over the table gives some columns of the exact matrix, the candidates. Of these the gain is
exact, and so is what all columns have left once some are taken. Of every other column the gain has
an upper bound (`OutsideBounds`). Where no bound comes up to the gain of the best candidate, its
pick is that of the search on the whole matrix. Otherwise the columns that might be better are
read, too, and the search starts again.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np

from tamis.algorithms.forward.loop import take_forward
from tamis.algorithms.greedy import Mask, reaches, take_greedily
from tamis.algorithms.limits import Limits, divide_by_price
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual, error_drop
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.tolerances import ROUNDING, TIE
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram, KnownColumns

_MAX_READS = 6
_RIVALS_OF_A_PICK = 8  # columns read in one pass for each one kept
_MIN_RIVALS = 256  # columns read in one pass in any case
_VECTORS_OF_A_PICK = 4
_MIN_VECTORS, _MAX_VECTORS = 128, 256
_MAX_BASIS_BYTES = 1 << 28
_BASIS_ROUNDS = 3
_NO_RIVALS: Indices = np.zeros(0, dtype=np.intp)


def take_in_passes(
    gram: Gram,
    known: KnownColumns,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    limits: Limits | None = None,
) -> Path:
    """Take `k` columns as `sfs` does on the exact matrix, of which `gram` is an estimate.

    The path says how many of the picks are proven to be the same. Where more columns are kept than
    there is room for, or where limits bind, it is the path of the estimate.
    """
    within = Limits.of(len(gram.diagonal())) if limits is None else limits
    guess = take_forward(gram, k, error_drop, retain=retain, include=include, limits=within)
    count = len(guess.indices)
    if within.any or not count or count > known.room // 2:
        return guess
    basis, wanted = find_basis(gram, _VECTORS_OF_A_PICK * count), guess.indices
    for _ in range(_MAX_READS):
        known.read(wanted, basis)
        search = _CandidateSearch(gram, known, within)
        path = search.run(k, retain, include)
        room = min(known.room, max(_RIVALS_OF_A_PICK * count, _MIN_RIVALS))
        wanted = interleave(search.rivals, room)
        if not len(wanted):
            break
    return guess if search.exhausted else path


def measure_in_pass(gram: Gram, path: Path, known: KnownColumns) -> Path:
    """Give a path with what its columns explain exactly, of a matrix that `gram` estimates."""
    known.read(path.indices)
    residual = CandidateResidual(gram, len(path.indices), known)
    for j in path.indices:
        residual.take(int(j))
    return replace(path, retained=residual.retained.copy(), proven=0)


def find_basis(gram: Gram, size: int) -> Floats:
    """Give orthonormal vectors that span most of an estimated matrix, by subspace iteration."""
    width = len(gram.diagonal())
    most = min(_MAX_VECTORS, _MAX_BASIS_BYTES // (8 * width), gram.rank_bound, width // 2)
    count = max(1, min(max(size, _MIN_VECTORS), most))
    vectors = np.random.default_rng(0).normal(size=(width, count))
    for _ in range(_BASIS_ROUNDS):
        vectors = np.linalg.qr(gram.dot(vectors))[0]
    return vectors


def interleave(lists: Sequence[Indices], room: int) -> Indices:
    """Give the first columns of all lists, then the second ones, until there is no room.

    >>> interleave([np.array([3, 5, 6]), np.array([5, 9])], 3)
    array([3, 5, 9])
    """
    found: dict[int, None] = {}
    for turn in zip_longest(*(one[:room].tolist() for one in lists)):
        found |= dict.fromkeys(j for j in turn if j is not None)
    return np.array(list(found)[:room], dtype=np.intp)


class OutsideBounds:
    """Upper bounds of the squared column norms of `R = G - W'W`, from `Q` and `GQ`.

    With `P = I - QQ'` and `E = PRP`, column `j` of `R` is `QQ'Re_j + PRQQ'e_j + Ee_j`. The first
    part is known and orthogonal to the others, the second is known, and `||Ee_j||^2` is at most
    `E_jj` times the largest eigenvalue of `E`, which never grows as columns are taken.
    """

    def __init__(self, start: Floats, known: KnownColumns) -> None:
        assert known.basis is not None
        self._Q, self._image, self._largest = known.basis, known.image.copy(), known.norm_outside
        inner = self._Q.T @ self._image
        outer = self._image - self._Q @ inner
        self._left = start.copy()  # diagonals of R, RQQ', QQ'RQQ', and QQ'RPPRQQ'
        self._cross = np.einsum("ij,ij->i", self._image, self._Q)
        self._inner = np.einsum("ij,ij->i", self._Q @ inner, self._Q)
        self._outer = np.einsum("ij,ij->i", self._Q @ (outer.T @ outer), self._Q)
        # Both are small differences of large numbers: a bound is above what rounding may hide.
        self._hidden = ROUNDING * start, ROUNDING * np.abs(self._outer)

    def follow(self, w: Floats) -> None:
        """Take `ww'` off."""
        b = self._Q.T @ w
        along = self._Q @ b
        outside = w - along
        # PRQ loses (Pw)b', so its square M loses ab' + ba' - |Pw|^2 bb' with a = (PRQ)'Pw.
        a = self._Q @ (self._image.T @ outside)
        self._outer += along * ((outside @ outside) * along - 2 * a)
        self._inner -= along * along
        self._cross -= w * along
        self._left -= w * w
        self._image -= np.outer(w, b)

    def bound_norms(self) -> tuple[Floats, Floats]:
        """Give an estimate and an upper bound of the squared norm of every column of `R`."""
        inside = np.einsum("ij,ij->i", self._image, self._image)
        rest = np.maximum(self._left - 2 * self._cross + self._inner, 0.0) + self._hidden[0]
        outer = np.maximum(self._outer, 0.0) + self._hidden[1]
        most = np.square(np.sqrt(outer) + np.sqrt(self._largest * rest))
        return inside + outer + rest * rest, inside + most


class CandidateResidual(Residual):
    """What is left of the exact matrix; norms are those of the candidates, others mean nothing."""

    def __init__(self, gram: Gram, k: int, known: KnownColumns) -> None:
        super().__init__(gram, k)
        self._known = known

    def find_norms(self) -> Floats:
        """Compute the squared norms of the candidates' columns of `R` afresh."""
        known, norms = self._known, np.zeros(self.left.size)
        for part in row_blocks(*known.panel.shape):
            at = known.columns[part]
            left = known.panel[part] - self.rows[:, at].T @ self.rows
            left[:, self.taken] = 0.0
            norms[at] = np.einsum("ij,ij->i", left, left)
        return norms

    def multiply(self, v: Floats) -> Floats:
        """Give the candidates' entries of `Gv`."""
        product = np.zeros(self.left.size)
        product[self._known.columns] = self._known.panel @ v
        return product

    def read_column(self, j: int) -> Floats:
        """Give a candidate's column of `G`."""
        return self._known.find_column(j)


class _CandidateSearch:
    """One search among the candidates; it notes which other columns might have been better.

    `rivals` has them for every step, the highest bound first; `exhausted` is whether the
    candidates came to an end before the search did.
    """

    def __init__(self, gram: Gram, known: KnownColumns, limits: Limits) -> None:
        self._gram, self._known, self._limits = gram, known, limits
        self._bounds, self._followed = OutsideBounds(gram.diagonal(), known), 0
        self._candidate = np.isin(np.arange(known.width), known.columns)
        self._estimates: Floats = np.zeros(known.width)
        self.rivals: list[Indices] = []
        self.exhausted = False

    def run(self, k: int, retain: float, include: Sequence[int]) -> Path:
        """Take up to `k` candidates, those to include first."""
        residual = CandidateResidual(self._gram, k, self._known)
        path = take_greedily(
            residual,
            k,
            self._score,
            retain=retain,
            include=include,
            usable=lambda left: self._mark_usable(left) & self._candidate,
        )
        self.rivals[: len(include)] = [_NO_RIVALS] * min(len(include), len(self.rivals))
        if residual.size < k and not reaches(residual, retain):
            self._score(residual)
            self.exhausted = len(self.rivals[-1]) > 0
        doubtful = [step for step, rivals in enumerate(self.rivals) if len(rivals)]
        scores = np.where(self._candidate, path.scores, self._estimates)
        return self._limits.explain(
            replace(path, scores=scores, proven=min([*doubtful, len(path.indices)]))
        )

    def _mark_usable(self, residual: Residual) -> Mask:
        return residual.free & ~self._limits.barred

    def _score(self, residual: Residual) -> Floats:
        """Give the gains of the candidates, and note the columns that may gain as much."""
        for w in residual.rows[self._followed :]:
            self._bounds.follow(w)
        self._followed = len(residual.rows)
        usable = self._mark_usable(residual)
        usable[residual.taken] = False
        gains = divide_by_price(error_drop(residual), self._limits.price)
        best = gains[usable & self._candidate].max(initial=0.0)
        outside = usable & ~self._candidate
        size = residual.total * np.where(usable, residual.left, 1.0) * self._limits.price
        self._estimates, most = (
            np.where(outside, norms / size, 0.0) for norms in self._bounds.bound_norms()
        )
        near = np.flatnonzero(outside & (most >= best - TIE * best))
        self.rivals.append(near[np.argsort(-most[near], kind="stable")])
        return gains
