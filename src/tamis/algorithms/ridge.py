"""Regressions of all columns on the kept ones, shrunken where rows are few, and their error.

The shrinkage of a regression is one number for all columns, added to the diagonal of the kept
columns' Gram matrix: that of the smallest error by generalised cross-validation (Golub, Heath and
Wahba 1979), which needs no rows. Every degree of freedom counts as 1.4: of columns that were chosen
for the rows, it would shrink too little otherwise, and hardly at all where they are as many.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy.linalg

from tamis.algorithms.residual import condition
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram
from tamis.statistics.grouped import GroupedGram
from tamis.statistics.row_blocks import HeldOutRows

# The rows of kept columns in two Gram matrices, and what regressions on the columns need of them.
#
# One matrix is that of the rows that are known, the other that of held-out rows.
SHRINKAGES = (0.0, *(10.0 ** (np.arange(-16, 7) / 4)).tolist())  # of a column's variance
_INDEPENDENT = 1e-4  # of the largest eigenvalue of the kept columns is the smallest, at least
FREEDOM = 1.4  # degrees that a direction takes: the columns were chosen for these very rows
PLAIN_REST = 1e-6  # of a column is left: no digits that matter are lost


class Multiplied(NamedTuple):
    """Which columns add something, `P`, `WW'` and the diagonal of `AW'`; `A` and `W` of them."""

    adds: Indices
    P: Floats
    WW: Floats
    AW: Floats
    own_A: Floats
    own_W: Floats


class KeptRows(NamedTuple):
    """The rows of the kept columns in both matrices: computed once for every size and shrinkage.

    `columns` are those of the kept groups, of so many `sizes`; `squares` is the diagonal of the
    held-out rows' matrix. `products` are sums over all columns of the products of two such rows,
    both of `known`, and one of `held`: with them nothing is as long as the table is wide. Only
    where kept columns are nearly dependent they would lose digits, and there are none.
    """

    gram: Gram
    columns: Indices
    sizes: Indices
    known: Floats
    held: Floats
    squares: Floats
    weights: Floats | None
    products: tuple[Floats, ...] | None = None

    @classmethod
    def of(
        cls,
        statistic: GroupedGram,
        held_rows: HeldOutRows,
        kept: Indices,
        importance: Floats | None,
    ) -> "KeptRows":
        """Take them from both matrices; `importance` is that of the groups."""
        gram, groups = statistic.gram, statistic.groups
        columns = groups.members(kept)
        known, held = gram.block(columns), held_rows.rows(columns)
        weights = held_rows.weigh(None if importance is None else importance[groups.owner])
        squares = held_rows.diagonal()
        return cls(gram, columns, groups.sizes[kept], known, held, squares, weights)

    def head(self, count: int) -> "KeptRows":
        """Give the same of the first groups."""
        sizes = self.sizes[:count]
        width = int(sizes.sum())
        return self._replace(
            columns=self.columns[:width],
            sizes=sizes,
            known=self.known[:width],
            held=self.held[:width],
            products=self._cut_products(width),
        )

    @property
    def has_products(self) -> bool:
        """Whether the products of all rows are known, not of the first only."""
        return self.products is not None and len(self.products[0]) == len(self.columns)

    def _cut_products(self, width: int) -> tuple[Floats, ...] | None:
        if self.products is None or len(self.products[0]) < width:
            return None
        return tuple(one[:width, :width] for one in self.products)

    def with_products(self, counts: Sequence[int]) -> "KeptRows":
        """Give the same with the products of its rows, of the largest of these numbers that can."""
        for count in sorted(counts, reverse=True):
            width = int(self.sizes[:count].sum())
            values = np.linalg.eigvalsh(self.known[:width, self.columns[:width]])
            if values[0] >= _INDEPENDENT * values[-1]:
                known = self.known[:width]
                counted = known if self.weights is None else known * self.weights
                return self._replace(products=(known @ counted.T, self.held[:width] @ counted.T))
        return self

    def multiply(self, shrink: float) -> Multiplied:
        """Multiply what the errors with one shrinkage need."""
        return (_multiply_products if self.has_products else _multiply_rows)(self, shrink)

    def choose_ridge(self, n_rows: int) -> float:
        """Choose the shrinkage of the regression on all of them."""
        if self.products is not None and self.has_products:
            values, vectors = np.linalg.eigh(self.known[:, self.columns])
            explained = np.einsum("ij,ij->j", vectors, self.products[0] @ vectors) / values
            diagonal = self.gram.diagonal()
            whole = diagonal.sum() if self.weights is None else self.weights @ diagonal
            return choose_by_directions(values, explained, float(whole), n_rows)
        return choose_by_rows(self.known, self.columns, self.gram.diagonal(), n_rows, self.weights)


def choose_by_rows(
    rows: Floats, columns: Indices, diagonal: Floats, n_rows: int, weights: Floats | None
) -> float:
    """Do the same from the rows of these columns in the matrix, and its diagonal."""
    values, vectors = decompose_kept(rows[:, columns])
    seen = np.square(vectors.T @ rows)
    whole = diagonal.sum() if weights is None else weights @ diagonal
    explained = (seen.sum(axis=1) if weights is None else seen @ weights) / values
    return choose_by_directions(values, explained, float(whole), n_rows)


def decompose_kept(own: Floats) -> tuple[Floats, Floats]:
    """Give the eigenpairs of the kept columns' matrix that are more than rounding."""
    values, vectors = np.linalg.eigh(own)
    useful = values > RANK_TOL * max(float(values[-1]), 0.0)
    return values[useful], vectors[:, useful]


