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
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.backward.elimination import (
    RemovalGuard,
    chain_removals,
    rank_by_removal,
    split_independent,
)
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path, Removals, no_removals, note_equation
from tamis.errors import TamisError
from tamis.numerics.eigen import all_pairs
from tamis.numerics.secular import without_row
from tamis.numerics.ties import last_best
from tamis.numerics.tolerances import NEGLIGIBLE, ROUNDING
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
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
    """Remove the column that loads most on the smallest component, analyse the rest, repeat.

    Examples
    --------
    The third column is nearly the sum of the first two.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.0, 0.7], [0.0, 1.0, 0.7], [0.7, 0.7, 1.0]]))
    >>> remove_with_new_components(gram, k=2).kept
    array([1, 0])
    """
    guard = RemovalGuard.of(len(gram.diagonal()), include, limits)
    rest = split_independent(gram, include, guard)
    _check_work(len(rest.left))
    R = (rest.V * rest.values) @ rest.V.T
    then = eliminate_by_components(R, guard=guard.among(rest.left))
    return rank_by_removal(
        gram,
        chain_removals(rest.removed, then, rest.left),
        k,
        rank=len(rest.left),
        retain=retain,
        threshold=threshold,
        include=include,
        guard=guard,
    )


def _check_work(columns: int) -> None:
    seconds = _PER_COLUMN * columns**4
    if seconds > _MOST_SECONDS:
        raise TamisError(
            f"Method 'jolliffe-b1' needs about {seconds / 3600:.1f} hours for {columns:,} "
            "independent columns: choose 'ufs', which comes near to it, or keep some hundred "
            "columns first."
        )


def eliminate_by_components(
    R: Floats, fixed: Sequence[int] = (), guard: RemovalGuard | None = None
) -> Removals:
    """Remove columns to the end, each by the smallest component of those that are there."""
    n = len(R)
    names: Indices = np.arange(n)
    own = RemovalGuard.of(n, fixed) if guard is None else guard
    count = n - own.least
    found = no_removals(count)
    values, Q = all_pairs(R)
    for step in track("columns removed", range(count), count):
        next_ones = own.mark_next(np.isin(np.arange(n), names))[names]
        j, loadings, value = _find_most_loaded(values, Q, next_ones)
        found.columns[step], found.errors[step] = names[j], max(value, 0.0)
        left = np.delete(np.arange(len(names)), j)
        note_equation(found, step, -loadings[left] / loadings[j], names[left])
        values, Q = without_row(values, Q, j)
        names = names[left]
    return found


def _find_most_loaded(values: Floats, Q: Floats, may_go: np.ndarray) -> tuple[int, Floats, float]:
    """Give the column to remove, the component it loads on, and its eigenvalue.

    The component is the smallest with a loading on a column that may be removed.
    """
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
    return j, basis @ (basis[j] / lengths[j]), float(values[first])
