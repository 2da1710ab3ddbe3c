"""`gdfe`: the linear projection of least error in a generalised distance between rows.

Minimises `tr(E' Omega E)` of the error `E = Xc - Xc V V'`; the solution is the leading eigenvectors
of `B = Xc' Omega Xc` (Peluffo et al.). `Omega` has a row and a column for each row of the table and
is never stored: `B` is summed over blocks of it. An entry says how far the errors of two rows count
together:

    omega="kernel"      Omega[i, j] = exp(-|x_i - x_j|^2 / (2 sigma^2))
    omega="identity"    Omega[i, j] = 1 if i == j, else 0
    omega="linear"      Omega[i, j] = x_i . x_j, of centred rows
    omega=array         Omega itself, N x N, symmetric and without negative eigenvalues
    omega=function      a function from two sets of rows to the block of Omega between them

The paper prints the kernel without norm and square. `"identity"` gives the components of `pca`, and
so does `"linear"`, with squared eigenvalues. With the kernel, three rows on a line, 0, 1 and 3
sigma from the first, have

    1.000 0.607 0.011
    0.607 1.000 0.135
    0.011 0.135 1.000

`sigma` is the 10% quantile of all pairwise distances ("pooled_quantile") or of nearest-neighbour
distances ("nn_quantile", closer to the numbers of components in the paper). With `sigma=0` only
identical rows are related; if the "pooled_quantile" is 0, the smallest positive distance is used.

`weights` multiplies the columns by their relevance, of length 1 together, as `wpca` does: `V` are
then the eigenvectors of `W Xc' Omega Xc W`, and the scores `Y = Xc W V`. With `twice=True` they are
`Y = Xc W (W V)`, the second projection of the paper, which stresses relevant columns once more.
Its scores cannot be turned back into rows. `Omega` is that of the rows without weights.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tamis.algorithms.extraction.class_scatter import CentredRows
from tamis.algorithms.extraction.kernels import (
    Kernel,
    check_block,
    measure_reach,
    measure_row_distances,
    rbf,
)
from tamis.algorithms.extraction.pca import column_weights
from tamis.algorithms.projection import LinearProjection, count_chosen, short_of
from tamis.errors import TamisError, spell, spell_name
from tamis.numerics.eigen import all_pairs, fix_signs
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.rules.tolerances import NEGLIGIBLE, RANK_TOL
from tamis.statistics.rows import RowTable

_TENTH = 0.1
_HELD_PAIRS = 1 << 22
_N_DISTANCE_BINS = 1 << 14

Block = Callable[[slice], Floats]


def generalised_directions(
    rows: Any,
    k: int | None = None,
    *,
    share: float = 0.95,
    rule: str = "ceil",
    scale: bool = False,
    omega: str | Kernel | NDArray[Any] = "kernel",
    sigma: str | float = "pooled_quantile",
    weights: str | ArrayLike | None = None,
    twice: bool = False,
) -> LinearProjection:
    """Compute the components of least error in the distance that `omega` defines.

    `omega` is a name, an N x N array, or a function from two sets of rows (centred, and scaled if
    `scale`) to a block of it. `weights` is the id of a relevance method, or a number for each
    column.
    """
    if twice and weights is None:
        raise TamisError(f"{spell('twice', True)} applies weights: give {spell_name('weights')}.")
    table = CentredRows.of(rows, scale)
    w = None
    if weights is not None:
        gram = RowTable(table.rows, None, False).gram
        w = column_weights(gram, table.varying, len(table.mean), weights, rule)
    weighted = table if w is None else replace(table, rows=table.rows * w)
    B, note = _multiply_weighted(table, weighted.reduced, omega, sigma)
    values, vectors = all_pairs(B)
    values, vectors = values[::-1], vectors[:, ::-1]
    nonzero = int(np.count_nonzero(values > RANK_TOL * values[0])) if values[0] > 0 else 0
    if not nonzero:
        raise TamisError("The distance by omega has no variance: give another omega.")
    values, vectors = values[:nonzero], vectors[:, :nonzero]
    size = count_chosen(values, k, share, rule)
    square = table.unit * table.unit
    found = weighted.projection(
        vectors[:, :size],
        values[:size] * (square * square if note.startswith("Omega = X") else square),
        values[:size] / values.sum(),
        note + short_of(k, size, "other eigenvalues are zero, or below 1e-10 of the first"),
        orthonormal=True,
    )
    if w is None:
        return found
    # The components were found on weighted columns.
    factors = np.zeros(found.components.shape[1])
    factors[table.varying] = w
    components = fix_signs((found.components * factors ** (2 if twice else 1)).T).T
    squares = np.square(factors)
    back = np.divide(components, squares, out=np.zeros_like(components), where=squares > 0)
    named = weights if isinstance(weights, str) else "given"
    note = f"{found.note}; {named} weights" + (", applied twice" if twice else "")
    return replace(found, components=components, back=None if twice else back, note=note)


def _multiply_weighted(
    table: CentredRows, Z: Floats, omega: str | Kernel | NDArray[Any], sigma: str | float
) -> tuple[Floats, str]:
    """Give `Z' Omega Z`, with the `Omega` of the rows of the table, and say what that is."""
    if isinstance(omega, str) and omega == "identity":
        return Z.T @ Z, "Omega = I"
    if isinstance(omega, str) and omega == "linear":
        product = Z.T @ table.reduced
        return product @ product.T, "Omega = X X'"
    block, note = _omega(table, omega, sigma)
    n, d = Z.shape
    B, parts = np.zeros((d, d)), row_blocks(n, n)
    for part in track("rows weighted", parts, n, size=lambda part: part.stop - part.start):
        B += Z[part].T @ (block(part) @ Z)
    return (B + B.T) / 2, note


def _omega(
    table: CentredRows, omega: str | Kernel | NDArray[Any], sigma: str | float
) -> tuple[Block, str]:
    """Give the function from a slice to those rows of Omega, and say what it is."""
    Z, n = table.reduced, len(table.rows)
    if callable(omega):
        rows, function = table.rows, omega
        return lambda s: check_block(function(rows[s], rows), s, n, "omega"), "given Omega"
    if not isinstance(omega, str):
        matrix = np.asarray(omega)
        if matrix.shape != (n, n):
            raise TamisError(
                f"omega has the shape {matrix.shape} and the table {n} rows: give {n} x {n} values."
            )
        return lambda part: matrix[part].astype(np.float64), "given Omega"
    width = find_sigma(Z, sigma if isinstance(sigma, str) else sigma / table.unit)
    if width == 0.0:
        note = "Gaussian kernel, sigma = 0: identical rows only"
        return lambda part: (measure_row_distances(Z[part], Z) == 0).astype(np.float64), note
    gamma, note = 0.5 / width**2, f"Gaussian kernel, sigma = {width * table.unit:.6g}"
    return lambda part: rbf(Z[part], Z, gamma=gamma), note


def find_sigma(rows: Floats, sigma: str | float = "pooled_quantile") -> float:
    """Give the width of the kernel for centred rows.

    Examples
    --------
    >>> find_sigma(np.array([[-1.0], [0.0], [1.5]]))
    1.0
    """
    if not isinstance(sigma, str):
        if not (np.isfinite(sigma) and sigma >= 0):
            raise TamisError(f"{spell('sigma', sigma)}: give a number of at least 0.")
        return float(sigma)
    if sigma == "nn_quantile":
        nearest = measure_reach(rows, 1)
        place = max(1, int(_TENTH * len(nearest))) - 1
        return float(np.sqrt(np.partition(nearest, place)[place]))
    pairs = len(rows) * (len(rows) - 1) // 2
    rank = max(1, int(_TENTH * pairs))
    found = smallest_distance(rows, rank)
    if found == 0:
        found = min(float(d2.min(initial=np.inf, where=d2 > 0)) for d2 in _pairs(rows))
    return float(np.sqrt(found))


def smallest_distance(rows: Floats, rank: int) -> float:
    """Give the squared distance that `rank` of the pairs do not exceed, exactly.

    Few pairs are partitioned. Of many, each pass counts them in bins and goes on inside the bin
    that holds the rank, until its pairs are few or all alike.
    """
    low, high = 0.0, 4.001 * float(np.square(rows).sum(axis=1).max())
    inside = len(rows) * (len(rows) - 1) // 2
    while inside > _HELD_PAIRS:
        edges = np.linspace(low, high, _N_DISTANCE_BINS + 1)
        counts, below, copies = np.zeros(_N_DISTANCE_BINS, dtype=np.int64), 0, 0
        for values in _pairs(rows):
            copies += int(np.count_nonzero(values == 0))
            below += int(np.count_nonzero(values < low))
            counts += np.histogram(values, _N_DISTANCE_BINS, (low, high))[0]
        if rank <= copies:
            return 0.0
        place = int(np.searchsorted(below + np.cumsum(counts), rank))
        low, high, inside = float(edges[place]), float(edges[place + 1]), int(counts[place])
        if high <= low * (1 + NEGLIGIBLE):
            return low
    kept, below = [], 0
    for values in _pairs(rows):
        below += int(np.count_nonzero(values < low))
        kept.append(values[(values >= low) & (values < high)])
    found = np.concatenate(kept)
    found.partition(rank - 1 - below)
    return float(found[rank - 1 - below])


def _pairs(rows: Floats) -> Iterator[Floats]:
    """Yield the squared distances of all pairs of rows, each once."""
    n = len(rows)
    for part in row_blocks(n, n):
        block = measure_row_distances(rows[part], rows[part.start :])
        yield block[np.arange(block.shape[1]) > np.arange(len(block))[:, None]]
