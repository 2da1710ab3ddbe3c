"""The rows of kept columns in two Gram matrices, and what regressions on the columns need of them.

One matrix is that of the rows that are known, the other that of held-out rows.
"""

from collections.abc import Sequence
from contextlib import suppress
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
