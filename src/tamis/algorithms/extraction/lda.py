"""Directions that separate classes, of all their rows together or of those that are near.

Separation of the training rows proves nothing: with more columns than rows, shuffled labels are
separated just as well. The result therefore includes the cross-validated accuracy (5 folds, nearest
class mean) and says if the separation is overfitted.

`lda`: the directions with the largest between-class variance relative to within-class variance.

Solves `S_B w = lam S_W w`. With too few rows `S_W` is singular and the solver matters:

* `regular`: `S_W` as it is;
* `svd`: in the space spanned by the rows, `S_W` plus 0.001 of its mean eigenvalue;
* `nullspace`: directions without within-class variance, largest `S_B` first;
* `pca+lda`: the leading principal components, at most rows minus classes, then `regular`, or `svd`
  if `S_W` is singular even there.

`auto` is `regular` where possible and `svd` otherwise; the note says which one was used. There are
at most as many discriminants as classes, minus one, and by default all are kept. Discriminants are
scaled to within-class scatter 1 (regularised for `svd`); those of `nullspace` are orthonormal.

`lfda`: discriminants that keep only nearby rows of the same class together (Sugiyama).

Local Fisher discriminant analysis preserves the clusters within a class. Rows of a class have the
affinity `exp(-|a - b|^2 / (s_a s_b))`, with `s` the distance to the 7th nearest neighbour in the
class; where identical rows make it 0, the smallest positive one of the class is used. With a
constant affinity the method is `lda`. There may be more discriminants than classes. If the local
within-class covariance is singular, 0.001 of its mean eigenvalue is added, and the note says so.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg

from tamis.algorithms.extraction.class_scatter import SHRINK, CentredRows, ClassRows, no_direction
from tamis.algorithms.extraction.kernels import Kernel, measure_reach, measure_row_distances
from tamis.algorithms.projection import LinearProjection, count_chosen, short_of
from tamis.errors import TamisError, spell
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats
from tamis.rules.tolerances import RANK_TOL

_FLAT = 1e-8  # of a length: its square is rounding beside the square of the whole
_ADDED = "within-class covariance regularised by 0.001 of its mean eigenvalue"


def discriminants(
    rows: Any,
    labels: Any,
    k: int | None = None,
    *,
    share: float = 1.0,
    rule: str = "ceil",
    scale: bool = False,
    solver: str = "auto",
) -> LinearProjection:
    """Find the directions with the largest scatter between classes over that within."""
    table = CentredRows.of(rows, scale)
    classes = ClassRows.of(labels, len(table.rows))
    within = _WithinClasses(table.reduced, table.rounding, classes)
    if solver == "auto":
        solver = "regular" if within.regular else "svd"
    values, directions, note = {
        "regular": _regular,
        "svd": _shrunk,
        "nullspace": _collapse_within,
        "pca+lda": _after_pca,
    }[solver](table, within)
    size = count_chosen(values, k, share, rule)
    note += short_of(k, size, f"{classes.count} classes have no more discriminants")
    # Only these eigenvalues are no ratios: they are squares, in the table's own unit.
    unit = table.unit**2 if solver == "nullspace" else 1.0
    return table.projection(
        directions[:, :size],
        values[:size] * unit,
        values[:size] / values.sum(),
        f"solver {solver}: {note}",
        orthonormal=solver == "nullspace",
    )


class _WithinClasses:
    """Rows (never more columns than rows), their classes, and the within-class deviations.

    `rounding` bounds what rounding does to the length of each column.
    """

    def __init__(self, rows: Floats, rounding: Floats, classes: ClassRows) -> None:
        if (np.linalg.norm(classes.scatter_between(rows), axis=0) <= rounding).all():
            raise no_direction("'kda' or 'lfda', which compare more than means")
        self.rows, self.rounding, self.classes = rows, rounding, classes
        # Columns of equal length, so that the rank does not depend on units.
        self.lengths = np.linalg.norm(rows, axis=0)
        self.spread, self.axes = _axes(classes.within(rows / self.lengths))
        self.rank = int(np.count_nonzero(self.spread > _FLAT))

    @property
    def regular(self) -> bool:
        """Whether the within-class scatter is regular."""
        return self.rank == self.rows.shape[1]


def _regular(table: CentredRows, within: _WithinClasses) -> tuple[Floats, Floats, str]:  # noqa: ARG001
    if not within.regular:
        raise TamisError(
            f"{spell('solver', 'regular')}: the within-class covariance is singular; give "
            "'auto', 'svd', 'nullspace' or 'pca+lda'."
        )
    whitening = within.axes.T / within.spread
    H = within.classes.scatter_between(within.rows / within.lengths) @ whitening
    values, axes = _find_leading(H, within.classes.count - 1)
    directions = (whitening @ axes) / within.lengths[:, None]
    return values, directions, "within-class covariance without regularisation"


def _shrunk(table: CentredRows, within: _WithinClasses) -> tuple[Floats, Floats, str]:
    added = _ridge(table, within)
    if added == 0.0:
        raise TamisError(
            f"{spell('solver', 'svd')}: every class is a single point; give 'nullspace'."
        )
    values, directions = _add_ridge(within, added)
    n, d = table.rows.shape
    return values, directions, f"more columns than rows: {_ADDED}" if d > n else _ADDED


def _ridge(table: CentredRows, within: _WithinClasses) -> float:
    inside = within.classes.within(within.rows)
    return SHRINK * float(np.vdot(inside, inside)) / table.rows.shape[1]


def _add_ridge(within: _WithinClasses, added: float) -> tuple[Floats, Floats]:
    inside = within.classes.within(within.rows)
    scatter = inside.T @ inside + added * np.eye(inside.shape[1])
    factor = scipy.linalg.cholesky(scatter, lower=True, check_finite=False)
    H = within.classes.scatter_between(within.rows)
    white = scipy.linalg.solve_triangular(factor, H.T, lower=True, check_finite=False).T
    values, axes = _find_leading(white, within.classes.count - 1)
    directions = scipy.linalg.solve_triangular(
        factor, axes, lower=True, trans="T", check_finite=False
    )
    return values, directions


def _collapse_within(table: CentredRows, within: _WithinClasses) -> tuple[Floats, Floats, str]:  # noqa: ARG001
    inside = within.classes.within(within.rows)
    spread, axes = _axes(inside)
    top = float(np.linalg.norm(within.rows))
    empty = axes[int(np.count_nonzero(spread > _FLAT * top)) :].T
    H = within.classes.scatter_between(within.rows) @ empty
    if not empty.shape[1] or np.linalg.norm(H) <= _FLAT * top:
        raise TamisError(
            f"{spell('solver', 'nullspace')}: every direction has within-class variance; "
            "give 'regular'."
        )
    values, axes = _find_leading(H, within.classes.count - 1)
    return values, empty @ axes, f"{empty.shape[1]} directions without within-class variance"


def _after_pca(table: CentredRows, within: _WithinClasses) -> tuple[Floats, Floats, str]:
    _, _, right = scipy.linalg.svd(within.rows, full_matrices=False, check_finite=False)
    room = min(within.rank, within.rows.shape[1], len(within.rows) - within.classes.count)
    if room < 1:
        raise TamisError(
            f"{spell('solver', 'pca+lda')}: every class is a single point; give 'nullspace'."
        )
    axes = right[:room].T
    inner = _WithinClasses(within.rows @ axes, np.abs(axes).T @ within.rounding, within.classes)
    note = f"after {room} principal component{'s' if room > 1 else ''}"
    if inner.regular:
        values, directions, _ = _regular(table, inner)
    else:
        values, directions = _add_ridge(inner, _ridge(table, within))
        note += f", {_ADDED}"
    return values, axes @ directions, note


def _axes(rows: Floats) -> tuple[Floats, Floats]:
    """Give the singular values of the rows, and the right singular vectors as rows."""
    triangle = np.linalg.qr(rows, mode="r")
    _, spread, axes = scipy.linalg.svd(triangle, full_matrices=True, check_finite=False)
    return spread, axes


def _find_leading(H: Floats, most: int) -> tuple[Floats, Floats]:
    """Give the non-zero eigenvalues of `H'H`, largest first, and eigenvectors as columns."""
    _, sizes, right = scipy.linalg.svd(H, full_matrices=False, check_finite=False)
    values = sizes**2
    kept = min(int(np.count_nonzero(values > RANK_TOL * values[0])), most)
    return values[:kept], right[:kept].T


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
    """
    table = CentredRows.of(rows, scale)
    classes = ClassRows.of(labels, len(table.rows))
    given = _in_own_unit(affinity, table.unit) if callable(affinity) else affinity
    within, between = _local_scatter(table.reduced, classes, given, neighbours)
    # The scatter between classes is a difference of scatters: it may be rounding noise.
    noise = np.multiply.outer(table.rounding, np.linalg.norm(table.reduced, axis=0))
    if (np.abs(between) <= noise + noise.T).all():
        raise no_direction(_ADVICE)
    sizes = np.square(table.reduced).sum(axis=0)
    values, directions, ridged = _solve_pencil(within, between, sizes)
    size = count_chosen(values, k, share, rule)
    note = f"{affinity if isinstance(affinity, str) else 'given'} affinity"
    note += f"; local {_ADDED}" if ridged else ""
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
        local, near = np.zeros((d, d)), _affinity(members, affinity, neighbours)
        for part in row_blocks(len(members), len(members)):
            A = near(part)
            local += (members[part] * A.sum(axis=1)[:, None]).T @ members[part]
            local -= members[part].T @ (A @ members)
        local = (local + local.T) / 2
        total = members.sum(axis=0)
        within += local / count
        between += (1.0 / n - 1.0 / count) * local
        between += (1.0 - count / n) * (members.T @ members) + np.outer(total, total) / n
    return within, between


def _affinity(
    members: Floats, affinity: str | Kernel, neighbours: int
) -> Callable[[slice], Floats]:
    """Give the function from a block of rows of a class to their affinities with all of it."""
    count = len(members)
    if callable(affinity):
        return lambda part: np.asarray(affinity(members[part], members), dtype=np.float64)
    if affinity == "constant":
        return lambda part: np.ones((part.stop - part.start, count))
    reach = np.sqrt(measure_reach(members, min(neighbours, count - 1)))
    apart = reach[reach > 0]
    reach[reach == 0] = apart.min() if len(apart) else 1.0

    def local(part: slice) -> Floats:
        block = measure_row_distances(members[part], members)
        block /= -reach[part, None]
        block /= reach
        return np.exp(block, out=block)

    return local


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
