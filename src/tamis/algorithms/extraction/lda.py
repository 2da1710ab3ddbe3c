"""`lda`: the directions that set classes apart most, compared with the spread inside them.

Solves `S_B w = lam S_W w`. Where there are too few rows, `S_W` is singular and the solver matters:

* `regular`: `S_W` as it is;
* `svd`: inside the space that the rows span, `S_W` plus 0.001 of its mean eigenvalue;
* `nullspace`: the directions on which every class collapses to a point, `S_B` largest first;
* `pca+lda`: the leading principal components, at most as many as rows less classes, then
  `regular`, or `svd` if `S_W` is singular even there.

`auto` takes `regular` if it can and `svd` otherwise; the note says which ran. There are at most as
many directions as classes, less one, and all are kept unless told otherwise. Apart from
`nullspace`, whose directions are orthonormal, directions are scaled so that the scatter within
classes (regularised for `svd`) is 1 along each.

A separation on the rows used for fitting proves nothing: with more columns than rows, or a kernel
that tells all rows apart, shuffled labels are separated as well. The answer therefore gives the
cross-validated accuracy beside it (5 folds, nearest class mean) and says if it is overfitted.
"""

from typing import Any

import numpy as np
import scipy.linalg

from tamis.algorithms.extraction.scatter import SHRINK, CentredRows, Classes, no_direction
from tamis.algorithms.projection import LinearProjection, chosen, short_of
from tamis.errors import TamisError, spelled
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats

SOLVERS = ("auto", "regular", "svd", "nullspace", "pca+lda")
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
    """Find the directions with the largest scatter between classes over that within.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 1.5], [5.0, 5.5], [6.0, 5.0], [5.5, 6.5]])
    >>> found = discriminants(X, list("aaabbb"))
    >>> found.size, found.note
    (1, 'regular: the scatter within classes as it is')
    """
    if solver not in SOLVERS:
        raise TamisError(f"{spelled('solver', solver)}: give {' or '.join(map(repr, SOLVERS))}.")
    table = CentredRows.of(rows, scale)
    classes = Classes.of(labels, len(table.rows))
    within = _Within(table.reduced, table.rounding, classes)
    if solver == "auto":
        solver = "regular" if within.sound else "svd"
    values, directions, note = {
        "regular": _regular,
        "svd": _shrunk,
        "nullspace": _collapsed,
        "pca+lda": _after_pca,
    }[solver](table, within)
    size = chosen(values, k, share, rule)
    note += short_of(k, size, f"{classes.count} classes span no more")
    # Only these eigenvalues are no ratios: they are squares, in the table's own unit.
    unit = table.unit**2 if solver == "nullspace" else 1.0
    return table.projection(
        directions[:, :size],
        values[:size] * unit,
        values[:size] / values.sum(),
        f"{solver}: {note}",
        orthonormal=solver == "nullspace",
    )


class _Within:
    """Rows (never more columns than rows), their classes, and the spread inside the classes.

    `rounding` bounds what rounding does to the length of each column.
    """

    def __init__(self, rows: Floats, rounding: Floats, classes: Classes) -> None:
        if (np.linalg.norm(classes.between(rows), axis=0) <= rounding).all():
            raise no_direction("'kda' or 'lfda', which compare more than means")
        self.rows, self.rounding, self.classes = rows, rounding, classes
        # Columns of equal length, so that the rank does not depend on units.
        self.lengths = np.linalg.norm(rows, axis=0)
        self.spread, self.axes = _axes(classes.within(rows / self.lengths))
        self.rank = int(np.count_nonzero(self.spread > _FLAT))

    @property
    def sound(self) -> bool:
        """Whether the scatter within classes is regular."""
        return self.rank == self.rows.shape[1]


