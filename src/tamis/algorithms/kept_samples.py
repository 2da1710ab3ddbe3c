"""Regressions on kept columns of a table held by its rows: nothing is as long as the table is wide.

With the rows `Z` that are known and the held-out rows `H` the matrices are `Z'Z` and `H'H`. What
`KeptRows` multiplies follows from the products of rows: with `V = L^-1 Z_S'` and `U = L^-1 H_S'`
it is `W = VZ`, `A = UH`, `WW' = V(ZZ')V'`, `AW' = U(HZ')V'` and `P = UU'`. The products of rows
are computed once, for every set of columns and every shrinkage.
"""

from contextlib import suppress
from typing import NamedTuple

import numpy as np
import scipy.linalg

from tamis.algorithms.kept_rows import (
    PLAIN_REST,
    KeptRows,
    Multiplied,
    choose_by_directions,
    decompose_kept,
)
from tamis.numerics.types import Floats, Indices
from tamis.statistics.grouped import GroupedGram
from tamis.statistics.row_blocks import HeldOutRows


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