def choose_by_directions(values: Floats, explained: Floats, whole: float, n_rows: int) -> float:
    """Do the same from the variance of orthogonal directions and what each explains."""
    rest = max(float(whole - explained.sum()), 0.0)
    shrinkages = np.array(SHRINKAGES)
    used = values / (values + shrinkages[:, None])  # of every direction
    free = n_rows - FREEDOM * used.sum(axis=1) - 1.0
    errors = np.full(len(shrinkages), np.inf)
    fit = free > 1.0
    errors[fit] = (rest + np.square(1.0 - used[fit]) @ explained) / np.square(free[fit])
    if not fit.any():
        return float(shrinkages[-1])
    return float(shrinkages[first_best(-errors)])


def _multiply_products(kept: KeptRows, shrink: float) -> Multiplied:
    """Multiply by the products of the rows: `WW' = L^-1 (G_S G_S') L^-T`, `AW'` likewise."""
    assert kept.products is not None
    S, of_known, of_held = kept.columns, *kept.products
    own = kept.known[:, S]
    L = np.asarray(np.linalg.cholesky(own + shrink * np.eye(len(S))), dtype=np.float64)
    inverse = np.linalg.inv(L)
    A, W = inverse @ kept.held[:, S], inverse @ own if shrink else L.T
    AW = np.einsum("ij,ij->i", inverse @ of_held, inverse)
    return Multiplied(np.arange(len(S)), A @ inverse.T, inverse @ of_known @ inverse.T, AW, A, W)


def _multiply_rows(kept: KeptRows, shrink: float) -> Multiplied:
    """Multiply the rows themselves."""
    S, weights = kept.columns, kept.weights
    adds, L, W = _factor(kept, shrink)
    inverse = np.linalg.inv(L)
    A = inverse @ (kept.held if len(adds) == len(S) else kept.held[adds])
    counted = W if weights is None else W * weights
    AW = np.einsum("ij,ij->i", A, counted)
    return Multiplied(adds, A[:, S[adds]] @ inverse.T, counted @ W.T, AW, A[:, S], W[:, S])


