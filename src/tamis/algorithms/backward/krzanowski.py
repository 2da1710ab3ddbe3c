"""`krzanowski`: keep the columns whose principal component scores are nearest to those of all.

The scores of all rows on the first components of all columns are compared with their scores on the
first components of the kept columns, after the best rotation of one onto the other (Procrustes);
the sum of squared differences is M^2. Each step of the backward elimination removes the column
without which M^2 is smallest. The number of components is an option; by default they explain 80% of
the variance. Once fewer columns than components are left, all their components are compared.

M^2 needs the Gram matrix only, and the components without one column follow from those with it:
the eigenvalues are the roots of a secular equation, and a bound that needs no singular values, for
all candidates at once, leaves a few to compute M^2 of. Where columns are linearly dependent, those
that the others reproduce exactly are removed first, by smallest leverage, as in the other backward
methods; the paper does not treat that case. The equation shown with a removal is the regression on
the remaining columns; M^2 is the score.

Cui and Dy name a forward search, too: `direction="forward"` starts with no column and adds the one
with which M^2 is smallest, of as many components as there are columns until there are enough. It
solves an eigenproblem for every candidate at every step, so it is for few columns to keep.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from tamis.algorithms.backward.elimination import (
    RemovalGuard,
    chain_removals,
    rank_by_removal,
    split_independent,
)
from tamis.algorithms.greedy import search
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path, Removals, no_removals, note_equation
from tamis.algorithms.residual import Residual
from tamis.errors import TamisError, spell
from tamis.numerics.eigen import all_pairs
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.secular import WithoutEachRow, make_present, set_apart, sum_leading, without_row
from tamis.numerics.tolerances import NEGLIGIBLE, ROUNDING, TIE
from tamis.numerics.types import Floats, Indices, Mask
from tamis.progress import track
from tamis.statistics.gram import Gram
from tamis.values import dataclass

_CARRIED_SHARE = 0.8
_MOST_SECONDS = 3600.0
_PER_ROOT = 8e-9  # on one core
_PER_PRODUCT = 1e-10
_PER_SVD = 8e-10
_MANY_COMPONENTS = 20  # from which on no root is found but for the candidates that are computed
_COMPUTED_TOGETHER = 8  # candidates, smallest bounds first
_PER_PAIR = 6e-9  # of an eigenproblem, times its size to the third


def remove_by_procrustes(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    components: int | None = None,
    direction: str = "backward",
    limits: Limits | None = None,
) -> Path:
    """Remove columns, each the one without which the scores of the rows change least.

    With `direction="forward"` columns are added instead, each the one with which they are nearest.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.2], [0.1, 0.2, 1.0]]))
    >>> remove_by_procrustes(gram, 2).kept
    array([0, 2])
    """
    if direction == "forward":
        return _add_by_procrustes(
            gram, k, retain=retain, include=include, components=components, limits=limits
        )
    guard = RemovalGuard.of(len(gram.diagonal()), include, limits)
    rest = split_independent(gram, include, guard)
    most = components or _count_components(rest.values)
    whole = _Whole(rest.V[:, ::-1][:, :most], rest.values[::-1][:most])
    _check_work(len(rest.left), whole.values.size)
    R = (rest.V * rest.values) @ rest.V.T
    then, change = _eliminate(R, whole, guard.among(rest.left))
    path = rank_by_removal(
        gram,
        chain_removals(rest.removed, then, rest.left),
        k,
        rank=len(rest.left),
        retain=retain,
        threshold=None,
        include=include,
        guard=guard,
    )
    scores = np.zeros(len(path.indices))
    scores[rest.left] = change[-1] if len(change) else 0.0
    scores[rest.left[then.columns]] = change
    return replace(path, scores=scores)


@dataclass(frozen=True)
class _Whole:
    """The components to compare with: loadings of the remaining columns, and all variances."""

    loadings: Floats
    values: Floats


def _count_components(values: Floats) -> int:
    """Count the components that carry 80% of the variance; `values` are smallest first."""
    shares = np.cumsum(values[::-1]) / values.sum()
    return int(np.argmax(shares >= _CARRIED_SHARE - NEGLIGIBLE)) + 1


def _seconds(columns: int, components: int) -> float:
    """Estimate the time of all removals: roots for each pair, singular values for each column."""
    n = np.arange(2.0, columns + 1)
    q = np.minimum(components, n - 1)
    roots, products = _PER_ROOT * n**2 * q, _PER_PRODUCT * n**2 * q**2
    return float((roots + products + _PER_SVD * n * q**3).sum())


def _check_work(columns: int, components: int) -> None:
    seconds = _seconds(columns, components)
    if seconds <= _MOST_SECONDS:
        return
    raise TamisError(
        f"Method 'krzanowski' needs about {seconds / 3600:.1f} hours for {columns:,} independent "
        f"columns and {components:,} components: keep some hundred columns first with a fast "
        "method such as 'ufs', or ask for fewer components."
    )


def _add_by_procrustes(
    gram: Gram,
    k: int,
    *,
    retain: float,
    include: Sequence[int],
    components: int | None,
    limits: Limits | None,
) -> Path:
    """Add columns, each the one with which the scores come nearest to those on all columns."""
    values, V = gram.decomposition()
    most = components or _count_components(values)
    whole = _Whole(V[:, ::-1][:, :most], values[::-1][:most])
    least = ROUNDING * float(whole.values.sum())
    if retain > 1.0:
        _check_additions(len(V), min(k, len(values)), len(whole.values))

    def nearness(residual: Residual, _: Mask) -> Floats:
        _check_additions(len(V), residual.size, len(whole.values))
        # Differences that rounding makes of nothing are ties.
        return -np.maximum(procrustes_with_each(gram, residual.taken, whole), least)

    path = search(Residual(gram, k), k, nearness, limits, retain=retain, include=include)
    return replace(path, scores=np.abs(path.scores))


def procrustes_with_each(gram: Gram, taken: Indices, whole: "_Whole") -> Floats:
    """Give M^2 of the taken columns and the first column, and the second, and so on.

    One eigenproblem for each candidate. A column already taken gives no meaningful figure.
    """
    d, size = len(whole.loadings), len(taken) + 1
    count = min(len(whole.values), size)
    block, diagonal = gram.block(taken), gram.diagonal()
    weights = whole.loadings * whole.values
    criterion = np.empty(d)
    for part in row_blocks(d, size * (size + len(whole.values))):
        width = len(diagonal[part])
        A = np.empty((width, size, size))
        A[:, :-1, :-1] = block[:, taken]
        A[:, :-1, -1] = A[:, -1, :-1] = block[:, part].T
        A[:, -1, -1] = diagonal[part]
        values, U = np.linalg.eigh(A)
        L = np.empty((width, size, len(whole.values)))
        L[:, :-1], L[:, -1] = weights[taken], weights[part]
        shared = np.swapaxes(U[:, :, -count:], 1, 2) @ L
        nearest = np.linalg.svd(shared, compute_uv=False).sum(axis=1)
        criterion[part] = whole.values.sum() + values[:, -count:].sum(axis=1) - 2.0 * nearest
    return np.maximum(criterion, 0.0)


def _check_additions(columns: int, size: int, components: int) -> None:
    """Refuse a forward search to so many columns if it would take too long."""
    n = np.arange(1.0, size + 1)
    q = np.minimum(n, components)
    seconds = columns * float((_PER_PAIR * n**3 + _PER_SVD * q**3).sum())
    if seconds > _MOST_SECONDS:
        raise TamisError(
            f"Method 'krzanowski' needs about {seconds / 3600:.1f} hours to add {size:,} of "
            f"{columns:,} columns one by one: keep fewer, or choose "
            f"{spell('direction', 'backward')}."
        )


def _eliminate(R: Floats, whole: _Whole, guard: RemovalGuard) -> tuple[Removals, Floats]:
    """Remove columns to the end; give M^2 after each removal too."""
    n = len(R)
    names: Indices = np.arange(n)
    count = n - guard.least
    found, change = no_removals(count), np.zeros(count)
    total = float(whole.values.sum())
    values, Q = all_pairs(R)
    sizes = np.diagonal(R)
    for step in track("columns removed", range(count), count):
        may_go = guard.mark_next(np.isin(np.arange(n), names))[names]
        criterion = procrustes_without_each(values, Q, whole, may_go)
        j = int(np.flatnonzero(criterion <= _raise(criterion.min(), total))[-1])
        inverse = Q @ (Q[j] / values)
        found.columns[step], change[step] = names[j], criterion[j]
        found.errors[step] = 1.0 / (inverse[j] * sizes[j])
        left = np.delete(np.arange(len(names)), j)
        note_equation(found, step, -inverse[left] / inverse[j], names[left])
        values, Q = without_row(values, Q, j)
        names, sizes = names[left], sizes[left]
        whole = _Whole(whole.loadings[left], whole.values)
    return found, change


def procrustes_without_each(values: Floats, Q: Floats, whole: _Whole, among: Mask) -> Floats:
    """Give M^2 without the first of the columns, without the second, and so on.

    `values` and `Q` decompose the matrix of the remaining columns. With U the components of a
    subset S and V those of the table, `Y_S'Y = U'V_S diag(variances)`; U is a combination of the
    columns of Q, so all that is needed of V is its product with Q. M^2 needs the sum of the
    singular values of that matrix A, and for any positive G it is at most
    `(tr G + tr A'A G^-1) / 2`: with G of the columns as they are, a bound so near that only the
    smallest few of those `among` are computed. The others, which are larger, are infinite.
    """
    total = float(whole.values.sum())
    B = Q.T @ (whole.loadings * whole.values)
    most = min(len(whole.values), len(values) - 1)
    _, size, turn = np.linalg.svd(B[-most:])
    size = np.maximum(np.append(size, np.zeros(len(turn) - most)), NEGLIGIBLE * total)
    half = (B @ turn.T) / np.sqrt(size)
    without = _sum_without_each(values, Q, half, most)
    least = total - size.sum() + without.least - NEGLIGIBLE * total
    criterion = np.full(len(values), np.inf)
    order = np.flatnonzero(among)[np.argsort(least[among])]
    for part in row_blocks(len(order), 1, room=8 * _COMPUTED_TOGETHER):
        some = order[part]
        if least[some[0]] > _raise(criterion.min(), total):
            break
        found = without.find(some)
        nearest = np.linalg.svd(found.project(B), compute_uv=False).sum(axis=1)
        criterion[some] = np.maximum(total + found.roots.sum(axis=1) - 2.0 * nearest, 0.0)
    return criterion


class _Without(NamedTuple):
    """The components without each column: `find` gives those of some columns.

    `least` bounds the sum of their variances, less that of the products with K, from below.
    """

    least: Floats
    find: Callable[[Indices], WithoutEachRow]


def _sum_without_each(values: Floats, Q: Floats, half: Floats, most: int) -> _Without:
    """Bound the sums; where components are many, all of them together cost less than each."""
    if most >= _MANY_COMPONENTS:
        found = sum_leading(set_apart(values), make_present(Q), half, most)
        if found is not None:
            least = np.where(found.unknown, -np.inf, found.sums - found.errors)
            return _Without(least, partial(WithoutEachRow.of, values, Q, most))
    without = WithoutEachRow.of(values, Q, most)
    shared, missed = without.sum_products(half @ half.T)
    return _Without(without.roots.sum(axis=1) - shared - missed, without.of_rows)


def _raise(best: float, total: float) -> float:
    """Give the largest M^2 that ties with the best.

    It is a difference: what rounding moves is a share of the variances themselves.
    """
    return best * (1 + TIE) + ROUNDING * total
