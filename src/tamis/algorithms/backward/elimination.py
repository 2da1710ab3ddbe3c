"""What backward methods share: dropping exact dependencies, ranking, where to stop."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from tamis.algorithms.backward.dependent import drop_dependent
from tamis.algorithms.backward.removal_guard import RemovalGuard
from tamis.algorithms.column_pairs import Pairs, measure_order
from tamis.algorithms.path import REPRODUCED, Path, Removals, best_first, count_enough
from tamis.algorithms.residual import condition
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram


@dataclass(frozen=True, eq=False)
class Independent:
    """A table without its linearly dependent columns.

    `values` are the non-zero eigenvalues of the full table, smallest first, and `V` their
    eigenvectors (as columns), restricted to the columns that are left.
    """

    removed: Removals
    left: Indices
    values: Floats
    V: Floats


def split_independent(
    gram: Gram, fixed: Sequence[int] = (), guard: RemovalGuard | None = None
) -> Independent:
    """Decompose the table and drop columns until the rest is linearly independent."""
    values, V = gram.decomposition()
    removed = drop_dependent(V, fixed, guard)
    left = np.setdiff1d(np.arange(len(V)), removed.columns)
    return Independent(removed, left, values, V if len(left) == len(V) else V[left])


def chain_removals(first: Removals, then: Removals, names: Indices) -> Removals:
    """Put two runs of removals one behind the other; `names` are the columns of the second."""
    positions = np.where(then.positions >= 0, names[then.positions], -1)
    return Removals(
        np.concatenate([first.columns, names[then.columns]]),
        np.concatenate([first.errors, then.errors]),
        np.concatenate([first.positions, positions]),
        np.concatenate([first.weights, then.weights]),
    )


def rank_by_removal(
    gram: Gram,
    removals: Removals,
    k: int,
    *,
    rank: int,
    retain: float,
    threshold: float | None,
    include: Sequence[int],
    independent_head: bool = True,
    guard: RemovalGuard | None = None,
) -> Path:
    """Turn an order of removal into a path: last removed, best; cut at the goal.

    With `threshold` columns are removed while their error is at most that large; otherwise as many
    are kept as reach `retain`, at most `k`. `independent_head` states that the first `rank` columns
    of the path are independent: the columns behind them would add nothing and are never kept.
    """
    d = gram.diagonal().size
    order = best_first(removals, d, include)
    if independent_head:
        retained = measure_prefixes(gram, order, rank)
    else:
        retained = measure_order(Pairs(gram), order)
    if threshold is not None:
        over = np.flatnonzero(removals.errors > threshold)
        size = d - (int(over[0]) if over.size else len(removals.errors))
    else:
        size = min(k, count_enough(retained, retain), rank if independent_head else d)
    scores = np.full(d, removals.errors[-1] if len(removals.errors) else 0.0)
    scores[removals.columns] = removals.errors
    size = max(size, len(include), 1)
    path = Path(order, retained, scores, size=size, removals=removals, stopped=REPRODUCED)
    return path if guard is None else guard.cut(path, removals)


def measure_prefixes(gram: Gram, order: Indices, rank: int) -> Floats:
    """Give what the first 1..d columns reproduce, the first `rank` being independent."""
    W = _orthogonal(gram, order[:rank])
    gains = np.zeros(len(order))
    gains[:rank] = np.einsum("ij,ij->i", W, W)
    return np.minimum(np.cumsum(gains) / gram.diagonal().sum(), 1.0)


def _orthogonal(gram: Gram, head: Indices) -> Floats:
    """Make independent columns orthogonal: give them as seen from every column."""
    if gram.samples is not None:
        basis = np.linalg.qr(np.column_stack([gram.samples.sample(int(j)) for j in head]))[0]
        return gram.samples.transposed_dot(basis).T
    # The transpose is the same matrix in the order LAPACK writes into, so no copy is made.
    block = gram.block(head, head).T
    factor, failed = scipy.linalg.lapack.dpotrf(block, lower=1, overwrite_a=1)
    if failed:
        return condition(gram, head).W
    if len(head) == len(gram.diagonal()):
        return np.asarray(factor.T)
    return np.asarray(
        scipy.linalg.solve_triangular(factor, gram.block(head), lower=True, check_finite=False)
    )
