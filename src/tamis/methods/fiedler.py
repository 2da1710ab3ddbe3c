"""The Fiedler vector of a dense graph: where it falls in two most easily.

Only one eigenvector is needed at each split of a tree, and of it only the signs. Small graphs are
solved whole. For larger ones a space is grown from what the parent's search had found, the way
Davidson did: the diagonal of a Laplacian matrix outweighs the rest, so dividing a residual by it
points the right way. The search ends once no sign can change. A tree that loses one leaf at a time
needs a handful of products with the matrix for each leaf.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_WHOLE = 64
_STEPS = 16
_LOW = 6
_GROWTH = 3
_MARGIN = 10
_SURE = 1e-11


@dataclass(frozen=True)
class Laplacian:
    """The matrix diag(a) - W, and its null vector z of length 1."""

    a: Floats
    W: Floats
    z: Floats

    @classmethod
    def of(cls, W: Floats, kind: str) -> "Laplacian":
        """Build the plain matrix, or the one normalised by the degrees (`sym` and `rw`)."""
        degree = W.sum(axis=0)
        if kind == "unnormalized":
            return cls(degree, W, np.full(len(W), 1 / np.sqrt(len(W))))
        root = np.sqrt(degree)
        return cls(np.ones(len(W)), W / root / root[:, None], root / np.linalg.norm(root))

    def dot(self, vectors: Floats) -> Floats:
        """Multiply with some vectors at once."""
        return np.asarray(self.a[:, None] * vectors - self.W @ vectors)


def low_vectors(matrix: Laplacian, guess: Floats | None = None) -> Floats:
    """Give the vectors of the lowest eigenvalues after the 0, of which the first is sure.

    The others are as good as the search left them; on a part of the graph they are a good guess.
    """
    n = len(matrix.a)
    if n <= _WHOLE:
        return _whole(matrix)
    if guess is None:
        # Where W is nearly of rank one, eigenvectors are 1 / (a - eigenvalue).
        guess = 1 / (matrix.a[:, None] - matrix.a.min() * np.array([0.9, 0.99, 0.999]))
    space = _apart(guess, matrix.z[:, None])
    if not space.shape[1]:
        return _whole(matrix)
    images = matrix.dot(space)
    for _ in range(_STEPS):
        values, mixtures = np.linalg.eigh(space.T @ images)
        found, moved = space @ mixtures[:, :_LOW], images @ mixtures[:, :_LOW]
        left = moved - found * values[: found.shape[1]]
        if _certain(found[:, 0], float(np.linalg.norm(left[:, 0])), values):
            return found
        fresh = _apart(
            _divided(left[:, :_GROWTH], matrix.a, values), np.column_stack([matrix.z, space])
        )
        if not fresh.shape[1]:
            break
        space = np.column_stack([space, fresh])
        images = np.column_stack([images, matrix.dot(fresh)])
    return _whole(matrix)


def _whole(matrix: Laplacian) -> Floats:
    vectors = np.linalg.eigh(np.diag(matrix.a) - matrix.W)[1]
    return np.asarray(vectors[:, 1 : 1 + _LOW])


def _certain(vector: Floats, residual: float, values: Floats) -> bool:
    """Tell whether no entry can change its sign for what the search leaves open."""
    if residual < _SURE * abs(values[-1]):
        return True
    # The error is at most the residual over the gap. The gap is itself an estimate.
    gap = values[1] - values[0] if len(values) > 1 else 0.0
    return bool(_MARGIN * residual < gap * np.abs(vector).min())


def _divided(residuals: Floats, a: Floats, values: Floats) -> Floats:
    """Divide by the diagonal less the eigenvalue, away from 0."""
    under = a[:, None] - values[: residuals.shape[1]]
    least = 1e-3 * float(np.abs(under).mean())
    return np.asarray(residuals / np.where(np.abs(under) < least, least, under))


def _apart(vectors: Floats, from_these: Floats) -> Floats:
    """Make vectors orthonormal, and orthogonal to others; those that vanish are left out."""
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=0), 1e-300)
    for _ in range(2):
        vectors = vectors - from_these @ (from_these.T @ vectors)
        vectors, R = np.linalg.qr(vectors)
        vectors = vectors[:, np.abs(np.diagonal(R)) > 1e-10]
    return vectors
