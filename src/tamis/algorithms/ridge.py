"""Regressions of all columns on the kept ones, shrunken where rows are few, and their error.

The shrinkage of a regression is one number for all columns, added to the diagonal of the kept
columns' Gram matrix: that of the smallest error by generalised cross-validation (Golub, Heath and
Wahba 1979), which needs no rows. Every degree of freedom counts as 1.4: of columns that were chosen
for the rows, it would shrink too little otherwise, and hardly at all where they are as many.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tamis.algorithms.kept_rows import KeptRows, choose_by_rows
from tamis.algorithms.kept_samples import KeptSamples, SampleFold
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram
from tamis.statistics.grouped import GroupedGram
from tamis.statistics.row_blocks import HeldOutRows

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
