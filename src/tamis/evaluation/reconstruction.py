"""How well the kept columns reproduce the rest: shares, ceiling and explanation."""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.residual import Residual, condition
from tamis.numerics.types import Floats, Indices
from tamis.rules.search import ENOUGH_OF_SHARE, MAX_CARRIERS
from tamis.rules.tolerances import MINOR, RANK_TOL, TIE
from tamis.statistics.gram import Gram
from tamis.values import dataclass

_ROWS_AT_A_TIME = 4096
_MAX_TARGET_CELLS = 1 << 22  # kept columns times targets that are worked on at once
_MAX_HELD_CELLS = 1 << 26  # kept columns times all columns that are held as an array


def bound_by_components(gram: Gram, k: int) -> Floats:
    """Give the share of variance that the first 1..k principal components explain.

    No set of columns can reproduce more.
    """
    total = float(gram.diagonal().sum())
    values = gram.eigenvalues(k)
    shares = np.minimum(np.cumsum(values) / total, 1.0)
    return np.concatenate([shares, np.ones(k - len(shares))])


@dataclass(frozen=True, eq=False)
class Reproduction:
    """How the kept columns, taken in order, relate to all columns.

    `shares` (k x d) is what the first 1..k kept columns reproduce of every column, `links` (k x d)
    the correlation of every kept column with every column.
    """

    kept: Indices
    shares: Floats
    links: Floats

    @property
    def width(self) -> int:
        """Number of all columns."""
        return self.shares.shape[1]

    def shares_at(self, step: int) -> Floats:
        """Give what the first `step` kept columns reproduce of every column."""
        return self.shares[step - 1]

    def shares_between(self, first: int, last: int) -> Floats:
        """Give what the first `first + 1` to `last` kept columns reproduce, a row for each."""
        return self.shares[first:last]

    def links_to(self, step: int, columns: Indices) -> Floats:
        """Give the correlations of the first `step` kept columns with these."""
        return self.links[:step, columns]

    def links_of(self, positions: Indices, step: int) -> Floats:
        """Give those of some kept columns, by position, with the first `step` kept columns."""
        return self.links[np.ix_(positions, self.kept[:step])]


class FactoredReproduction:
    """The same from the factor of the kept columns: its rows are as many as the rank at most.

    For many kept columns of a table with few rows, where an array of k x d would not fit.
    """

    def __init__(self, kept: Indices, residual: Residual, width: int | None = None) -> None:
        rows, start = residual.rows[:, :width], residual.start[:width]
        self.kept, self.width, self._adding = kept, start.size, residual.adding
        self._unit = rows / np.sqrt(start)
        self._sums = np.cumsum(np.square(rows), axis=0) / start

    def shares_at(self, step: int) -> Floats:
        """Give what the first `step` kept columns reproduce of every column."""
        return self.shares_between(step - 1, step)[0]

    def shares_between(self, first: int, last: int) -> Floats:
        """Give what the first `first + 1` to `last` kept columns reproduce, a row for each."""
        # A kept column that those before it reproduce adds no row.
        counts = np.searchsorted(self._adding, np.arange(first, last), side="right")
        shares = np.where(counts[:, None] > 0, self._sums[np.maximum(counts, 1) - 1], 0.0)
        shares[:, self.kept[:first]] = 1.0
        here = self.kept[first:last]
        shares[:, here] = np.where(np.tri(len(here), dtype=bool), 1.0, shares[:, here])
        return np.clip(shares, 0.0, 1.0)

    def links_to(self, step: int, columns: Indices) -> Floats:
        """Give the correlations of the first `step` kept columns with these."""
        return np.asarray(self._unit[:, self.kept[:step]].T @ self._unit[:, columns])

    def links_of(self, positions: Indices, step: int) -> Floats:
        """Give those of some kept columns, by position, with the first `step` kept columns."""
        kept = self.kept
        return np.asarray(self._unit[:, kept[positions]].T @ self._unit[:, kept[:step]])


Known = Reproduction | FactoredReproduction


