"""Folds: rows to learn from, rows held out, and what kept columns explain of the latter.

All columns are regressed on the kept ones by the training rows. The shrinkage of a regression is
one number for all columns, added to the diagonal of the kept columns' Gram matrix: that of the
smallest error by generalised cross-validation (Golub, Heath and Wahba 1979), which needs no rows.
Every degree of freedom counts as 1.4: of columns that were chosen for the rows, it would shrink too
little otherwise, and hardly at all where they are as many.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy.linalg

from tamis.algorithms.residual import condition
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.rules.search import FREEDOM, PLAIN_REST, SHRINKAGES
from tamis.rules.tolerances import RANK_TOL
from tamis.statistics.gram import Gram
from tamis.statistics.row_blocks import Blocks, Choices, HeldOutRows
from tamis.statistics.summary import Summary
from tamis.values import dataclass

_INDEPENDENT = 1e-4  # of the largest eigenvalue of the kept columns is the smallest, at least


class Regression(NamedTuple):
    """Regressions of all columns of a Gram matrix on some (S), in its own unit.

    `weights` are S x all, `left` is the mean square of what they leave of each column, `inverse` is
    the matrix of the leverage and `freedom` what the regression uses up.
    """

    weights: Floats
    left: Floats
    inverse: Floats
    freedom: float


def regress(gram: Gram, S: Indices, ridge: float, n_rows: int) -> Regression:
    """Regress all columns on some, which may depend on each other.

    With eigenvalues v of `G_SS` the inverse of `G_SS + ridge` has `1 / (v + ridge)`, and the
    weights of n rows have the covariance `s^2 / n` times a matrix with `v / (v + ridge)^2`.
    """
    rows = gram.block(S)
    values, vectors = _decompose(rows[:, S])
    weights = (vectors / (values + ridge)) @ (vectors.T @ rows)
    explained = np.einsum("ij,ij->j", weights, rows)
    fitted = np.einsum("ij,ij->j", weights, rows[:, S] @ weights)
    left = np.maximum(gram.diagonal() - 2 * explained + fitted, 0.0)
    weights[:, S] = np.eye(len(S))
    left[S] = 0.0
    inverse = (vectors * (values / np.square(values + ridge) / n_rows)) @ vectors.T
    return Regression(weights, left, inverse, float((values / (values + ridge)).sum()))


def choose_ridge(gram: Gram, columns: Indices, n_rows: int) -> float:
    """Give the shrinkage with the smallest error by generalised cross-validation.

    Examples
    --------
    Of many rows the plain regression is the best; of few it follows chance.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.5], [0.5, 1.0]]))
    >>> choose_ridge(gram, np.array([0]), 100_000), choose_ridge(gram, np.array([0]), 6) > 0
    (0.0, True)
    """
    rows = gram.block(columns)
    values, vectors = _decompose(rows[:, columns])
    explained = np.square(vectors.T @ rows).sum(axis=1) / values
    total = float(gram.diagonal().sum())
    return float(_choose_by_directions(values[None], explained[None], total, n_rows)[0])


def _decompose(own: Floats) -> tuple[Floats, Floats]:
    """Give the eigenpairs of the kept columns' matrix that are more than rounding."""
    values, vectors = np.linalg.eigh(own)
    useful = values > RANK_TOL * max(float(values[-1]), 0.0)
    return values[useful], vectors[:, useful]


def _choose_by_directions(values: Floats, explained: Floats, total: float, n_rows: int) -> Floats:
    """Choose shrinkages from the variance of orthogonal directions and what each explains.

    Both are arrays of regressions x directions; directions of infinite variance are none.
    """
    rest = np.maximum(total - explained.sum(axis=-1), 0.0)
    shrinkages = np.array(SHRINKAGES)
    known = np.isfinite(values)[:, None]
    used = known / (1.0 + shrinkages[:, None] / values[:, None])  # of every direction
    free = n_rows - FREEDOM * used.sum(axis=-1) - 1.0
    left = rest[:, None] + (np.square(1.0 - used) @ explained[..., None])[..., 0]
    errors = np.where(free > 1.0, left / np.square(np.maximum(free, 1.0)), np.inf)
    chosen = [first_best(-one) if np.isfinite(one).any() else -1 for one in errors]
    return np.asarray(shrinkages[chosen])


