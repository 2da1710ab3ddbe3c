"""`ufs`: remove redundant columns by Gaussian elimination on eigenvectors (Yen, Chen & Lin).

Every eigenvector of the correlation matrix is a linear equation between the columns, with its
eigenvalue as squared error. The equation of smallest error removes the column with the largest
coefficient and is then used to eliminate that column from all other equations. The paper updates
the error vectors; only their Gram matrix is needed. Columns that are exact linear combinations of
others, where the paper's result depends on the solver, are removed first, by smallest leverage. The
paper stops when the smallest error is above a threshold, given here on the scale of the eigenvalues
(mean 1).

`ufs-static`: remove one column for each of the smallest eigenvalues, without updating.

Yen, Chen and Lin compare their method with this one, which is Jolliffe's B2 run to the end. If the
column with the largest loading on a component has already been removed, the next largest loading
decides. In a rank-deficient table the paper's result depends on the basis that the solver returns
for the null space; here the columns of smallest leverage are removed first, with leverages computed
once ("without updating"). The method does not notice when the kept columns explain all others, so
it always keeps `k` columns.

With `collision="skip"` a component whose column has already been removed removes none; if too few
columns are removed so, a second round takes the next largest loadings. Every exact dependency is
then a component of its own: a basis of them is drawn at random, as good as any that a solver
returns.
"""

from collections.abc import Sequence

import numpy as np
import scipy.linalg

from tamis.algorithms.backward.elimination import (
    chain_removals,
    eliminate,
    rank_by_removal,
    split_independent,
)
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path, Removals, no_removals, note_equation
from tamis.errors import TamisError
from tamis.numerics.ties import last_best
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram


def remove_redundant(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
    limits: Limits | None = None,
) -> Path:
    """Remove columns, each the one best predicted by the remaining ones."""
    within = Limits.fixing(len(gram.diagonal()), include, limits)
    rest = split_independent(gram, within)
    # The live rows of the eliminated system are the inverse of the kept rows of V.
    W: Floats = rest.V.T if len(rest.removed.columns) == 0 else scipy.linalg.inv(rest.V)
    then = eliminate(W, rest.values, within.of_columns(rest.left))
    removals, rank = chain_removals(rest.removed, then, rest.left), len(rest.left)
    return rank_by_removal(gram, removals, k, within, rank=rank, retain=retain, threshold=threshold)


_MAX_BASIS_COLUMNS = 5_000  # columns, for a basis of their exact dependencies


def remove_by_smallest_components(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
    collision: str = "next",
    random_state: int = 0,
    limits: Limits | None = None,
) -> Path:
    """Remove for each component, smallest first, the column that loads most on it."""
    values, V = gram.decomposition()
    d, r = V.shape
    within = Limits.fixing(d, include, limits)
    if collision == "skip":
        V = np.hstack([_dependencies(V, random_state), V])
        found = _remove_by_loading(np.concatenate([np.zeros(d - r), values]), V, within)
    else:
        found = _in_turn(values, V, within)
    return rank_by_removal(
        gram, found, k, within, rank=r, retain=retain, threshold=threshold, independent_head=r == d
    )


def _in_turn(values: Floats, V: Floats, within: Limits) -> Removals:
    """Remove a column for every component, the exact dependencies together coming first."""
    d, r = V.shape
    live, count = np.ones(d, dtype=bool), d - within.fewest
    found = no_removals(count)
    dependence = 1.0 - np.einsum("ij,ij->i", V, V)
    for step in range(count):
        component = step - (d - r)
        loadings = dependence if component < 0 else np.abs(V[:, component])
        j = last_best(np.where(within.mark_removals(live), loadings, -1.0))
        live[j], found.columns[step] = False, j
        if component >= 0:
            _note(found, step, values[component], V[:, component], j)
    return found


def _remove_by_loading(values: Floats, V: Floats, within: Limits) -> Removals:
    """Remove a column only for components that load most on a remaining one, then for the rest."""
    live, count = np.ones(len(V), dtype=bool), len(V) - within.fewest
    found, step = no_removals(count), 0
    size = np.abs(V)
    first = [last_best(column) for column in size.T]
    left = []
    for component, j in enumerate(first):
        if step < count and within.mark_removals(live)[j]:
            live[j], found.columns[step] = False, j
            _note(found, step, values[component], V[:, component], j)
            step += 1
        else:
            left.append(component)
    for component in left[: count - step]:
        j = last_best(np.where(within.mark_removals(live), size[:, component], -1.0))
        live[j], found.columns[step] = False, j
        _note(found, step, values[component], V[:, component], j)
        step += 1
    return found


def _note(found: Removals, step: int, error: float, loadings: Floats, j: int) -> None:
    """Note the equation of a component, solved for the column it removes."""
    found.errors[step] = error
    if loadings[j]:
        others: Indices = np.delete(np.arange(loadings.size), j)
        note_equation(found, step, loadings[others] / -loadings[j], others)


def _dependencies(V: Floats, random_state: int) -> Floats:
    """Draw an orthonormal basis of what is orthogonal to V, the same on every processor."""
    d, r = V.shape
    if r == d:
        return np.zeros((d, 0))
    if d > _MAX_BASIS_COLUMNS:
        raise TamisError(
            f"collision='skip' needs a basis of {d - r:,} exact dependencies, too many for {d:,} "
            f"columns: choose at most {_MAX_BASIS_COLUMNS:,} before, or collision='next'."
        )
    drawn = np.random.default_rng(random_state).standard_normal((d, d - r))
    drawn -= V @ (V.T @ drawn)
    return np.asarray(np.linalg.qr(drawn)[0])
