"""The Fiedler vector of a dense graph, which shows the best cut in two.

Only one eigenvector is needed at each split of a tree, and of it only which entries lie above 0 or
above the median. Small graphs are solved in full. For larger ones a search space is grown from that
of the parent, by Davidson's method: the diagonal of a Laplacian matrix outweighs the rest, so
dividing a residual by it points the right way. The search ends once the cut can no longer change.
This is proven: with the null vector and the vector found moved up the spectrum, a Cholesky factor
exists only if all other eigenvalues lie above the shift, which is half of the gap to the next one.
Where the proof fails the graph is solved in full.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, spotrf

from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats

_MAX_DENSE_NODES = 96
_MAX_FIEDLER_STEPS = 16
_LOW = 6
_GROWTH = 2
_ODD = 2
_MARGIN = 3
_SINGLE_ROUNDING = 2.5e-7  # twice the rounding of single precision
_MIN_LEFT_OF_UNIT = 1e-6  # what is left of a unit vector that brings no direction of its own

Room = Callable[[Floats], float]


def smallest_entry(vector: Floats) -> float:
    """Give how far every entry may be off before a sign changes."""
    return float(np.abs(vector).min())


@dataclass(frozen=True, eq=False)
class Laplacian:
    """The matrix diag(a) - W, and its null vector z of length 1; `single` is W in float32."""

    a: Floats
    W: Floats
    z: Floats
    single: NDArray[np.float32]

    @classmethod
    def of(
        cls,
        W: Floats,
        kind: str,
        degree: Floats | None = None,
        single: NDArray[np.float32] | None = None,
    ) -> "Laplacian":
        """Build the plain matrix, or the one normalised by the degrees (`sym` and `rw`)."""
        n, degree = len(W), W.sum(axis=0) if degree is None else degree
        if kind == "unnormalized":
            single = W.astype(np.float32) if single is None else single
            return cls(degree, W, np.full(n, 1 / np.sqrt(n)), single)
        root = np.sqrt(degree)
        scaled = W / root / root[:, None]
        return cls(np.ones(n), scaled, root / np.linalg.norm(root), scaled.astype(np.float32))

    def dot(self, vectors: Floats) -> Floats:
        """Multiply with some vectors at once."""
        return np.asarray(self.a[:, None] * vectors - self.W @ vectors)


def low_vectors(
    matrix: Laplacian,
    guess: Floats | None = None,
    *,
    room: Room = smallest_entry,
    order: Floats | None = None,
) -> tuple[float, Floats]:
    """Give the lowest eigenvalue after the 0, and vectors of which the first is its own.

    `room` gives how far every entry of it may be off without changing the cut. The other vectors
    are as good as the search left them; on a part of the graph they are a good guess. Where the
    eigenvalue is repeated, the vector of its space is taken that is nearest to `order`, a rising
    sequence.
    """
    n = len(matrix.a)
    order = np.arange(n, dtype=np.float64) if order is None else order
    if n <= _MAX_DENSE_NODES:
        return _solve_dense(matrix, order)
    if guess is None:
        # Where W is nearly of rank one, eigenvectors are 1 / (a - eigenvalue).
        guess = 1 / (matrix.a[:, None] - matrix.a.min() * np.array([0.9, 0.99, 0.999]))
    # Symmetries of the graph hide vectors from a start that shares them: two without any.
    odd = np.random.default_rng(0).standard_normal((n, _ODD))
    space = _Space(matrix)
    space.grow(np.column_stack([guess, odd]))
    for _ in range(_MAX_FIEDLER_STEPS):
        values, found, left = space.lowest()
        residual, gap = float(np.linalg.norm(left[:, 0])), float(values[1] - values[0])
        # The error of the vector is at most the residual over half of the gap, once that is proven.
        if _MARGIN * residual < gap * room(found[:, 0]):
            sure = _is_proven(matrix, found[:, 0], float(values[0]) + gap / 2, gap)
            return (float(values[0]), found) if sure else _solve_dense(matrix, order)
        if not space.grow(_divide_shifted(left[:, :_GROWTH], matrix.a, values)):
            break
    return _solve_dense(matrix, order)


class _Space:
    """Orthonormal vectors, the null vector first, and what the matrix makes of them."""

    def __init__(self, matrix: Laplacian) -> None:
        room = 1 + _ODD + _LOW + _GROWTH * _MAX_FIEDLER_STEPS
        self.matrix, self.size = matrix, 1
        self.basis = np.empty((len(matrix.a), room), order="F")
        self.images = np.empty_like(self.basis)
        self.basis[:, 0] = matrix.z

    def grow(self, vectors: Floats) -> int:
        """Add what is new in these vectors, and give how much that is."""
        known = self.basis[:, : self.size]
        vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=0), 1e-300)
        vectors = vectors - known @ (known.T @ vectors)
        width = 0
        while vectors.shape[1] != width:  # once more where some were dropped: they were noise
            width = vectors.shape[1]
            vectors = vectors - known @ (known.T @ vectors)
            vectors, R = np.linalg.qr(vectors)
            vectors = vectors[:, np.abs(np.diagonal(R)) > _MIN_LEFT_OF_UNIT]
        fresh = slice(self.size, self.size + vectors.shape[1])
        self.basis[:, fresh] = vectors
        self.images[:, fresh] = self.matrix.dot(vectors)
        self.size = fresh.stop
        return vectors.shape[1]

    def lowest(self) -> tuple[Floats, Floats, Floats]:
        """Give the lowest values that the space knows, their vectors and the residuals."""
        basis, images = self.basis[:, 1 : self.size], self.images[:, 1 : self.size]
        values, mixtures = np.linalg.eigh(basis.T @ images)
        values, mixtures = values[:_LOW], mixtures[:, :_LOW]
        found = basis @ mixtures
        return values, found, images @ mixtures - found * values


def _solve_dense(matrix: Laplacian, order: Floats) -> tuple[float, Floats]:
    values, vectors = np.linalg.eigh(np.diag(matrix.a) - matrix.W)
    low = np.asarray(vectors[:, 1 : 1 + _LOW])
    copies = int(np.count_nonzero(values[1:] <= values[1] + RANK_TOL * float(matrix.a.max())))
    if copies > 1:
        low = np.column_stack([_nearest(vectors[:, 1 : 1 + copies], order), low[:, 1:]])
    return float(values[1]), low


def _nearest(space: Floats, order: Floats) -> Floats:
    """Give the vector of a space nearest to the order, or to a single column if that is none."""
    part = space @ ((order - order.mean()) @ space)
    if np.linalg.norm(part) <= _MIN_LEFT_OF_UNIT * np.linalg.norm(order - order.mean()):
        part = space @ space[first_best(np.einsum("ij,ij->i", space, space))]
    return np.asarray(part / np.linalg.norm(part))


def _is_proven(matrix: Laplacian, vector: Floats, shift: float, gap: float) -> bool:
    """Check that every eigenvalue but those of z and of the vector lies above the shift.

    Single precision serves where the gap is far above its rounding.
    """
    up = float(matrix.a.max()) + abs(shift)
    single = gap > _SINGLE_ROUNDING * len(matrix.a) * up
    kind: Any = np.float32 if single else np.float64
    pair = np.column_stack([matrix.z, vector]).astype(kind)
    moved = (up * pair) @ pair.T
    moved -= matrix.single if single else matrix.W
    moved.flat[:: len(moved) + 1] += (matrix.a - shift).astype(kind)
    factorise = spotrf if single else dpotrf
    failed = factorise(moved.T, lower=1, clean=0, overwrite_a=1)[1]  # symmetric: no copy is made
    return not failed


def _divide_shifted(residuals: Floats, a: Floats, values: Floats) -> Floats:
    """Divide by the diagonal less the eigenvalue, away from 0."""
    under = a[:, None] - values[: residuals.shape[1]]
    least = 1e-3 * float(np.abs(under).mean())
    return np.asarray(residuals / np.where(np.abs(under) < least, least, under))