class FoldErrors(NamedTuple):
    """Squared errors on held-out rows with 1, 2, ... kept groups; `own` is each group's before."""

    errors: Floats
    own: Floats


@dataclass(frozen=True, eq=False)
class Fold:
    """Training rows, summed up, and held-out rows in their unit.

    Kept columns, or groups of encoded ones, are counted among those that vary in the training rows.
    A `ridge` of None is chosen for each regression. `importance` is how much the error of each
    group counts; without it all count alike, columns that do not vary in the training rows too.
    """

    training: Summary
    held: HeldOutRows
    importance: Floats | None = None

    @property
    def varies(self) -> bool:
        """Whether there is anything to explain, and to explain it by."""
        found = self.held.squares().sum() + self.held.unknown.sum()
        return bool(found > 0 and len(self.training.varying))

    @cached_property
    def weights(self) -> Floats | None:
        """How often the error of each encoded column counts; None where all count once."""
        owner, importance = self.training.groups.owner, self.importance
        return self.held.weigh(None if importance is None else importance[owner])

    @cached_property
    def squares(self) -> Floats:
        """The squared lengths of all encoded columns in the held-out rows."""
        return self.held.diagonal()

    @property
    def total(self) -> float:
        """The squared error with no column kept: all are predicted by their means."""
        squares = self.held.squares()
        if self.importance is None:
            return float(squares.sum() + self.held.unknown.sum())
        return float((self.importance[self.training.groups.owner] * squares).sum())

    def errors(self, kept: Indices, ridge: float | None = 0.0) -> FoldErrors:
        """Give the errors of regressions on the first 1, 2, ... kept groups.

        A ridge is chosen for 1, 2, 4, ... of them, from an eighth of the rows on for a quarter more
        each time, and taken for all that are fewer.
        """
        found = self._regress_on(kept, ridge)
        unknown = self._left_unknown(kept)
        return FoldErrors(found.errors + unknown[1:], found.own - np.diff(unknown))

    def errors_of_sets(self, sets: Sequence[Indices], ridge: float | None) -> Floats:
        """Give the error of the regression on each of several sets of groups."""
        count, sizes = sum(map(len, sets)), self.training.groups.sizes
        errors = np.full(len(sets), np.nan)
        lengths = [int(sizes[kept].sum()) for kept in sets]
        for length in sorted(set(lengths)):
            some = [i for i, own in enumerate(lengths) if own == length]
            errors[some] = self._errors_at_once([sets[i] for i in some], count, ridge)
        for i in np.flatnonzero(np.isnan(errors)).tolist():
            kept = sets[i]
            if ridge is None:
                part = self.keep(kept, count).with_products([len(kept)])
                errors[i] = part.errors(part.choose_ridge()).errors[-1]
            else:
                errors[i] = self._regress_on(kept, ridge).errors[-1]
        if not self.held.unknown.any():
            return errors
        return errors + [self._left_unknown(kept)[-1] for kept in sets]

    def _errors_at_once(self, sets: list[Indices], count: int, ridge: float | None) -> Floats:
        """Give the errors of regressions on sets of as many columns, which have few of them.

        With the eigenvectors of `G_SS` the regressions are `B = (G_SS + s)^-1 G_S`, and the error
        is `tr T - 2 tr(G_S T_S' M) + tr(M G_S G_S' M T_SS)` for `M` the inverse and `T` the sums of
        products of the held-out rows; that of the kept columns themselves is taken off. NaN where
        kept columns are nearly dependent: there it would lose digits.
        """
        every = self.keep(np.concatenate(sets), count)
        own, held, squares, cross = every.sum_up(len(sets))
        weights, diagonal = self.weights, self.training.gram.diagonal()
        values, vectors = np.linalg.eigh(own)
        useful = values > RANK_TOL * values[:, -1:]
        clear = ~(useful & (values < _INDEPENDENT * values[:, -1:])).any(axis=1)
        vectors, values = vectors * useful[:, None], np.where(useful, values, np.inf)
        explained = np.einsum("sij,sij->sj", vectors, squares @ vectors) / values
        total = float(diagonal.sum() if weights is None else weights @ diagonal)
        if ridge is None:
            shrink = _choose_by_directions(values, explained, total, self.training.n_rows)
        else:
            shrink = np.full(len(sets), ridge)
        M = (vectors / (values + shrink[:, None])[:, None]) @ vectors.transpose(0, 2, 1)
        B = M @ own
        alone = np.diagonal(held, axis1=1, axis2=2)
        alone = alone + np.einsum("sij,sij->sj", B, held @ B - 2 * held)
        if weights is not None:
            alone = alone * weights[every.columns].reshape(alone.shape)
        errors = self.squares.sum() if weights is None else weights @ self.squares
        errors = errors - 2 * np.einsum("sij,sji->s", M, cross)
        errors += np.einsum("sij,sji->s", M @ squares @ M, held)
        return np.where(clear, np.maximum(errors - alone.sum(axis=1), 0.0), np.nan)

    def column_totals(self, width: int) -> Floats:
        """Give the squares of each of the `width` columns of the table, without importance."""
        return self._spread(self.training.groups.sum_up(self.held.squares()), width)

    def column_errors(
        self,
        kept: Indices,
        ridge: float | None,
        width: int,
        steps: Sequence[int],
        own: Sequence[int] = (),
    ) -> Floats:
        """Give the error of each of the `width` columns of the table, without importance.

        There is a row for each of these `steps`, numbers of kept groups in ascending order. A ridge
        is chosen as in `errors`, and also for the numbers in `own`.
        """
        found = np.tile(self.column_totals(width), (len(steps), 1))
        part = self.keep_products(kept)
        ends = {last for _, last in _cut_stretches(len(kept), self.training.n_rows)}
        stretches: dict[float, list[tuple[int, int]]] = {}
        for first, last in pairwise([0, *sorted({*ends, *own} - {0})]):
            if any(first < step <= last for step in steps):
                chosen = part.head(last).choose_ridge() if ridge is None else ridge
                stretches.setdefault(chosen, []).append((first, last))
        for chosen, places in stretches.items():
            rows = [i for i, s in enumerate(steps) if any(a < s <= b for a, b in places)]
            counts = [steps[i] for i in rows]
            found[rows] = self._spread(part.head(counts[-1]).leave(chosen, counts), width)
        return found

    def _spread(self, found: Floats, width: int) -> Floats:
        """Give what was found of varying columns, beside what is unknown of the others."""
        every = np.tile(self.held.unknown[:width], (*found.shape[:-1], 1))
        every[..., self.training.varying] += found[..., : len(self.training.varying)]
        return every.reshape(*found.shape[:-1], width)

    def _left_unknown(self, kept: Indices) -> Floats:
        """Sum up the squares of columns that do not vary in the training rows: they stay unknown.

        With importance they are skipped: it is that of the columns that vary.
        """
        if self.importance is not None:
            return np.zeros(len(kept) + 1)
        return self.held.left_unknown(self.training.varying[kept])

    def _regress_on(self, kept: Indices, ridge: float | None) -> FoldErrors:
        part = self.keep(kept, len(kept))
        if ridge is not None:
            return part.errors(ridge)
        stops = _cut_stretches(len(kept), self.training.n_rows)
        part = part.with_products([last for _, last in stops])
        errors, own = np.zeros(len(kept)), np.zeros(len(kept))
        stretches: dict[float, list[tuple[int, int]]] = {}
        for first, last in stops:
            stretches.setdefault(part.head(last).choose_ridge(), []).append((first, last))
        for chosen, own_stretches in stretches.items():
            # The errors of all smaller numbers come with those of the largest.
            found = part.head(own_stretches[-1][1]).errors(chosen)
            for first, last in own_stretches:
                errors[first:last], own[first:last] = (
                    found.errors[first:last],
                    found.own[first:last],
                )
        return FoldErrors(errors, own)

    def keep(self, kept: Indices, count: int) -> "KeptGroups":
        """Keep groups: by rows of the table where all products of these cost less.

        That is where the groups of all sets, `count`, are at least half as many as the rows.
        """
        by_rows = 2 * count >= self.training.gram.rank_bound and self.samples is not None
        return self.keep_samples(kept) if by_rows else self.keep_products(kept)

    def keep_products(self, kept: Indices) -> "KeptGroups":
        """Keep groups by their rows in both matrices."""
        columns = self.training.groups.members(kept)
        rows = self.training.gram.block(columns), self.held.rows(columns)
        return KeptGroups(self, kept, columns, *rows)

    def keep_samples(self, kept: Indices) -> "KeptGroups":
        """Keep groups by their columns in the rows of the table."""
        assert self.samples is not None
        known, held, *products = self.samples
        columns = self.training.groups.members(kept)
        rows = known[:, columns], held[:, columns]
        return KeptGroups(self, kept, columns, *rows, True, tuple(products))

    @cached_property
    def samples(self) -> tuple[Floats, Floats, Floats, Floats] | None:
        """Training rows `Z`, held-out rows `H`, and the products `ZZ'` and `HZ'`.

        None where the matrices are not held by rows, or by many. They are `Z'Z` and `H'H`, and
        nothing is as long as the table is wide. The products serve every set of columns and every
        shrinkage.
        """
        gram, held = self.training.gram, self.held.samples
        known = gram.plain_rows
        kernel = None if held is None or known is None else gram.row_products
        if held is None or known is None or kernel is None:
            return None
        counted = known
        if self.weights is not None:
            roots = np.sqrt(self.weights)
            counted = known * roots
            kernel = counted @ counted.T  # of a matrix with itself, half of the products do
            counted *= roots
        return known, held, kernel, held @ counted.T


