"""Kernels between rows, in blocks, and projections that are sums of kernels."""

from collections.abc import Callable, Iterator
from dataclasses import field
from functools import partial
from typing import Any

import numpy as np

from tamis.algorithms.extraction.class_scatter import CentredRows
from tamis.algorithms.projection import Projection
from tamis.errors import TamisError, spell
from tamis.numerics.eigen import fix_signs
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.tolerances import EPS
from tamis.numerics.types import Floats
from tamis.progress import track
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
        return _by_difference(a, b, sizes)
    for some in row_blocks(len(near), a.shape[1]):
        part = near[some]
        left, right = np.divmod(part, len(b))
        difference = a[left] - b[right]
        squares = np.einsum("ij,ij->i", difference, difference)
        squares[squares <= (_COINCIDE / _NEAR) * sizes.flat[part]] = 0.0
        block.flat[part] = squares
    return np.asarray(block)


def _by_difference(a: Floats, b: Floats, sizes: Floats) -> Floats:
    """Compute all pairs by differences: for clustered tables, where most pairs are near."""
    from scipy.spatial.distance import cdist

    block = cdist(a, b, "sqeuclidean")
    block[block <= (_COINCIDE / _NEAR) * sizes] = 0.0
    return np.asarray(block)


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
    if kernel == "linear":
        return linear
    raise TamisError(
        f"{spell('kernel', kernel)}: give 'rbf', 'linear' or 'poly', or a function of two sets "
        "of rows."
    )


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
        parts = track(
            "rows of the kernel", row_blocks(n, n), n, size=lambda part: part.stop - part.start
        )
        return ((part, self._block(part)) for part in parts)

    def _block(self, part: slice) -> Floats:
        block = np.asarray(self.kernel(self.rows[part], self.rows), dtype=np.float64)
        if block.shape != (part.stop - part.start, len(self.rows)):
            raise TamisError(
                f"The kernel gave an array of the shape {block.shape} for "
                f"{part.stop - part.start} and {len(self.rows)} rows: let it give one value for "
                "each pair."
            )
        if not np.isfinite([block.min(), block.max()]).all():
            raise TamisError(_no_kernel("infinite for some rows"))
        return block

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


def kernel_projection(
    table: CentredRows,
    centred: CentredKernel,
    weights: Floats,
    values: Floats,
    shares: Floats,
    note: str,
) -> KernelProjection:
    """Make the projection, each direction turned so that its largest weight is positive."""
    return KernelProjection(
        values, shares, note, table, centred.kernel, fix_signs(weights), centred.means, centred.mean
    )