def _regular(table: CentredRows, within: _Within) -> tuple[Floats, Floats, str]:  # noqa: ARG001
    if not within.sound:
        raise TamisError(
            f"{spelled('solver', 'regular')}: the scatter within classes is singular; give 'auto', "
            "'svd', 'nullspace' or 'pca+lda'."
        )
    whitening = within.axes.T / within.spread
    H = within.classes.between(within.rows / within.lengths) @ whitening
    values, axes = _leading(H, within.classes.count - 1)
    directions = (whitening @ axes) / within.lengths[:, None]
    return values, directions, "the scatter within classes as it is"


def _shrunk(table: CentredRows, within: _Within) -> tuple[Floats, Floats, str]:
    added = _ridge(table, within)
    if added == 0.0:
        raise TamisError(
            f"{spelled('solver', 'svd')}: every class is a single point; give 'nullspace'."
        )
    values, directions = _ridged(within, added)
    n, d = table.rows.shape
    return values, directions, f"more columns than rows: {_ADDED}" if d > n else _ADDED


def _ridge(table: CentredRows, within: _Within) -> float:
    inside = within.classes.within(within.rows)
    return SHRINK * float(np.vdot(inside, inside)) / table.rows.shape[1]


def _ridged(within: _Within, added: float) -> tuple[Floats, Floats]:
    inside = within.classes.within(within.rows)
    scatter = inside.T @ inside + added * np.eye(inside.shape[1])
    factor = scipy.linalg.cholesky(scatter, lower=True, check_finite=False)
    H = within.classes.between(within.rows)
    white = scipy.linalg.solve_triangular(factor, H.T, lower=True, check_finite=False).T
    values, axes = _leading(white, within.classes.count - 1)
    directions = scipy.linalg.solve_triangular(
        factor, axes, lower=True, trans="T", check_finite=False
    )
    return values, directions


def _collapsed(table: CentredRows, within: _Within) -> tuple[Floats, Floats, str]:  # noqa: ARG001
    inside = within.classes.within(within.rows)
    spread, axes = _axes(inside)
    top = float(np.linalg.norm(within.rows))
    empty = axes[int(np.count_nonzero(spread > _FLAT * top)) :].T
    H = within.classes.between(within.rows) @ empty
    if not empty.shape[1] or np.linalg.norm(H) <= _FLAT * top:
        raise TamisError(
            f"{spelled('solver', 'nullspace')}: no direction collapses the classes to points; give "
            "'regular'."
        )
    values, axes = _leading(H, within.classes.count - 1)
    return values, empty @ axes, f"{empty.shape[1]} directions collapse the classes to points"


def _after_pca(table: CentredRows, within: _Within) -> tuple[Floats, Floats, str]:
    _, _, right = scipy.linalg.svd(within.rows, full_matrices=False, check_finite=False)
    room = min(within.rank, within.rows.shape[1], len(within.rows) - within.classes.count)
    if room < 1:
        raise TamisError(
            f"{spelled('solver', 'pca+lda')}: every class is a single point; give 'nullspace'."
        )
    axes = right[:room].T
    inner = _Within(within.rows @ axes, np.abs(axes).T @ within.rounding, within.classes)
    note = f"after {room} principal component{'s' if room > 1 else ''}"
    if inner.sound:
        values, directions, _ = _regular(table, inner)
    else:
        values, directions = _ridged(inner, _ridge(table, within))
        note += f", {_ADDED}"
    return values, axes @ directions, note


def _axes(rows: Floats) -> tuple[Floats, Floats]:
    """Give the spread of the rows along each of their axes, and the axes as rows."""
    triangle = np.linalg.qr(rows, mode="r")
    _, spread, axes = scipy.linalg.svd(triangle, full_matrices=True, check_finite=False)
    return spread, axes


def _leading(H: Floats, most: int) -> tuple[Floats, Floats]:
    """Give the non-zero eigenvalues of `H'H`, largest first, and eigenvectors as columns."""
    _, sizes, right = scipy.linalg.svd(H, full_matrices=False, check_finite=False)
    values = sizes**2
    kept = min(int(np.count_nonzero(values > RANK_TOL * values[0])), most)
    return values[:kept], right[:kept].T