def _factor(found: KeptRows, shrink: float) -> tuple[Indices, Floats, Floats]:
    """Give the positions of columns that those before do not reproduce, `L` and `W` of these."""
    rows, S = found.known, found.columns
    kept = rows[:, S]
    with suppress(np.linalg.LinAlgError):
        L = np.asarray(np.linalg.cholesky(kept + shrink * np.eye(len(S))), dtype=np.float64)
        if shrink or (np.square(np.diagonal(L)) > PLAIN_REST * np.diagonal(kept)).all():
            W = scipy.linalg.solve_triangular(L, rows, lower=True, check_finite=False)
            if not shrink:
                W[:, S] = L.T
            return np.arange(len(S)), L, W
    W = condition(found.gram, S).W  # slower, and right where columns depend on each other
    adds = np.flatnonzero(W[np.arange(len(S)), S] > 0)
    return adds, W[np.ix_(adds, S[adds])].T, W[adds]


# Regressions on kept columns of a table held by its rows: nothing is as long as the table is wide.
#
# With the rows `Z` that are known and the held-out rows `H` the matrices are `Z'Z` and `H'H`. What
# `KeptRows` multiplies follows from the products of rows: with `V = L^-1 Z_S'` and `U = L^-1 H_S'`
# it is `W = VZ`, `A = UH`, `WW' = V(ZZ')V'`, `AW' = U(HZ')V'` and `P = UU'`. The products of rows
# are computed once, for every set of columns and every shrinkage.
class SampleFold(NamedTuple):
    """Known and held-out rows, with the products of both (`kernel`, `cross`).

    `squares` are the lengths of the held-out columns; `weights` say how much each column counts.
    """

    statistic: GroupedGram
    held_rows: HeldOutRows
    known: Floats
    held: Floats
    kernel: Floats
    cross: Floats
    squares: Floats
    importance: Floats | None
    weights: Floats | None

    @classmethod
    def of(
        cls, statistic: GroupedGram, held_rows: HeldOutRows, importance: Floats | None
    ) -> "SampleFold | None":
        """Multiply the rows; None where the matrices are not held by rows, or by too many."""
        gram, held = statistic.gram, held_rows.samples
        known = gram.plain_rows
        kernel = None if held is None or known is None else gram.row_products
        if held is None or known is None or kernel is None:
            return None
        counted = known
        weights = held_rows.weigh(
            None if importance is None else importance[statistic.groups.owner]
        )
        if weights is not None:
            roots = np.sqrt(weights)
            counted = known * roots
            kernel = counted @ counted.T  # of a matrix with itself, half of the products do
            counted *= roots
        cross, squares = held @ counted.T, held_rows.diagonal()
        given = (statistic, held_rows, known, held, kernel, cross, squares)
        return cls(*given, importance, weights)

    def keep(self, kept: Indices) -> "KeptSamples":
        """Give the regressions on these groups."""
        groups = self.statistic.groups
        columns = groups.members(kept)
        return KeptSamples(
            self, kept, columns, groups.sizes[kept], self.known[:, columns], self.held[:, columns]
        )


class KeptSamples(NamedTuple):
    """The kept groups' columns in the known and in the held-out rows of a fold."""

    fold: SampleFold
    kept: Indices
    columns: Indices
    sizes: Indices
    known: Floats
    held: Floats

    @property
    def squares(self) -> Floats:
        """The squared lengths of all columns in the held-out rows."""
        return self.fold.squares

    @property
    def weights(self) -> Floats | None:
        """How much each column counts."""
        return self.fold.weights

    def head(self, count: int) -> "KeptSamples":
        """Give the same of the first groups."""
        return self.fold.keep(self.kept[:count])

    def choose_ridge(self, n_rows: int) -> float:
        """Choose the shrinkage of the regression on all of them."""
        values, vectors = decompose_kept(self.known.T @ self.known)
        seen = self.known @ vectors
        explained = np.einsum("ij,ij->j", seen, self.fold.kernel @ seen) / values
        diagonal = self.fold.statistic.gram.diagonal()
        whole = diagonal.sum() if self.weights is None else self.weights @ diagonal
        return choose_by_directions(values, explained, float(whole), n_rows)

    def multiply(self, shrink: float) -> Multiplied:
        """Multiply what the errors with one shrinkage need."""
        own, count = self.known.T @ self.known, len(self.columns)
        with suppress(np.linalg.LinAlgError):
            L = np.asarray(np.linalg.cholesky(own + shrink * np.eye(count)), dtype=np.float64)
            if shrink or (np.square(np.diagonal(L)) > PLAIN_REST * np.diagonal(own)).all():
                return self._multiply_with(L, own, shrink)
        fold = self.fold  # columns depend on each other: slower, and right
        rows = KeptRows.of(fold.statistic, fold.held_rows, self.kept, fold.importance)
        return rows.multiply(shrink)

    def _multiply_with(self, L: Floats, own: Floats, shrink: float) -> Multiplied:
        sides = np.concatenate([self.known.T, self.held.T, own], axis=1)
        solved = scipy.linalg.solve_triangular(L, sides, lower=True, check_finite=False)
        V, U, W = np.split(solved, np.cumsum([len(self.known), len(self.held)]), axis=1)
        AW = np.einsum("ij,ij->i", U @ self.fold.cross, V)
        WW, W = V @ self.fold.kernel @ V.T, W if shrink else L.T
        return Multiplied(np.arange(len(W)), U @ U.T, WW, AW, U @ self.held, W)


