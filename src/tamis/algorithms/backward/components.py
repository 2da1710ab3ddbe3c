"""`jolliffe-b1`: the largest loading on the smallest component goes, and the components are new.

Jolliffe (1972) removes one column for every component whose eigenvalue is below a limit, does the
analysis again on the columns that are left, and so on. Here one column is removed at a time, so
that every removal has components of its own: this is what `ufs`, which updates its equations by
Gaussian elimination, comes near to at less cost. His limit is `threshold`; he used 0.7.

The components without one column follow from those with it: the eigenvalues are roots of a secular
equation. The result is that of a new analysis after every removal. Where the smallest eigenvalue is
repeated, any vector of that size is a component: the column that some such vector loads on most is
removed, the last of equal ones. In a rank-deficient table the columns that the others reproduce
exactly are removed first, by smallest leverage, as in the other backward methods.

`krzanowski`: keep the columns whose principal component scores are nearest to those of all.

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
from typing import Unpack

import numpy as np

from tamis.algorithms.backward.elimination import chain_removals, rank_by_removal, split_independent
from tamis.algorithms.greedy import search
from tamis.algorithms.limits import LimitedGoal, Limits
from tamis.algorithms.path import Path, Removals, no_removals, note_equation
from tamis.algorithms.residual import Residual
from tamis.errors import TamisError, spell
from tamis.numerics.eigen import all_pairs
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.secular import WithoutEachRow, make_present, set_apart, sum_leading, without_row
from tamis.numerics.ties import last_best
from tamis.numerics.types import Floats, Indices, Mask
from tamis.progress import track
from tamis.rules.tolerances import NEGLIGIBLE, ROUNDING, TIE
from tamis.statistics.gram import Gram

_MOST_SECONDS = 3600.0
_PER_COLUMN = 2.2e-11  # seconds on one core, times the number of columns to the fourth


def remove_with_new_components(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
    limits: Limits | None = None,
) -> Path:
    """Remove the column that loads most on the smallest component, analyse the rest, repeat."""
    within = Limits.fixing(len(gram.diagonal()), include, limits)
    rest = split_independent(gram, within)
    _refuse_long(
        "jolliffe-b1",
        _PER_COLUMN * len(rest.left) ** 4,
        f"for {len(rest.left):,} independent columns: choose 'ufs', which comes near to it, or "
        "keep some hundred columns first",
    )
    R = (rest.V * rest.values) @ rest.V.T
    then = eliminate_by_components(R, within.of_columns(rest.left), _find_most_loaded)
    removals = chain_removals(rest.removed, then, rest.left)
    rank = len(rest.left)
    return rank_by_removal(gram, removals, k, within, rank=rank, retain=retain, threshold=threshold)


def _refuse_long(method: str, seconds: float, why: str) -> None:
    if seconds > _MOST_SECONDS:
        raise TamisError(f"Method {method!r} needs about {seconds / 3600:.1f} hours {why}.")


# What is removed next, of columns with these eigenpairs, numbers and marks of which may go: its
# place, its error and its equation, the coefficients of all columns.
Choose = Callable[[Floats, Floats, Indices, Mask], tuple[int, float, Floats]]


def eliminate_by_components(R: Floats, within: Limits, choose: Choose) -> Removals:
    """Remove columns to the end, each by the components of those that are there."""
    n = len(R)
    names: Indices = np.arange(n)
    count = n - within.fewest
    found = no_removals(count)
    values, Q = all_pairs(R)
    for step in track("columns removed", range(count), count):
        may_go = within.mark_removals(np.isin(np.arange(n), names))[names]
        j, error, equation = choose(values, Q, names, may_go)
        found.columns[step], found.errors[step] = names[j], error
        left = np.delete(np.arange(len(names)), j)
        note_equation(found, step, -equation[left] / equation[j], names[left])
        values, Q = without_row(values, Q, j)
        names = names[left]
    return found


def _find_most_loaded(
    values: Floats, Q: Floats, _: Indices, may_go: Mask
) -> tuple[int, float, Floats]:
    """Choose by the smallest component with a loading on a column that may be removed."""
    size = np.abs(Q[may_go]).max(axis=0)
    first = int(np.argmax(size > NEGLIGIBLE))
    # What rounding moves an eigenvalue by is a share of the largest.
    equal = (values >= values[first]) & (
        values <= values[first] + len(values) * ROUNDING * values[-1]
    )
    # A unit vector of that space loads on column j by at most the length of row j of its basis.
    basis = Q[:, equal]
    lengths = np.sqrt(np.einsum("ij,ij->i", basis, basis))
    j = last_best(np.where(may_go, lengths, -1.0))
    return j, max(float(values[first]), 0.0), basis @ (basis[j] / lengths[j])


_CARRIED_SHARE = 0.8
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
    """
    if direction == "forward":
        goal = LimitedGoal(retain=retain, include=include, limits=limits)
        return _add_by_procrustes(gram, k, components, **goal)
    within = Limits.fixing(len(gram.diagonal()), include, limits)
    rest = split_independent(gram, within)
    most = components or _count_components(rest.values)
    # Of the components to compare with: loadings times variances.
    weights = rest.V[:, ::-1][:, :most] * rest.values[::-1][:most]
    _refuse_long(
        "krzanowski",
        _estimate_seconds(len(rest.left), most),
        f"for {len(rest.left):,} independent columns and {most:,} components: keep some hundred "
        "columns first with a fast method such as 'ufs', or ask for fewer components",
    )
    R = (rest.V * rest.values) @ rest.V.T
    sizes, total = np.diagonal(R), float(rest.values[::-1][:most].sum())
    change: list[float] = []

    def choose(
        values: Floats, Q: Floats, names: Indices, may_go: Mask
    ) -> tuple[int, float, Floats]:
        criterion = procrustes_without_each(values, Q, weights[names], total, may_go)
        j = int(np.flatnonzero(criterion <= _raise(criterion.min(), total))[-1])
        inverse = Q @ (Q[j] / values)
        change.append(criterion[j])
        return j, 1.0 / (inverse[j] * sizes[names[j]]), inverse

    then = eliminate_by_components(R, within.of_columns(rest.left), choose)
    removals = chain_removals(rest.removed, then, rest.left)
    path = rank_by_removal(gram, removals, k, within, rank=len(rest.left), retain=retain)
    scores = np.zeros(len(path.indices))
    scores[rest.left] = change[-1] if change else 0.0
    scores[rest.left[then.columns]] = change
    return replace(path, scores=scores)


