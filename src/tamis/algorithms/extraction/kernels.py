"""Kernels between rows, in blocks, and projections that are sums of kernels.

`kernel-pca`: principal components in the feature space of a kernel.

Kernel methods have no column weights (loadings), and scores cannot be mapped back to rows. Up to
2,048 rows the full kernel matrix is decomposed; beyond, only the leading components are computed,
by products of the kernel with blocks of vectors. The kernel matrix is held in memory up to 11,585
rows (1 GB) and recomputed for each product beyond, up to 32,768 rows. Beyond 2,048 rows a `retain`
that needs more than 256 components is refused, by a bound on their number, before the search.

`kda`: linear discriminant analysis in the feature space of a kernel (Baudat & Anouar).

With `K = P Gamma P'` the centred kernel matrix of the rows, the discriminants are eigenvectors of
`D P' B P D`, where `B` averages within classes and `D^2 = Gamma / (Gamma + ridge)`. An eigenvalue
is the between-class share of the variance along its discriminant. A kernel of full rank separates
the training rows whatever their labels: every eigenvalue is then 1 and carries no information. In
that case, unless a ridge is given, 0.001 of the mean eigenvalue of the kernel is used as ridge, and
the note says so. By default all discriminants are kept, one fewer than there are classes.

The kernel matrix is held in memory and decomposed in full: time grows with the cube of the number
of rows, memory with its square, and more than 8,192 rows are refused.

Separation of the training rows proves nothing: with more columns than rows, or a kernel of full
rank, shuffled labels are separated just as well. The result therefore includes the cross-validated
accuracy (5 folds, nearest class mean) and says if the separation is overfitted.
"""

from collections.abc import Callable, Iterator
from dataclasses import field
from functools import partial
from typing import Any

import numpy as np
import scipy.linalg

from tamis.algorithms.extraction.class_scatter import SHRINK, CentredRows, ClassRows, no_direction
from tamis.algorithms.projection import Projection, count_chosen, find_leading_until, short_of
from tamis.errors import TamisError, spell, spell_name
from tamis.numerics.eigen import all_pairs, find_leading_pairs, find_leading_subspace, fix_signs
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.rules.tolerances import EPS, NEGLIGIBLE, RANK_TOL, TIE
from tamis.values import dataclass

Kernel = Callable[[Floats, Floats], Floats]

_NEAR = 1e-4  # of squared lengths: products lose four digits of such a distance, differences none
_COINCIDE = 1e-28  # of squared lengths: nearer rows differ in their last digits only
_MAX_NEAR_SHARE = 0.1
_SLACK = 1e-6  # the bound may be one too small, never one too large


def linear(a: Floats, b: Floats) -> Floats:
    """Give the inner products of two sets of rows."""
    return a @ b.T


def rbf(a: Floats, b: Floats, *, gamma: float) -> Floats:
    """Give `exp(-gamma * squared distance)`."""
    block = measure_row_distances(a, b)
    block *= -gamma
    return np.exp(block, out=block)


def poly(a: Floats, b: Floats, *, gamma: float, degree: int, coef0: float) -> Floats:
    """Give `(gamma * inner product + coef0) ** degree`."""
    with np.errstate(over="ignore"):  # an infinite kernel is refused below
        return np.asarray((gamma * (a @ b.T) + coef0) ** degree)