Kept = KeptRows | KeptSamples


class GroupErrors(NamedTuple):
    """Squared errors on held-out rows with 1, 2, ... kept groups; `own` is each group's before."""

    errors: Floats
    own: Floats


def choose_ridge(gram: Gram, columns: Indices, n_rows: int, weights: Floats | None = None) -> float:
    """Give the shrinkage with the smallest error by generalised cross-validation.

    `weights` says how much each column of the matrix counts.

    Examples
    --------
    Of many rows the plain regression is the best; of few it follows chance.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.5], [0.5, 1.0]]))
    >>> choose_ridge(gram, np.array([0]), 100_000), choose_ridge(gram, np.array([0]), 6) > 0
    (0.0, True)
    """
    return choose_by_rows(gram.block(columns), columns, gram.diagonal(), n_rows, weights)


def predict_held_out(
    statistic: GroupedGram,
    held_rows: HeldOutRows,
    kept: Indices,
    *,
    n_rows: int,
    shrink: float | None = 0.0,
    importance: Floats | None = None,
) -> GroupErrors:
    """Give the errors on held-out rows of regressions on the first 1, 2, ... kept groups.

    With `shrink=None` it is chosen for 1, 2, 4, ... of them, from an eighth of the rows on for a
    quarter more each time, and taken for all that are fewer.
    `importance` is how much each group's error counts.
    """
    kept_rows = _find_keeper(statistic, held_rows, importance, len(kept))(kept)
    if shrink is not None:
        return _errors(kept_rows, shrink)
    stops = _cut_stretches(len(kept), n_rows)
    kept_rows = _with_products(kept_rows, [last for _, last in stops])
    errors, own = np.zeros(len(kept)), np.zeros(len(kept))
    stretches: dict[float, list[tuple[int, int]]] = {}
    for first, last in stops:
        stretches.setdefault(kept_rows.head(last).choose_ridge(n_rows), []).append((first, last))
    for ridge, own_stretches in stretches.items():
        # The errors of all smaller numbers come with those of the largest.
        found = _errors(kept_rows.head(own_stretches[-1][1]), ridge)
        for first, last in own_stretches:
            errors[first:last], own[first:last] = found.errors[first:last], found.own[first:last]
    return GroupErrors(errors, own)


def predict_with_each(
    statistic: GroupedGram,
    held_rows: HeldOutRows,
    sets: Sequence[Indices],
    *,
    n_rows: int,
    importance: Floats | None = None,
) -> Floats:
    """Give the error on held-out rows of the regression on each of several sets of groups."""
    keep = _find_keeper(statistic, held_rows, importance, sum(map(len, sets)))
    errors = np.zeros(len(sets))
    for i, kept in enumerate(sets):
        rows = _with_products(keep(kept), [len(kept)])
        errors[i] = _errors(rows, rows.choose_ridge(n_rows)).errors[-1]
    return errors