def hold_out_blocks(blocks: Blocks, choices: Choices) -> Iterator[Fold]:
    """Hold blocks of rows back in turn; `choices` marks those of the training rows."""
    return (Fold(*pair) for pair in blocks.splits(choices))


# Which columns add something, `P`, `WW'` and the diagonal of `AW'`; `A` and `W` of the columns.
Multiplied = tuple[Indices, Floats, Floats, Floats, Floats, Floats]


@dataclass(frozen=True, eq=False)
class KeptGroups:
    """Groups that are kept in a fold: what serves every number of them and every shrinkage.

    `columns` are those of the groups. `known` and `held` are their rows in the matrices of both
    sides or, where `sampled`, the columns themselves in the rows of the table. `products` are sums
    over all columns of the products of two rows of the matrices or of the table, both of `known`,
    and one of `held`: with them nothing is as long as the table is wide. Only where kept columns
    are nearly dependent those of matrices would lose digits, and there are none.
    """

    fold: Fold
    kept: Indices
    columns: Indices
    known: Floats
    held: Floats
    sampled: bool = False
    products: tuple[Floats, ...] | None = None

    @property
    def sizes(self) -> Indices:
        """How many columns each group has."""
        return self.fold.training.groups.sizes[self.kept]

    @cached_property
    def own(self) -> Floats:
        """The Gram matrix of the kept columns."""
        return self.known.T @ self.known if self.sampled else self.known[:, self.columns]

    def head(self, count: int) -> "KeptGroups":
        """Keep the first groups only."""
        width = int(self.sizes[:count].sum())
        part = (slice(None), slice(width)) if self.sampled else (slice(width),)
        products = self.products
        if products is not None and not self.sampled:
            fits = len(products[0]) >= width
            products = tuple(one[:width, :width] for one in products) if fits else None
        rows = self.known[part], self.held[part]
        return KeptGroups(
            *(self.fold, self.kept[:count], self.columns[:width], *rows, self.sampled, products)
        )

    @property
    def has_products(self) -> bool:
        """Whether the products of all rows of the matrices are known, not of the first only."""
        if self.products is None or self.sampled:
            return False
        return len(self.products[0]) == len(self.columns)

    def with_products(self, counts: Sequence[int]) -> "KeptGroups":
        """Multiply rows of the matrices with each other, for the largest of these numbers that can.

        Where the table itself is held by rows, their products are known.
        """
        for count in [] if self.sampled else sorted(counts, reverse=True):
            width = int(self.sizes[:count].sum())
            values = np.linalg.eigvalsh(self.known[:width, self.columns[:width]])
            if values[0] >= _INDEPENDENT * values[-1]:
                known, weights = self.known[:width], self.fold.weights
                counted = known if weights is None else known * weights
                products = (known @ counted.T, self.held[:width] @ counted.T)
                rows = self.known, self.held
                return KeptGroups(self.fold, self.kept, self.columns, *rows, products=products)
        return self

    def sum_up(self, count: int) -> tuple[Floats, ...]:
        """Give `G_SS`, `T_SS`, `G_S G_S'` and `T_S G_S'` of `count` sets of as many columns."""
        if self.sampled:
            assert self.products is not None
            known, held = (part.T.reshape(count, -1, len(part)) for part in (self.known, self.held))
            again, (kernel, cross) = known.transpose(0, 2, 1), self.products
            sums = (known @ again, held @ held.transpose(0, 2, 1))
            return *sums, known @ kernel @ again, held @ cross @ again
        known, held = (part.reshape(count, -1, part.shape[1]) for part in (self.known, self.held))
        weights, columns = self.fold.weights, self.columns.reshape(count, 1, -1)
        counted = (known if weights is None else known * weights).transpose(0, 2, 1)
        own = [np.take_along_axis(part, columns, axis=2) for part in (known, held)]
        return *own, known @ counted, held @ counted

    def choose_ridge(self) -> float:
        """Choose the shrinkage of the regression on all of them."""
        values, vectors = _decompose(self.own)
        weights, diagonal = self.fold.weights, self.fold.training.gram.diagonal()
        if self.products is not None and (self.sampled or self.has_products):
            seen = self.known @ vectors if self.sampled else vectors
            explained = np.einsum("ij,ij->j", seen, self.products[0] @ seen)
        else:
            seen = np.square(vectors.T @ self.known)
            explained = seen.sum(axis=1) if weights is None else seen @ weights
        total = diagonal.sum() if weights is None else weights @ diagonal
        n_rows = self.fold.training.n_rows
        each = (values[None], (explained / values)[None])
        return float(_choose_by_directions(*each, float(total), n_rows)[0])

    def errors(self, ridge: float) -> FoldErrors:
        """Give the errors with one shrinkage for all numbers of groups.

        With the factor `G_SS + s I = LL'` of the kept columns S and `W = L^-1 G_S` the regressions
        predict `W'q` from `q = L^-1 x_S`. For sums of products `T` of the held-out rows the error
        is `tr T - 2 tr(A W') + tr(P W W')`, where `A = L^-1 T_S` and `P = L^-1 T_SS L^-T`; leading
        parts of `AW'` and `P o WW'` are the errors of fewer columns. That costs `O(k^2 d)` for all
        of them. A kept column is known, whatever predicts it, so its error is taken off again.
        """
        S, weights, diagonal = self.columns, self.fold.weights, self.fold.squares
        ends = np.cumsum(self.sizes)
        starts = ends - self.sizes
        adds, P, WW, AW, own_A, own_W = self.multiply(ridge)
        both = P * WW  # symmetric: of its leading 1 x 1, 2 x 2, ... parts the sums are needed
        steps = np.cumsum(2 * np.tril(both, -1).sum(axis=1) + np.diagonal(both))
        steps -= 2 * np.cumsum(AW)
        taken = np.arange(len(S) + 1)
        rows = np.searchsorted(adds, taken, side="left")  # of W, once so many columns are taken
        total = diagonal.sum() if weights is None else weights @ diagonal
        errors = total + np.concatenate([[0.0], steps])[rows]
        alone = _alone(diagonal[S], own_A, P, own_W)[rows]
        if not ridge:  # such regressions give back their own columns: no rounding in place of 0
            alone[(taken[:, None] > taken[:-1]) & np.isin(taken[:-1], adds)] = 0.0
        if weights is not None:
            alone *= weights[S]
        sums = np.concatenate([np.zeros((len(S) + 1, 1)), np.cumsum(alone, axis=1)], axis=1)
        own = sums[starts, ends] - sums[starts, starts]
        return FoldErrors(np.maximum(errors[ends] - sums[ends, ends], 0.0), np.maximum(own, 0.0))

    def leave(self, ridge: float, counts: Sequence[int]) -> Floats:
        """Give the error of every group with each of these numbers of kept groups.

        They are running sums over the rows of `A`, `P` and `W` (`errors`): `O(k^2 d)` for all.
        """
        adds, A, P, W = self._reduce(ridge)
        diagonal, groups = self.fold.squares, self.fold.training.groups
        ends = np.concatenate([[0], np.cumsum(self.sizes)])[list(counts)]
        rows = np.searchsorted(adds, ends, side="left")
        left = np.maximum(_alone(diagonal, A, P, W, rows), 0.0)
        left = left if self.fold.held.weights is None else self.fold.held.weights * left
        found = groups.sum_up(left)
        for row, count in zip(found, counts, strict=True):
            row[self.kept[:count]] = 0.0
        return found

    def multiply(self, ridge: float) -> Multiplied:
        """Multiply what the errors with one shrinkage need."""
        if not self.sampled:
            return self._multiply_products(ridge) if self.has_products else self._multiply(ridge)
        L = self._factor(ridge)
        if L is None:  # columns depend on each other: slower, and right
            return self.fold.keep_products(self.kept).multiply(ridge)
        # With `V = L^-1 Z_S'` and `U = L^-1 H_S'` it is `W = VZ`, `A = UH`, `WW' = V(ZZ')V'`,
        # `AW' = U(HZ')V'` and `P = UU'`.
        assert self.products is not None
        kernel, cross = self.products
        sides = np.concatenate([self.known.T, self.held.T, self.own], axis=1)
        solved = scipy.linalg.solve_triangular(L, sides, lower=True, check_finite=False)
        V, U, W = np.split(solved, np.cumsum([len(self.known), len(self.held)]), axis=1)
        AW = np.einsum("ij,ij->i", U @ cross, V)
        WW, W = V @ kernel @ V.T, W if ridge else L.T
        return np.arange(len(W)), U @ U.T, WW, AW, U @ self.held, W

    def _multiply_products(self, ridge: float) -> Multiplied:
        """Multiply by the products of the rows: `WW' = L^-1 (G_S G_S') L^-T`, `AW'` likewise."""
        assert self.products is not None
        of_known, of_held = self.products
        count = len(self.columns)
        L = np.asarray(np.linalg.cholesky(self.own + ridge * np.eye(count)), dtype=np.float64)
        inverse = np.linalg.inv(L)
        A, W = inverse @ self.held[:, self.columns], inverse @ self.own if ridge else L.T
        AW = np.einsum("ij,ij->i", inverse @ of_held, inverse)
        WW = inverse @ of_known @ inverse.T
        return np.arange(count), A @ inverse.T, WW, AW, A, W

    def _multiply(self, ridge: float) -> Multiplied:
        """Multiply the rows themselves."""
        S, weights = self.columns, self.fold.weights
        adds, A, P, W = self._reduce(ridge)
        counted = W if weights is None else W * weights
        AW = np.einsum("ij,ij->i", A, counted)
        return adds, P, counted @ W.T, AW, A[:, S], W[:, S]

    def _reduce(self, ridge: float) -> tuple[Indices, Floats, Floats, Floats]:
        """Give which columns add something, `A`, `P` and `W`."""
        S = self.columns
        L = self._factor(ridge)
        if L is None:  # slower, and right where columns depend on each other
            every = condition(self.fold.training.gram, S).W
            adds = np.flatnonzero(every[np.arange(len(S)), S] > 0)
            L, W = every[np.ix_(adds, S[adds])].T, every[adds]
        else:
            adds = np.arange(len(S))
            W = scipy.linalg.solve_triangular(L, self.known, lower=True, check_finite=False)
            if not ridge:
                W[:, S] = L.T
        inverse = np.linalg.inv(L)
        A = inverse @ (self.held if len(adds) == len(S) else self.held[adds])
        return adds, A, A[:, S[adds]] @ inverse.T, W

    def _factor(self, ridge: float) -> Floats | None:
        """Factor `G_SS + ridge` as `LL'`; None where columns nearly follow from those before."""
        with suppress(np.linalg.LinAlgError):
            matrix = self.own + ridge * np.eye(len(self.columns))
            L = np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)
            if ridge or (np.square(np.diagonal(L)) > PLAIN_REST * np.diagonal(self.own)).all():
                return L
        return None


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


def _alone(squares: Floats, A: Floats, P: Floats, W: Floats, rows: Indices | None = None) -> Floats:
    """Give the error of every column with 0, 1, 2, ... rows of `W`, or with these numbers."""
    below = np.tril(P, -1) @ W
    changes = W * (2 * below + np.diagonal(P)[:, None] * W - 2 * A)
    if rows is not None and (rows == len(W)).all():
        return np.tile(squares + changes.sum(axis=0), (len(rows), 1))
    steps = squares + np.concatenate([np.zeros((1, len(squares))), np.cumsum(changes, axis=0)])
    return steps if rows is None else steps[rows]
