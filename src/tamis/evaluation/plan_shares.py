"""What a plan explains of rows that its weights were not learnt from."""

from dataclasses import replace

import numpy as np

from tamis.algorithms.ridge import choose_ridge
from tamis.evaluation.plan import Plan, regress
from tamis.numerics.types import Floats, Indices
from tamis.statistics.grouped import GroupedGram, as_groups
from tamis.statistics.linear import TableSummary
from tamis.statistics.mixed_gram import GroupedBlocks
from tamis.statistics.row_blocks import Blocks, HeldOutRows, choose_folds

__all__ = ["hold_out_plan", "with_block_spreads", "with_held_out_shares"]

_MIN_FOLDS = 2
_MAX_PARTS, _MIN_PARTS, _PART_ROWS = 20, 4, 20


def with_held_out_shares(
    plan: Plan, blocks: Blocks, ridge: float | None, again: float | None = None
) -> Plan:
    """Give the plan with shares and residuals of held-out rows; as it is where rows are too few.

    The set of columns stays, only the weights are learnt anew in every fold. Columns chosen for
    these very rows fit them better than others: where the held-out residual is the larger, it is
    the one that a new row will show. And the share is flattered by the choice: where it is known
    what columns that are chosen `again` in every fold explain, errors grow by as much.
    """
    found = hold_out_plan(blocks, np.sort(plan.kept), len(plan.names), ridge)
    if found is None:
        return plan
    errors, totals = found
    known = totals > 0
    shares = np.where(known, 1.0 - errors / np.where(known, totals, 1.0), plan.shares)
    shares[plan.kept] = 1.0
    share, fixed = float(1.0 - errors.sum() / totals.sum()), shares
    if again is not None and share < 1.0:
        shares = 1.0 - (1.0 - shares) * (1.0 - again) / (1.0 - share)
        share = again
    # A training set of nine tenths of the rows misses by more: that part is taken off again.
    trained = 0.9 * plan.n_rows
    extra = 1.0 + (1.0 + plan.freedom) / max(trained - 1.0 - plan.freedom, 1.0)
    left = np.repeat(np.maximum(1.0 - fixed, 0.0) / extra, plan.groups.sizes)
    residual = np.where(
        plan.residual > 0, np.maximum(plan.residual, np.sqrt(left) * plan.std), plan.residual
    )
    return replace(plan, shares=shares, share=share, residual=residual, held_out=True)


def hold_out_plan(
    blocks: Blocks, kept: Indices, width: int, ridge: float | None
) -> tuple[Floats, Floats] | None:
    """Give the squared errors of every column over ten folds, and what they are without a plan."""
    errors, totals, folds = np.zeros(width), np.zeros(width), 0
    for known, held_rows in blocks.splits(choose_folds(blocks)):
        statistic = as_groups(known.statistic)
        there = np.flatnonzero(np.isin(known.varying, kept))
        whole = statistic.groups.sum_up(held_rows.squares())
        left = _fold_errors(statistic, held_rows, there, known.n_rows, ridge)
        errors[known.varying] += left if len(there) else whole
        totals[known.varying] += whole
        errors += held_rows.unknown[:width]
        totals += held_rows.unknown[:width]
        folds += bool(whole.sum() > 0)
    errors[kept] = 0.0
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
    left = left if held_rows.weights is None else held_rows.weights * left
    return np.maximum(statistic.groups.sum_up(left), 0.0)


def with_block_spreads(plan: Plan, blocks: Blocks) -> Plan:
    """Give the plan with what parts of the rows say of variances and correlations.

    Over parts of n rows a variance has the relative variance `(K - 1) / n` for a kurtosis K, and a
    correlation that of its influence over n, whatever the columns are like.
    """
    count = min(_MAX_PARTS, plan.n_rows // _PART_ROWS)
    if count < _MIN_PARTS:
        return plan
    choices = np.arange(len(blocks.count)) % count == np.arange(count)[:, None]
    inner = blocks.inner if isinstance(blocks, GroupedBlocks) else blocks
    columns = np.flatnonzero(plan.std > 0)
    rows = np.flatnonzero(plan.std[plan.members] > 0)
    S = np.searchsorted(columns, plan.members[rows])
    relation = plan.relation[np.ix_(rows, columns)]
    sizes, variances, off = [], [], np.zeros_like(relation)
    for part in inner.parts(choices[choices @ blocks.count > 1]):
        sizes.append(part.n_rows)
        variances.append(np.square(part.std))
        off += part.n_rows * np.square(_correlate(part, S, len(columns)) - relation)
    weight, spread = np.array(sizes, dtype=np.float64), np.array(variances)
    ratio = spread / (weight @ spread / weight.sum())
    kurtosis, wide = plan.kurtosis.copy(), plan.relation_spread.copy()
    kurtosis[columns] = 1.0 + weight @ np.square(ratio - 1.0) / (len(weight) - 1)
    wide[np.ix_(rows, columns)] = off / (len(weight) - 1)
    return replace(plan, kurtosis=kurtosis, relation_spread=wide)


def _correlate(part: TableSummary, S: Indices, width: int) -> Floats:
    """Correlate some columns with all in a part of the rows; 0 where one does not vary."""
    found = np.zeros((len(S), width))
    at = np.full(width, -1)
    at[part.varying] = np.arange(len(part.varying))
    there = np.flatnonzero(at[S] >= 0)
    diagonal = part.gram.diagonal()
    own = at[S[there]]
    block = part.gram.block(own) / np.sqrt(np.outer(diagonal[own], diagonal))
    found[np.ix_(there, part.varying)] = block
    return found
