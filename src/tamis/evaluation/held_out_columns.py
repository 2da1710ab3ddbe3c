"""What the kept columns explain of each column on held-out rows.

The kept columns stay what they are; the regressions on them are fitted on the other rows of each
fold. `held_out` instead chooses anew in each fold, and speaks of all columns together.
"""

import numpy as np

from tamis.algorithms.ridge import choose_ridge
from tamis.evaluation.plan import regress
from tamis.numerics.types import Floats, Indices
from tamis.statistics.grouped import GroupedGram
from tamis.statistics.row_blocks import Blocks, Choices, HeldOutRows, choose_folds

__all__ = ["hold_out_columns"]


def hold_out_columns(
    blocks: Blocks,
    kept: Indices,
    width: int,
    choices: Choices | None = None,
    *,
    shrink: float | None = 0.0,
) -> Floats:
    """Give the share of each of `width` columns that the kept ones explain on held-out rows.

    It is 1 less the sum of squared errors over that of the squares about the mean of the training
    rows, NaN where no held-out row differs from it, and below 0 where the mean predicts better. A
    kept column is known. `shrink` is that of the regressions, None where each chooses its own.
    """
    choices = choose_folds(blocks) if choices is None else choices
    errors, totals = np.zeros(width), np.zeros(width)
    for known, held_rows in blocks.splits(choices):
        place = {column: at for at, column in enumerate(known.varying.tolist())}
        mine = np.array([place[j] for j in kept.tolist() if j in place], dtype=np.intp)
        statistic = known.grouped
        squares = statistic.groups.sum_up(held_rows.squares())
        left = squares
        if len(mine):
            left = _measure_errors(statistic, held_rows, mine, known.n_rows, shrink)
        errors[known.varying] += left
        totals[known.varying] += squares
        errors += held_rows.unknown[:width]
        totals += held_rows.unknown[:width]
    shares = np.full(width, np.nan)
    np.divide(errors, totals, out=shares, where=totals > 0)
    shares = 1.0 - shares
    shares[kept] = 1.0
    return shares


def _measure_errors(
    statistic: GroupedGram,
    held_rows: HeldOutRows,
    kept: Indices,
    n_rows: int,
    shrink: float | None,
) -> Floats:
    """Give the squared error of every column: `T_jj - 2 b'T_Sj + b'T_SS b` for weights `b`."""
    S = statistic.groups.members(kept)
    ridge = choose_ridge(statistic.gram, S, n_rows) if shrink is None else shrink
    weights = regress(statistic.gram, S, ridge, n_rows).weights
    rows = held_rows.rows(S)
    crossed = np.einsum("ij,ij->j", weights, rows)
    fitted = np.einsum("ij,ij->j", weights, rows[:, S] @ weights)
    left = np.maximum(held_rows.diagonal() - 2 * crossed + fitted, 0.0)
    left = left if held_rows.weights is None else held_rows.weights * left
    return statistic.groups.sum_up(left)