def _find_keeper(
    statistic: GroupedGram, held_rows: HeldOutRows, importance: Floats | None, count: int
) -> Callable[[Indices], Kept]:
    """Give what keeps groups: by rows of the table where all products of these cost less.

    That is where the groups of all sets, `count`, are at least half as many as the rows.
    """
    fold = None
    if 2 * count >= statistic.gram.rank_bound:
        fold = SampleFold.of(statistic, held_rows, importance)
    if fold is not None:
        return fold.keep
    return lambda kept: KeptRows.of(statistic, held_rows, kept, importance)


def _with_products(kept: Kept, counts: Sequence[int]) -> Kept:
    """Multiply the rows of the matrix with each other for these numbers of groups."""
    return kept.with_products(counts) if isinstance(kept, KeptRows) else kept


def _cut_stretches(count: int, n_rows: int) -> list[tuple[int, int]]:
    """Cut a count into stretches that end at 1, 2, 4, ... and at the count itself.

    From an eighth of the rows on every column changes much, and an end is a quarter beyond another.

    >>> _cut_stretches(6, 100), _cut_stretches(12, 40)
    ([(0, 1), (1, 2), (2, 4), (4, 6)], [(0, 1), (1, 2), (2, 4), (4, 8), (8, 10), (10, 12)])
    """
    ends = [0]
    while ends[-1] < count:
        last = ends[-1]
        ends.append(min(max(2 * last if 8 * last < n_rows else last + last // 4, last + 1), count))
    return list(pairwise(ends))


def _errors(kept: Kept, shrink: float) -> GroupErrors:
    """Give the errors with one shrinkage for all numbers of groups.

    With the factor `G_SS + s I = LL'` of the kept columns S and `W = L^-1 G_S` the regressions
    predict `W'q` from `q = L^-1 x_S`. For sums of products `T` of the held-out rows the error is
    `tr T - 2 tr(A W') + tr(P W W')`, where `A = L^-1 T_S` and `P = L^-1 T_SS L^-T`; leading parts
    of `AW'` and `P o WW'` are the errors of fewer columns. That costs `O(k^2 d)` for all of them.
    A kept column is known, whatever predicts it, so its error is taken off again.
    """
    S, weights, diagonal = kept.columns, kept.weights, kept.squares
    ends = np.cumsum(kept.sizes)
    starts = ends - kept.sizes
    adds, P, WW, AW, own_A, own_W = kept.multiply(shrink)
    steps = _sum_leading_blocks(P * WW) - 2 * np.cumsum(AW)
    taken = np.arange(len(S) + 1)
    rows = np.searchsorted(adds, taken, side="left")  # of W, once so many columns are taken
    whole = diagonal.sum() if weights is None else weights @ diagonal
    errors = whole + np.concatenate([[0.0], steps])[rows]
    alone = _alone(diagonal[S], own_A, P, own_W)[rows]
    if not shrink:  # such regressions give back their own columns: no rounding in place of 0
        alone[(taken[:, None] > taken[:-1]) & np.isin(taken[:-1], adds)] = 0.0
    if weights is not None:
        alone *= weights[S]
    sums = np.concatenate([np.zeros((len(S) + 1, 1)), np.cumsum(alone, axis=1)], axis=1)
    own = sums[starts, ends] - sums[starts, starts]
    return GroupErrors(np.maximum(errors[ends] - sums[ends, ends], 0.0), np.maximum(own, 0.0))


def _alone(squares: Floats, A: Floats, P: Floats, W: Floats) -> Floats:
    """Give the error of every kept column with 0, 1, 2, ... rows of `W` (rows + 1 x columns)."""
    below = np.tril(P, -1) @ W
    steps = np.cumsum(W * (2 * below + np.diagonal(P)[:, None] * W - 2 * A), axis=0)
    return squares + np.concatenate([np.zeros((1, len(squares))), steps])


def _sum_leading_blocks(matrix: Floats) -> Floats:
    """Sum the leading 1 x 1, 2 x 2, ... parts of a symmetric matrix."""
    below = np.tril(matrix, -1).sum(axis=1)
    return np.cumsum(2 * below + np.diagonal(matrix))
