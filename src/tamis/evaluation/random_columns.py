"""What as many columns drawn at random explain on held-out rows, beside those that were chosen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.algorithms.ridge import predict_held_out, predict_with_each
from tamis.evaluation.held_out import HeldOut, is_clearly_positive
from tamis.numerics.types import Floats, Indices
from tamis.run.search import Search
from tamis.statistics.linear import TableSummary
from tamis.statistics.response import as_grouped
from tamis.statistics.row_blocks import BlockedSummary, HeldOutRows, choose_folds

__all__ = ["RandomShare", "compare_with_random"]

DRAWS = 5  # in each fold
MAX_WORK = 10_000_000  # multiplications for one draw: what a few thousandths of a second allow


@dataclass(frozen=True)
class RandomShare:
    """The mean share of random columns on held-out rows; `beaten` if the kept ones have more."""

    share: float
    beaten: bool


def compare_with_random(search: Search, folds: HeldOut, k: int) -> RandomShare | None:
    """Draw columns at random in every fold, and regress on them as on the chosen ones.

    Beaten is by more than two standard errors of the difference, taken within each fold. None where
    the table is too large for that, or where not all columns could have been chosen.
    """
    summary = search.summary
    if not isinstance(summary, BlockedSummary) or search.include or folds.errors.shape[1] < k:
        return None
    width, errors = len(summary.varying), []
    if k >= width or width * min(width, summary.n_rows) * k > MAX_WORK:
        return None
    rng = np.random.default_rng(0)
    for known, held_rows in summary.blocks.splits(choose_folds(summary.blocks)):
        if not (held_rows.squares().sum() + held_rows.unknown.sum() > 0 and len(known.varying)):
            continue
        count = len(known.varying)
        sets = [rng.choice(count, min(k, count), replace=False) for _ in range(DRAWS)]
        found = _find_errors(search, known, held_rows, sets)
        if not search.is_ruled:
            found += [held_rows.left_unknown(known.varying[kept])[-1] for kept in sets]
        errors.append(found.mean())
    if len(errors) != len(folds.totals):
        return None  # the errors of some fold count for nothing
    share = 1.0 - np.sum(errors) / folds.totals.sum()
    more = (np.array(errors) - folds.errors[:, k - 1]) / folds.totals
    return RandomShare(float(share), is_clearly_positive(more, folds.totals))


def _find_errors(
    search: Search, known: TableSummary, held_rows: HeldOutRows, sets: Sequence[Indices]
) -> Floats:
    """Give the error of the regressions on each set of columns."""
    statistic, n_rows = as_grouped(known.statistic), known.n_rows
    if search.ridge is None:
        return predict_with_each(statistic, held_rows, sets, n_rows=n_rows)
    found = [
        predict_held_out(statistic, held_rows, kept, n_rows=n_rows, shrink=search.ridge)
        for kept in sets
    ]
    return np.array([one.errors[-1] for one in found])
