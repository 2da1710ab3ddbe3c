"""`vif`: remove the column with the largest variance inflation factor, one at a time.

The variance inflation factors are the diagonal of the inverse correlation matrix; removing a column
changes the inverse by a rank-one term, and these are applied in panels. In a rank-deficient table,
columns that are exact linear combinations of others are removed first, by smallest leverage: the
limit of the same rule for a vanishing ridge. The last two columns always tie; the first of them
ranks first.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf, dpotri

from tamis.algorithms.backward.elimination import chain_removals, rank_by_removal, split_independent
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path, Removals, no_removals, note_equation
from tamis.numerics.ties import last_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import RANK_TOL
from tamis.statistics.gram import Gram

_VIF_PANEL_COLUMNS = 96
_SHRINK = 0.8


def remove_inflated(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
    limits: Limits | None = None,
) -> Path:
    """Remove columns, each the one that a regression on all others explains best.

    `threshold` is the largest variance inflation factor of a kept column.
    """
    d = gram.diagonal().size
    inverse = _inverse(gram.block(slice(None))) if gram.rank_bound == d else None
    left: Indices = np.arange(d)
    removed = no_removals(0)
    within = Limits.fixing(d, include, limits)
    if inverse is None:
        rest = split_independent(gram, within)
        left, removed = rest.left, rest.removed
        solved = np.linalg.inv(rest.V)
        inverse = np.asfortranarray((solved / rest.values[:, None]).T @ solved)
    then = eliminate_inflated(inverse, gram.diagonal()[left], within.of_columns(left))
    removals, rank = chain_removals(removed, then, left), len(left)
    least = None if threshold is None else 1.0 / threshold
    return rank_by_removal(gram, removals, k, within, rank=rank, retain=retain, threshold=least)


def _inverse(matrix: Floats) -> Floats | None:
    """Invert a correlation or covariance matrix, None if it is too close to singular."""
    factor, failed = dpotrf(matrix, lower=0)
    if failed:
        return None
    inverse, failed = dpotri(factor, lower=0, overwrite_c=1)
    inflation = np.diagonal(inverse) * np.diagonal(matrix)
    return None if failed or inflation.max() * RANK_TOL > 1.0 else inverse


def eliminate_inflated(inverse: Floats, sizes: Floats, within: Limits) -> Removals:
    """Remove columns by largest inflation from the upper triangle of an inverse, overwritten.

    `sizes` is the diagonal of the matrix itself; the errors noted are one over the inflation.
    """
    n = len(sizes)
    names, left_in = np.arange(n), np.ones(n, dtype=bool)
    live = np.ones(n, dtype=bool)
    count = n - within.fewest
    found = no_removals(count)
    left = np.diagonal(inverse).copy()
    panel, size = np.zeros((_VIF_PANEL_COLUMNS, n)), 0
    for step in track("columns removed", range(count), count):
        j = last_best(np.where(within.mark_removals(left_in)[names], left * sizes, -1.0))
        column = np.concatenate([inverse[:j, j], inverse[j, j:]]) - panel[:size, j] @ panel[:size]
        found.columns[step], found.errors[step] = names[j], 1.0 / (left[j] * sizes[j])
        live[j] = left_in[names[j]] = False
        note_equation(found, step, np.where(live, -column / left[j], 0.0), names)
        panel[size] = column / np.sqrt(left[j])
        left -= panel[size] ** 2
        size += 1
        if size == _VIF_PANEL_COLUMNS:
            inverse = dsyrk(-1.0, panel.T, 1.0, inverse, overwrite_c=1)
            if live.sum() <= _SHRINK * len(live):
                keep = np.flatnonzero(live)
                inverse = np.asfortranarray(inverse[:, keep][keep])
                names, sizes, left = names[keep], sizes[keep], left[keep]
                live = np.ones(len(keep), dtype=bool)
            panel, size = np.zeros((_VIF_PANEL_COLUMNS, len(live))), 0
    return found
