"""`lfda`: discriminants that keep only nearby rows of the same class together (Sugiyama).

Local Fisher discriminant analysis preserves the clusters within a class. Rows of a class have the
affinity `exp(-|a - b|^2 / (s_a s_b))`, with `s` the distance to the 7th nearest neighbour in the
class; where identical rows make it 0, the smallest positive one of the class is used. With a
constant affinity the method is `lda`. There may be more discriminants than classes. If the local
within-class covariance is singular, 0.001 of its mean eigenvalue is added, and the note says so.

Separation of the training rows proves nothing: with more columns than rows, shuffled labels are
separated just as well. The result therefore includes the cross-validated accuracy (5 folds, nearest
class mean) and says if the separation is overfitted.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg

from tamis.algorithms.extraction.class_scatter import SHRINK, CentredRows, ClassRows, no_direction
from tamis.algorithms.extraction.kernels import Kernel, measure_row_distances
from tamis.algorithms.projection import LinearProjection, count_chosen, short_of
from tamis.errors import TamisError, spell
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats

METRICS = ("plain", "weighted")
_ADVICE = "'kda', which compares more than means"


def local_discriminants(
    rows: Any,
    labels: Any,
    k: int | None = None,
    *,
    share: float = 0.95,
    rule: str = "ceil",
    scale: bool = False,
    affinity: str | Kernel = "local",
    neighbours: int = 7,
    metric: str = "plain",
) -> LinearProjection:
    """Find the directions with the largest local scatter between classes over that within.

    With `metric="weighted"` each direction is multiplied with the root of its eigenvalue.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 1.5], [5.0, 5.5], [6.0, 5.0], [5.5, 6.5]])
    >>> local_discriminants(X, list("aaabbb"), 1, affinity="constant").size
    1
    """
    if metric not in METRICS:
        raise TamisError(f"{spell('metric', metric)}: give 'plain' or 'weighted'.")
    table = CentredRows.of(rows, scale)
    classes = ClassRows.of(labels, len(table.rows))
    given = _in_own_unit(affinity, table.unit) if callable(affinity) else affinity
    within, between = _local_scatter(table.reduced, classes, given, neighbours)
    _check_apart(table, between)
    values, directions, ridged = _solve_pencil(
        within, between, np.square(table.reduced).sum(axis=0)
    )
    size = count_chosen(values, k, share, rule)
    note = f"{affinity if isinstance(affinity, str) else 'given'} affinity"
    note += (
        "; local within-class covariance regularised by 0.001 of its mean eigenvalue"
        if ridged
        else ""
    )
    directions = directions[:, :size]
    return table.projection(
        directions * np.sqrt(values[:size]) if metric == "weighted" else directions,
        values[:size],
        values[:size] / values.sum(),
        note + short_of(k, size, "no other direction separates the classes"),
        orthonormal=False,
    )


def _in_own_unit(affinity: Kernel, unit: float) -> Kernel:
    """Let a given function see the rows as the table has them."""
    return lambda a, b: affinity(a * unit, b * unit)


def _local_scatter(
    rows: Floats, classes: ClassRows, affinity: str | Kernel, neighbours: int
) -> tuple[Floats, Floats]:
    """Give the local scatter within and between classes of centred rows.

    With `L_c = X_c'(diag(A 1) - A)X_c` they are `sum L_c / n_c`, and the pairs of different classes
    plus `sum (1/N - 1/n_c) L_c`.
    """
    n, d = rows.shape
    within, between = np.zeros((d, d)), np.zeros((d, d))
    for code, count in enumerate(classes.counts):
        members = rows[classes.codes == code]
        local = _laplacian(members, _affinity(members, affinity, neighbours))
        total = members.sum(axis=0)
        within += local / count
        between += (1.0 / n - 1.0 / count) * local
        between += (1.0 - count / n) * (members.T @ members) + np.outer(total, total) / n
    return within, between


def _check_apart(table: CentredRows, between: Floats) -> None:
    """Refuse a scatter between classes that is rounding noise: it is a difference of scatters."""
    noise = np.multiply.outer(table.rounding, np.linalg.norm(table.reduced, axis=0))
    if (np.abs(between) <= noise + noise.T).all():
        raise no_direction(_ADVICE)


def _laplacian(members: Floats, affinity: Callable[[slice], Floats]) -> Floats:
    """Add up `A_ij (x_i - x_j)(x_i - x_j)' / 2` over all pairs, in blocks of rows."""
    out = np.zeros((members.shape[1], members.shape[1]))
    for part in row_blocks(len(members), len(members)):
        A = affinity(part)
        out += (members[part] * A.sum(axis=1)[:, None]).T @ members[part]
        out -= members[part].T @ (A @ members)
    return (out + out.T) / 2


def _affinity(
    members: Floats, affinity: str | Kernel, neighbours: int
) -> Callable[[slice], Floats]:
    """Give the function from a block of rows of a class to their affinities with all of it."""
    count = len(members)
    if callable(affinity):
        return lambda part: np.asarray(affinity(members[part], members), dtype=np.float64)
    if affinity == "constant":
        return lambda part: np.ones((part.stop - part.start, count))
    if affinity != "local":
        raise TamisError(
            f"{spell('affinity', affinity)}: give 'local' or 'constant', or a function of two "
            "sets of rows."
        )
    reach = _reach(members, min(neighbours, count - 1))

    def local(part: slice) -> Floats:
        block = measure_row_distances(members[part], members)
        block /= -reach[part, None]
        block /= reach
        return np.exp(block, out=block)

    return local


def _reach(members: Floats, nearest: int) -> Floats:
    """Give the distance of every row to its n-th neighbour, never 0."""
    reach = np.empty(len(members))
    for part in row_blocks(len(members), len(members)):
        block = measure_row_distances(members[part], members)
        block[np.arange(len(block)), np.arange(part.start, part.stop)] = 0.0
        reach[part] = np.partition(block, nearest, axis=1)[:, nearest]
    reach = np.sqrt(reach)
    apart = reach[reach > 0]
    return np.where(reach > 0, reach, apart.min() if len(apart) else 1.0)


def _solve_pencil(within: Floats, between: Floats, sizes: Floats) -> tuple[Floats, Floats, bool]:
    """Solve `between t = lam within t`; give values, directions, and whether a ridge was needed.

    `sizes` are the squared lengths of the columns: what is left of one inside the classes counts as
    nothing once it is below the rounding of that.
    """
    inside = np.diagonal(within)
    flat = bool((inside <= RANK_TOL * sizes).any())
    if not flat:
        lengths = np.sqrt(inside)
        even = scipy.linalg.eigvalsh(within / lengths / lengths[:, None], check_finite=False)
        flat = even[0] <= RANK_TOL * even[-1]
    if flat:
        mean = float(np.trace(within)) / len(within)
        if mean <= RANK_TOL * sizes.mean():
            mean = float(sizes.mean())
        within = within + SHRINK * mean * np.eye(len(within))
    values, vectors = scipy.linalg.eigh(between, within, check_finite=False)
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = int(np.count_nonzero(values > RANK_TOL * values[0])) if values[0] > 0 else 0
    if not kept:
        raise no_direction(_ADVICE)
    return values[:kept], vectors[:, :kept], flat