def _count_components(values: Floats) -> int:
    """Count the components that carry 80% of the variance; `values` are smallest first."""
    shares = np.cumsum(values[::-1]) / values.sum()
    return int(np.argmax(shares >= _CARRIED_SHARE - NEGLIGIBLE)) + 1


def _estimate_seconds(columns: int, components: int) -> float:
    """Estimate the time of all removals: roots for each pair, singular values for each column."""
    n = np.arange(2.0, columns + 1)
    q = np.minimum(components, n - 1)
    roots, products = _PER_ROOT * n**2 * q, _PER_PRODUCT * n**2 * q**2
    return float((roots + products + _PER_SVD * n * q**3).sum())


def _add_by_procrustes(
    gram: Gram, k: int, components: int | None, **goal: Unpack[LimitedGoal]
) -> Path:
    """Add columns, each the one with which the scores come nearest to those on all columns."""
    values, V = gram.decomposition()
    most = components or _count_components(values)
    leading = values[::-1][:most]
    weights, total = V[:, ::-1][:, :most] * leading, float(leading.sum())
    if goal["retain"] > 1.0:
        _check_additions(len(V), min(k, len(values)), len(leading))

    def nearness(residual: Residual, _: Mask) -> Floats:
        _check_additions(len(V), residual.size, len(leading))
        # Differences that rounding makes of nothing are ties.
        criterion = procrustes_with_each(gram, residual.taken, weights, total)
        return -np.maximum(criterion, ROUNDING * total)

    path = search(Residual(gram, k), k, nearness, **goal)
    return replace(path, scores=np.abs(path.scores))


