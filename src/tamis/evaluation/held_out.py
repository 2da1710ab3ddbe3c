"""What the kept columns explain of rows not used to choose them.

Every fold holds back some of the blocks of rows (`statistics.blocks`). On the other rows, the
training rows, the columns are chosen anew by the same method and all columns are regressed on them.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from tamis.algorithms.path import Path
from tamis.algorithms.residual import condition
from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.statistics.blocks import Blocks, Choices, HeldOutRows
from tamis.statistics.gram import Gram
from tamis.statistics.linear import TableSummary

N_FOLDS = 10
CLEAR = 2.0  # standard errors beyond which a difference is more than noise
_PLAIN = 1e-6  # of a column is left: no digits that matter are lost

Find = Callable[[TableSummary], Path]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Squared errors on held-out rows, by fold.

    Attributes
    ----------
    errors
        Sum over all columns of a fold's rows with 1, 2, ... kept columns (folds x k).
    own
        What each kept column adds by being known itself: its squared error just before (folds x k).
    totals
        The same with none: every column predicted by its mean over the training rows.
    kept
        The columns kept in each fold, best first.
    """

    errors: Floats
    own: Floats
    totals: Floats
    kept: tuple[Indices, ...]

    @property
    def share(self) -> Floats:
        """Share explained, over all folds: 1 less the sum of the errors over that of the totals."""
        return np.asarray(1.0 - self.errors.sum(axis=0) / self.totals.sum())

    @property
    def std(self) -> Floats:
        """Standard deviation of the folds' shares, each weighted with its total."""
        count, weights = len(self.totals), self.totals / self.totals.sum()
        shares = 1.0 - self.errors / self.totals[:, None]
        squares = np.square(shares - weights @ shares)
        return np.sqrt(weights @ squares * count / max(count - 1, 1))

    @property
    def standard_error(self) -> Floats:
        """Standard error of the share: its standard deviation over the root of the folds."""
        return np.asarray(self.std / np.sqrt(len(self.totals)))

    @property
    def peak(self) -> int | None:
        """The number of columns that explains most, where all of them explain clearly less.

        Clearly is by more than two standard errors of the difference. Folds differ more from each
        other than numbers of columns do, so the difference is taken within each fold.
        """
        best = int(self.share.argmax())
        weights = self.totals / self.totals.sum()
        less = (self.errors[:, -1] - self.errors[:, best]) / self.totals
        mean = weights @ less
        count = len(self.totals)
        error = np.sqrt(weights @ np.square(less - mean) / max(count - 1, 1))
        return best + 1 if mean > CLEAR * error else None

    def head(self, k: int) -> "HeldOut":
        """Give the same for the first `k` columns of every fold."""
        kept = tuple(columns[:k] for columns in self.kept)
        return HeldOut(self.errors[:, :k], self.own[:, :k], self.totals, kept)


def fold_choices(count: Indices, n_folds: int = N_FOLDS) -> Choices:
    """Mark for every fold the blocks of its training rows: all but every tenth.

    A fold without rows is none.
    """
    blocks = np.arange(len(count))
    n_folds = min(n_folds, len(count))
    choices = np.array([blocks % n_folds != fold for fold in range(n_folds)])
    return np.asarray(choices[(~choices @ count > 0) & (choices @ count > 1)])


def held_out(blocks: Blocks, find: Find, k: int, choices: Choices | None = None) -> HeldOut:
    """Hold rows back in turn; `find` chooses up to `k` columns on the training rows.

    `choices` marks the blocks of the training rows, fold by fold. A fold in which nothing varies is
    none.
    """
    choices = fold_choices(blocks.count) if choices is None else choices
    errors, own, totals, sets = [], [], [], []
    for known, held_rows in track("folds", blocks.splits(choices), len(choices)):
        total = held_rows.diagonal().sum()
        if not total > 0:
            continue
        kept = find(known).indices[:k]
        fold = _padded(held_out_errors(known.gram, held_rows, kept), k, total)
        errors.append(fold[0])
        own.append(fold[1])
        totals.append(total)
        sets.append(known.varying[kept])
    if len(totals) < 2:
        raise TamisError(
            f"{int(blocks.count.sum())} rows are too few to hold some back: give a table with more "
            "rows that differ."
        )
    return HeldOut(np.array(errors), np.array(own), np.array(totals), tuple(sets))


def held_out_errors(gram: Gram, held_rows: HeldOutRows, kept: Indices) -> tuple[Floats, Floats]:
    """Give the squared error on held-out rows with the first 1, 2, ... kept columns; and `own`.

    `gram` is that of the training rows. With the factor `G_SS = LL'` of the kept columns S and
    `W = L^-1 G_S` the regressions predict `W'q` from the orthonormal `q = L^-1 x_S`. For sums of
    products `T` of the held-out rows the error is `tr T - 2 tr(A W') + tr(P W W')`, where
    `A = L^-1 T_S` and `P = L^-1 T_SS L^-T`; leading parts of `AW'` and `P o WW'` are the errors of
    fewer columns. That costs `O(k^2 d)` for all of them, without a d x d matrix.
    """
    adds, W = _factor(gram, kept)
    S = kept[adds]
    inverse = np.linalg.inv(W[:, S].T)
    A = inverse @ held_rows.rows(S)
    P = A[:, S] @ inverse.T
    diagonal = held_rows.diagonal()
    steps = _leading(P * (W @ W.T)) - 2 * np.cumsum(np.einsum("ij,ij->i", A, W))
    known = np.searchsorted(adds, np.arange(len(kept)), side="right")  # how many add something
    errors = diagonal.sum() + np.concatenate([[0.0], steps])[known]
    own = np.zeros(len(kept))
    own[adds] = np.square(np.diagonal(W[:, S])) * np.diagonal(P)
    for step in np.setdiff1d(np.arange(len(kept)), adds):
        j, w = kept[step], W[:, kept[step]]
        alone = diagonal[j] + _leading(P * np.outer(w, w)) - 2 * np.cumsum(A[:, j] * w)
        alone = np.concatenate([[diagonal[j]], alone])[known]
        own[step] = alone[step]
        errors[step:] -= alone[step:]  # the column is known, whatever predicts it
    return np.maximum(errors, 0.0), own


def _factor(gram: Gram, kept: Indices) -> tuple[Indices, Floats]:
    """Give the positions of kept columns that those before do not reproduce, and `W` of these."""
    rows = gram.block(kept)
    with suppress(np.linalg.LinAlgError):
        L = np.linalg.cholesky(rows[:, kept])
        if (np.square(np.diagonal(L)) > _PLAIN * np.diagonal(rows[:, kept])).all():
            W = np.linalg.solve(L, rows)
            W[:, kept] = L.T
            return np.arange(len(kept)), W
    W = condition(gram, kept).W  # slower, and right where columns depend on each other
    adds = np.flatnonzero(W[np.arange(len(kept)), kept] > 0)
    return adds, W[adds]


def _leading(matrix: Floats) -> Floats:
    """Sum the leading 1 x 1, 2 x 2, ... parts of a symmetric matrix."""
    below = np.tril(matrix, -1).sum(axis=1)
    return np.cumsum(2 * below + np.diagonal(matrix))


def _padded(found: tuple[Floats, Floats], k: int, total: float) -> tuple[Floats, Floats]:
    """Repeat the last error where a fold has fewer columns to keep; with none it is all."""
    errors, own = found
    short = k - len(errors)
    if short == k:
        return np.full(k, total), np.zeros(k)
    return np.pad(errors, (0, short), mode="edge"), np.pad(own, (0, short))