def measure_row_distances(a: Floats, b: Floats) -> Floats:
    """Give the squared distances of two sets of rows, exactly 0 where rows coincide.

    They come from inner products, and again from differences for rows that are nearer to each other
    than 1/100 of their distance from zero, where products lose digits. Rows nearer than 1e-14 of it
    differ by rounding only and coincide.

    Examples
    --------
    >>> measure_row_distances(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([[3.0, 4.0]]))
    array([[25.],
           [ 0.]])
    """
    sizes = np.einsum("ij,ij->i", a, a)[:, None] + np.einsum("ij,ij->i", b, b)
    block = a @ b.T
    block *= -2.0
    block += sizes
    sizes *= _NEAR
    near = np.flatnonzero(block <= sizes)
    if len(near) > _MAX_NEAR_SHARE * block.size:
        # All pairs by differences: for clustered tables, where most pairs are near.
        from scipy.spatial.distance import cdist

        block = cdist(a, b, "sqeuclidean")
        block[block <= (_COINCIDE / _NEAR) * sizes] = 0.0
        return np.asarray(block)
    for some in row_blocks(len(near), a.shape[1]):
        part = near[some]
        left, right = np.divmod(part, len(b))
        difference = a[left] - b[right]
        squares = np.einsum("ij,ij->i", difference, difference)
        squares[squares <= (_COINCIDE / _NEAR) * sizes.flat[part]] = 0.0
        block.flat[part] = squares
    return np.asarray(block)


def measure_reach(rows: Floats, neighbour: int) -> Floats:
    """Give the squared distance of every row to its neighbour of this number, 0 being itself."""
    reach = np.empty(len(rows))
    for part in row_blocks(len(rows), len(rows)):
        block = measure_row_distances(rows[part], rows)
        block[np.arange(len(block)), np.arange(part.start, part.stop)] = 0.0
        reach[part] = np.partition(block, neighbour, axis=1)[:, neighbour]
    return reach


def find_kernel(
    kernel: str | Kernel, *, gamma: float | None, degree: int, coef0: float, width: int
) -> Kernel:
    """Give the function that a name stands for; `gamma` is 1 / columns unless given."""
    if callable(kernel):
        return kernel
    gamma = 1.0 / width if gamma is None else gamma
    if kernel == "rbf":
        return partial(rbf, gamma=gamma)
    if kernel == "poly":
        return partial(poly, gamma=gamma, degree=degree, coef0=coef0)
    return linear


def check_block(block: Any, part: slice, n: int, giver: str) -> Floats:
    """Give a block of values of some rows with all as floats; refuse one of another shape."""
    block = np.asarray(block, dtype=np.float64)
    if block.shape != (part.stop - part.start, n):
        raise TamisError(
            f"{giver} gave an array of the shape {block.shape} for {part.stop - part.start} and "
            f"{n} rows: let it give one value for each pair."
        )
    return np.asarray(block)


def _no_kernel(what: str) -> str:
    advice = f"pass {spell('scale', True)}, or give another kernel."
    return f"The kernel is {what}: {advice}"


class CentredKernel:
    """The kernel of all rows with each other, less its means; held only if it fits the budget."""

    def __init__(self, rows: Floats, kernel: Kernel, held_rows: int) -> None:
        self.rows, self.kernel = rows, kernel
        n = len(rows)
        self.held = np.empty((n, n)) if n <= held_rows else None
        self.means, self._diagonal = np.empty(n), np.empty(n)
        squares = 0.0
        for part, block in self._blocks():
            squares += float(np.vdot(block, block))
            self.means[part] = block.mean(axis=1)
            self._diagonal[part] = np.diagonal(block, part.start)
            if self.held is not None:
                self.held[part] = block
        self.mean = float(self.means.mean())
        self._squares = squares - 2 * n * float(self.means @ self.means) + _square(n * self.mean)
        if not self.trace > 0.0:
            raise TamisError(_no_kernel("the same for all rows"))
        if self.held is not None:
            self.held -= self.means
            self.held -= self.means[:, None] - self.mean

    def _blocks(self) -> Iterator[tuple[slice, Floats]]:
        """Compute the kernel, a block of rows at a time."""
        n = len(self.rows)
        for part in track("rows of the kernel", row_blocks(n, n), n, lambda s: s.stop - s.start):
            block = check_block(self.kernel(self.rows[part], self.rows), part, n, "The kernel")
            if not np.isfinite([block.min(), block.max()]).all():
                raise TamisError(_no_kernel("infinite for some rows"))
            yield part, block

    @property
    def trace(self) -> float:
        """Sum of the eigenvalues."""
        return float((self._diagonal - 2 * self.means).sum() + len(self.means) * self.mean)

    @property
    def rounding(self) -> float:
        """Bound the error of the centred kernel: each value is exact to n eps of the largest."""
        n = len(self.means)
        return n * n * float(EPS * np.abs(self._diagonal).max())

    def dot(self, u: Floats) -> Floats:
        """Multiply the centred kernel with a vector or with the columns of a matrix."""
        if self.held is not None:
            return self.held @ u
        out, centred = np.empty_like(u), u - u.mean(axis=0)
        for part, block in self._blocks():
            out[part] = block @ centred
        return out - out.mean(axis=0)

    def least_components(self, share: float) -> int:
        """Bound from below how many components hold this share of the trace.

        r eigenvalues add up to at most the root of r times the Frobenius norm.
        """
        most = len(self.means) - 1
        if not most * _square(self.rounding) < self._squares < np.inf:
            return 1
        bound = _square(share * self.trace) / self._squares * (1 - _SLACK)
        return int(np.clip(bound, 1, most))