def procrustes_with_each(gram: Gram, taken: Indices, weights: Floats, total: float) -> Floats:
    """Give M^2 of the taken columns and the first column, and the second, and so on.

    `weights` are the loadings of all columns on the components to compare with, times their
    variances, which add up to `total`. One eigenproblem for each candidate. A column already taken
    gives no meaningful figure.
    """
    (d, most), size = weights.shape, len(taken) + 1
    count = min(most, size)
    block, diagonal = gram.block(taken), gram.diagonal()
    criterion = np.empty(d)
    for part in row_blocks(d, size * (size + most)):
        width = len(diagonal[part])
        A = np.empty((width, size, size))
        A[:, :-1, :-1] = block[:, taken]
        A[:, :-1, -1] = A[:, -1, :-1] = block[:, part].T
        A[:, -1, -1] = diagonal[part]
        values, U = np.linalg.eigh(A)
        L = np.empty((width, size, most))
        L[:, :-1], L[:, -1] = weights[taken], weights[part]
        shared = np.swapaxes(U[:, :, -count:], 1, 2) @ L
        nearest = np.linalg.svd(shared, compute_uv=False).sum(axis=1)
        criterion[part] = total + values[:, -count:].sum(axis=1) - 2.0 * nearest
    return np.maximum(criterion, 0.0)


def _check_additions(columns: int, size: int, components: int) -> None:
    """Refuse a forward search to so many columns if it would take too long."""
    n = np.arange(1.0, size + 1)
    q = np.minimum(n, components)
    _refuse_long(
        "krzanowski",
        columns * float((_PER_PAIR * n**3 + _PER_SVD * q**3).sum()),
        f"to add {size:,} of {columns:,} columns one by one: keep fewer, or choose "
        f"{spell('direction', 'backward')}",
    )


def procrustes_without_each(
    values: Floats, Q: Floats, weights: Floats, total: float, among: Mask
) -> Floats:
    """Give M^2 without the first of the columns, without the second, and so on.

    `values` and `Q` decompose the matrix of the remaining columns; `weights` are their loadings on
    the components to compare with, times the variances, which add up to `total`. With U the
    components of a subset S and V those of the table, `Y_S'Y = U'V_S diag(variances)`; U is a
    combination of the columns of Q, so all that is needed of V is its product with Q. M^2 needs the
    sum of the singular values of that matrix A, and for any positive G it is at most `(tr G + tr
    A'A G^-1) / 2`: with G of the columns as they are, a bound so near that only the smallest few of
    those `among` are computed. The others, which are larger, are infinite.
    """
    B = Q.T @ weights
    most = min(weights.shape[1], len(values) - 1)
    _, size, turn = np.linalg.svd(B[-most:])
    size = np.maximum(np.append(size, np.zeros(len(turn) - most)), NEGLIGIBLE * total)
    half = (B @ turn.T) / np.sqrt(size)
    bounds, find = _bound_without_each(values, Q, half, most)
    least = total - size.sum() + bounds - NEGLIGIBLE * total
    criterion = np.full(len(values), np.inf)
    order = np.flatnonzero(among)[np.argsort(least[among])]
    for part in row_blocks(len(order), 1, room=8 * _COMPUTED_TOGETHER):
        some = order[part]
        if least[some[0]] > _raise(criterion.min(), total):
            break
        found = find(some)
        nearest = np.linalg.svd(found.project(B), compute_uv=False).sum(axis=1)
        criterion[some] = np.maximum(total + found.roots.sum(axis=1) - 2.0 * nearest, 0.0)
    return criterion


def _bound_without_each(
    values: Floats, Q: Floats, half: Floats, most: int
) -> tuple[Floats, Callable[[Indices], WithoutEachRow]]:
    """Bound the sum of variances without each column, less that of the products with K, from below.

    With it comes what gives the components without some columns. Where components are many, all
    bounds together cost less than each.
    """
    if most >= _MANY_COMPONENTS:
        found = sum_leading(set_apart(values), make_present(Q), half, most)
        if found is not None:
            least = np.where(found.unknown, -np.inf, found.sums - found.errors)
            return least, partial(WithoutEachRow.of, values, Q, most)
    without = WithoutEachRow.of(values, Q, most)
    shared, missed = without.sum_products(half @ half.T)
    return without.roots.sum(axis=1) - shared - missed, without.of_rows


def _raise(best: float, total: float) -> float:
    """Give the largest M^2 that ties with the best.

    It is a difference: what rounding moves is a share of the variances themselves.
    """
    return best * (1 + TIE) + ROUNDING * total
