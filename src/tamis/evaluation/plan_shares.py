"""What a plan explains of rows that its weights were not learnt from."""

from dataclasses import replace

import numpy as np

from tamis.algorithms.ridge import choose_ridge
from tamis.evaluation.plan import Plan, regress
from tamis.numerics.types import Floats, Indices
from tamis.statistics.blocks import Blocks, HeldOutRows, fold_choices
from tamis.statistics.grouped import GroupedGram, as_groups

__all__ = ["hold_out_plan", "with_held_out_shares"]

_MIN_FOLDS = 2


def with_held_out_shares(plan: Plan, blocks: Blocks, ridge: float | None) -> Plan:
    """Give the plan with shares and residuals of held-out rows; as it is where rows are too few.

    The set of columns stays, only the weights are learnt anew in every fold. Columns chosen for
    these very rows fit them better than others: where the held-out residual is the larger, it is
    the one that a new row will show.
    """
    found = hold_out_plan(blocks, np.sort(plan.kept), len(plan.names), ridge)
    if found is None:
        return plan
    errors, totals = found
    known = totals > 0
    shares = np.where(known, 1.0 - errors / np.where(known, totals, 1.0), plan.shares)
    shares[plan.kept] = 1.0
    share = float(1.0 - errors.sum() / totals.sum())
    # A training set of nine tenths of the rows misses by more: that part is taken off again.
    trained = 0.9 * plan.n_rows
    extra = 1.0 + (1.0 + plan.freedom) / max(trained - 1.0 - plan.freedom, 1.0)
    left = np.repeat(np.maximum(1.0 - shares, 0.0) / extra, plan.groups.sizes)
    residual = np.where(
        plan.residual > 0, np.maximum(plan.residual, np.sqrt(left) * plan.std), plan.residual
    )
    return replace(plan, shares=shares, share=share, residual=residual, held_out=True)


def hold_out_plan(
    blocks: Blocks, kept: Indices, width: int, ridge: float | None
) -> tuple[Floats, Floats] | None:
    """Give the squared errors of every column over ten folds, and what they are without a plan."""
    errors, totals, folds = np.zeros(width), np.zeros(width), 0
    for known, held_rows in blocks.splits(fold_choices(blocks.count)):
        statistic = as_groups(known.statistic)
        there = np.flatnonzero(np.isin(known.varying, kept))
        whole = statistic.groups.sum_up(held_rows.diagonal())
        left = _fold_errors(statistic, held_rows, there, known.n_rows, ridge)
        errors[known.varying] += left if len(there) else whole
        totals[known.varying] += whole
        folds += bool(whole.sum() > 0)
    return (errors, totals) if folds >= _MIN_FOLDS else None


def _fold_errors(
    statistic: GroupedGram,
    held_rows: HeldOutRows,
    kept: Indices,
    n_rows: int,
    ridge: float | None,
) -> Floats:
    """Give the squared errors of one fold: with weights B they are those of `T - 2TB + B'TB`."""
    if not len(kept):
        return np.zeros(len(statistic.groups.sizes))
    S = statistic.groups.members(kept)
    shrink = choose_ridge(statistic.gram, S, n_rows) if ridge is None else ridge
    B = regress(statistic.gram, S, shrink, n_rows).weights
    T = held_rows.rows(S)
    left = held_rows.diagonal() - 2 * np.einsum("ij,ij->j", B, T)
    left += np.einsum("ij,ij->j", B, T[:, S] @ B)
    left[S] = 0.0
    return np.maximum(statistic.groups.sum_up(left), 0.0)