def relate_to_kept(gram: Gram, kept: Sequence[int] | Indices, width: int | None = None) -> Known:
    """Relate the first `width` columns to the kept ones, from one pass over the matrix for each."""
    kept = np.asarray(kept, dtype=np.intp)
    residual = condition(gram, kept)
    start = residual.start[:width]
    if len(kept) * start.size > _MAX_HELD_CELLS:
        return FactoredReproduction(kept, residual, width)
    W = residual.W[:, :width]
    shares = np.cumsum(np.square(W), axis=0) / start
    shares[:, kept] = np.where(np.tri(len(kept), dtype=bool), 1.0, shares[:, kept])
    # The rows of W are orthonormal columns seen from every column: G[kept] = W[:, kept]' W.
    # An empty row stands for a kept column that those before it reproduce.
    links = W[:, kept].T @ W
    size = np.sqrt(start)
    links /= size
    links /= size[kept, None]
    return Reproduction(kept, np.clip(shares, 0.0, 1.0), links)


@dataclass(frozen=True, eq=False)
class Carriers:
    """For each target column the few kept columns that carry it.

    `positions` count among the kept columns (-1 where fewer are needed), `weights` the
    coefficients of standardised columns, `shares` what these few reproduce together.
    """

    positions: Indices
    weights: Floats
    shares: Floats


def pick_carriers(known: Known, step: int, targets: Indices, most: int = MAX_CARRIERS) -> Carriers:
    """Pick for each target up to `most` of the first `step` kept columns, the best first.

    Columns are added until they reach 95% of what the `step` columns together reproduce.
    """
    goal = ENOUGH_OF_SHARE * known.shares_at(step)
    chunk = max(1, min(_ROWS_AT_A_TIME, _MAX_TARGET_CELLS // step))
    parts = [
        _pursue(known, known.links_to(step, part), goal[part], most)
        for part in np.array_split(targets, max(1, -(-len(targets) // chunk)))
    ]
    return Carriers(*(np.concatenate([part[i] for part in parts]) for i in range(3)))


def _pursue(
    known: Known, with_targets: Floats, goal: Floats, most: int
) -> tuple[Indices, Floats, Floats]:
    """Run orthogonal matching pursuit for all targets at once, on correlations."""
    k, m = with_targets.shape
    most = min(most, k)
    positions = np.full((m, most), -1, dtype=np.intp)
    weights, shares = np.zeros((m, most)), np.zeros(m)
    link = with_targets.T.copy()  # covariance of each target's residual with every kept column
    left = np.ones((m, k))  # variance left of every kept column, given the target's picks
    basis = np.zeros((most, m, k))  # orthonormalised picks, seen from every kept column
    for step in range(most):
        gain = np.divide(link**2, left, out=np.zeros_like(link), where=left > RANK_TOL)
        pick = np.argmax(gain >= gain.max(axis=1, keepdims=True) * (1 - TIE), axis=1)
        at = np.arange(m)
        useful = (shares < goal) & (gain[at, pick] > MINOR)
        if not useful.any():
            break
        root = np.sqrt(np.where(useful, left[at, pick], 1.0))
        done = basis[:step, at, pick]
        fresh = (known.links_of(pick, k) - np.einsum("sm,smk->mk", done, basis[:step])) / root[
            :, None
        ]
        fresh[~useful] = 0.0
        basis[step] = fresh
        coefficient = np.where(useful, link[at, pick] / root, 0.0)
        link -= coefficient[:, None] * fresh
        left = np.maximum(left - fresh**2, 0.0)
        shares += np.where(useful, gain[at, pick], 0.0)
        positions[useful, step] = pick[useful]
    _solve(known, with_targets, positions, weights)
    return positions, weights, np.minimum(shares, 1.0)


def _solve(known: Known, with_targets: Floats, positions: Indices, weights: Floats) -> None:
    """Regress every target on its picks; all targets with equally many picks at once."""
    counts = (positions >= 0).sum(axis=1)
    for count in range(1, positions.shape[1] + 1):
        rows = np.flatnonzero(counts == count)
        if rows.size:
            picks = positions[rows, :count]
            among = known.links_of(picks.ravel(), len(with_targets))
            among = among.reshape(len(rows), count, -1)
            matrix = np.take_along_axis(among, picks[:, None, :], axis=2)
            right = with_targets[picks, rows[:, None]]
            weights[rows, :count] = np.linalg.solve(matrix, right[..., None])[..., 0]