def _square(value: float) -> float:
    return value * value  # a power would raise where this is infinite


@dataclass(frozen=True, eq=False)
class KernelProjection(Projection):
    """Scores that are weighted sums of kernels with the training rows, which are kept."""

    table: CentredRows = field(repr=False)
    kernel: Kernel
    weights: Floats = field(repr=False)
    means: Floats = field(repr=False)
    mean: float = field(repr=False)

    def project(self, rows: Any) -> Floats:
        """Give the scores of these rows, one column for each direction."""
        fresh, known = self.table.treat_alike(rows), self.table.rows
        scores = np.empty((len(fresh), self.size))
        for part in row_blocks(len(fresh), len(known)):
            block = np.asarray(self.kernel(fresh[part], known), dtype=np.float64)
            block = block - block.mean(axis=1, keepdims=True) - self.means + self.mean
            scores[part] = block @ self.weights
        return scores


_MAX_HELD_ROWS = 11_585  # 1 GB
_SMALL_ROWS = 2048
_MAX_KERNEL_ROWS = 32_768
_MOST_COMPONENTS = 256
_FIRST_KERNEL_PAIRS = 32


def kernel_components(
    rows: Any,
    k: int | None = None,
    *,
    share: float = 0.95,
    rule: str = "ceil",
    scale: bool = True,
    kernel: str | Kernel = "rbf",
    gamma: float | None = None,
    degree: int = 3,
    coef0: float = 1.0,
) -> KernelProjection:
    """Find the `k` leading components of the centred kernel, or as many as explain the share."""
    table = CentredRows.of(rows, scale)
    n, d = table.rows.shape
    if n > _MAX_KERNEL_ROWS:
        raise TamisError(
            f"kernel-pca compares all rows with each other, and there are {n:,}: give at most "
            f"{_MAX_KERNEL_ROWS:,} rows, for instance a random sample, or use 'pca'."
        )
    function = find_kernel(kernel, gamma=gamma, degree=degree, coef0=coef0, width=d)
    centred = CentredKernel(table.rows, function, _MAX_HELD_ROWS)
    small = centred.held is not None and n <= _SMALL_ROWS
    least = 1 if small or k is not None else centred.least_components(share)

    def find(size: int) -> tuple[Floats, Floats]:
        if small:
            assert centred.held is not None
            if k is not None:
                return find_leading_pairs(centred.held, size)
            values, vectors = all_pairs(centred.held)
            return values[::-1], vectors[:, ::-1]
        if k is None and size > _MOST_COMPONENTS:
            raise TamisError(
                f"More than {_MOST_COMPONENTS} components are needed to hold {share:.0%} of the "
                f"variance of this kernel on {n:,} rows: give {spell_name('k')} or a smaller "
                f"{spell_name('retain')}, or at most {_SMALL_ROWS:,} rows."
            )
        return find_leading_subspace(centred.dot, n, size)

    values, vectors = find_leading_until(
        find,
        k,
        most=n - 1,
        total=centred.trace,
        share=share,
        rule=rule,
        first=n - 1 if small else max(_FIRST_KERNEL_PAIRS, least),
        floor=NEGLIGIBLE,
    )
    named = kernel if isinstance(kernel, str) else "given"
    note = f"{named} kernel, " + ("held" if centred.held is not None else "computed block by block")
    note += short_of(k, len(values), "other eigenvalues are zero, or below 1e-12 of the first")
    weights, means = fix_signs(vectors / np.sqrt(values)), (centred.means, centred.mean)
    return KernelProjection(values, values / centred.trace, note, table, function, weights, *means)


_MAX_KDA_ROWS = 8192


def kernel_discriminants(
    rows: Any,
    labels: Any,
    k: int | None = None,
    *,
    share: float = 1.0,
    rule: str = "ceil",
    scale: bool = True,
    kernel: str | Kernel = "rbf",
    gamma: float | None = None,
    degree: int = 3,
    coef0: float = 1.0,
    cut: float = 1e-8,
    ridge: float | None = None,
) -> KernelProjection:
    """Compute the discriminants in the feature space of the kernel.

    Kernel eigenvalues below `cut` times the largest are dropped; `ridge` is a multiple of their
    mean.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [5.0, 5.5], [6.0, 5.0]])
    >>> found = kernel_discriminants(X, [0, 0, 1, 1], kernel="linear")
    >>> found.size, bool(found.values[0] > 0.9)
    (1, True)
    """
    table = CentredRows.of(rows, scale)
    n, d = table.rows.shape
    classes = ClassRows.of(labels, n)
    if n > _MAX_KDA_ROWS:
        raise TamisError(
            f"kda holds the kernel of all rows with each other, and there are {n:,}: give at most "
            f"{_MAX_KDA_ROWS:,} rows, or use 'lda'."
        )
    function = find_kernel(kernel, gamma=gamma, degree=degree, coef0=coef0, width=d)
    centred = CentredKernel(table.rows, function, _MAX_KDA_ROWS)
    assert centred.held is not None
    between = classes.scatter_between(classes.scatter_between(centred.held).T)
    if np.trace(between) <= centred.rounding:
        raise no_direction("another kernel")
    spectrum, vectors = all_pairs(centred.held, overwrite=True)
    first = int(np.count_nonzero(spectrum <= cut * spectrum[-1]))
    spectrum, vectors = spectrum[first:], vectors[:, first:]
    eps = (ridge or 0.0) * spectrum.sum() / n
    values, weights = _discriminants(spectrum, vectors, classes, eps)
    note = f"{kernel if isinstance(kernel, str) else 'given'} kernel of rank {len(spectrum)}"
    if ridge is None and values[-1] > 1 - TIE:
        eps = SHRINK * spectrum.sum() / n
        values, weights = _discriminants(spectrum, vectors, classes, eps)
        note += "; it separates all rows, so a ridge of 0.001 was added"
    size = count_chosen(values, k, share, rule)
    note += short_of(k, size, f"{classes.count} classes have no more discriminants")
    weights, means = fix_signs(weights[:, :size]), (centred.means, centred.mean)
    values, shares = values[:size], values[:size] / values.sum()
    return KernelProjection(values, shares, note, table, function, weights, *means)


def _discriminants(
    spectrum: Floats, vectors: Floats, classes: ClassRows, eps: float
) -> tuple[Floats, Floats]:
    """Give eigenvalues and weights of the rows, scaled to length 1 in the kernel space."""
    shrink = np.sqrt(spectrum / (spectrum + eps))
    # B = H H' with one column for each class, so P'BP is a product of few columns.
    H = classes.scatter_between(vectors) * shrink
    _, sizes, beta = scipy.linalg.svd(H, full_matrices=False, check_finite=False)
    values = np.minimum(sizes**2, 1.0)
    kept = min(int(np.count_nonzero(values > RANK_TOL * values[0])), classes.count - 1)
    alpha = vectors @ (beta[:kept].T * (shrink / spectrum)[:, None])
    lengths = np.linalg.norm(np.sqrt(spectrum)[:, None] * (vectors.T @ alpha), axis=0)
    return values[:kept], alpha / lengths
