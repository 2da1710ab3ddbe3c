"""Follow the leading eigenvector of a symmetric matrix that loses a little at every step.

The search space is kept from step to step: after a rank-one change it still holds nearly all of the
new leading vector, so a few products with the matrix finish the job where a fresh solver would
need dozens. The search stops as soon as its error can no longer change the caller's pick.
"""

from collections.abc import Callable

import numpy as np

from tamis.numerics.eigen import most_peaked
from tamis.numerics.types import Floats
from tamis.rules.tolerances import EPS, NEGLIGIBLE, RANK_TOL, TIE
from tamis.values import dataclass

_MAX_BASIS_VECTORS = 56
_KEEP = 32
_MAX_EXPANSIONS = 200

Inverse = Callable[[float], Callable[[Floats], Floats]]


@dataclass(frozen=True, eq=False)
class Ritz:
    """An approximate leading eigenpair, and bounds on how wrong it may be.

    `image` is the matrix times `vector`. `error` bounds the sine of the angle to the true vector,
    `image_error` the same angle between the images, measured as vectors of samples.
    """

    value: float
    vector: Floats
    image: Floats
    error: float
    image_error: float


class LeadingVector:
    """Search space (`basis`, its `image` under the matrix, their product) for one eigenvector."""

    def __init__(self, dot: Callable[[Floats], Floats], diagonal: Floats) -> None:
        d = diagonal.size
        room = min(_MAX_BASIS_VECTORS, d)
        self._dot = dot
        self._basis = np.zeros((d, room), order="F")
        self._image = np.zeros((d, room), order="F")
        self._small = np.zeros((room, room))
        self.size = 0
        self.products = 0
        starts = (
            np.eye(d) if d <= _MAX_BASIS_VECTORS else [np.random.default_rng(0).standard_normal(d)]
        )
        for start in starts:
            self._expand(start)

    def subtract(self, w: Floats) -> None:
        """Follow the change from `A` to `A - ww'`."""
        part = w @ self._basis[:, : self.size]
        self._image[:, : self.size] -= np.outer(w, part)
        self._small[: self.size, : self.size] -= np.outer(part, part)

    def project(self, q: Floats, column: Floats) -> None:
        """Follow the change from `A` to `PAP`, `P = I - qq'`, given the unit `q` and `A q`."""
        basis, image = self._basis[:, : self.size], self._image[:, : self.size]
        part = q @ basis
        image -= np.outer(column, part)
        image -= np.outer(q, q @ image)
        basis -= np.outer(q, part)
        values, turn = np.linalg.eigh(basis.T @ basis)
        # Squared lengths: what is left of a vector below 1e-4 of it lacks orthogonality.
        sound = values > 1e-8
        self._compress(turn[:, sound] / np.sqrt(values[sound]))

    def search(
        self, diagonal: Floats, settled: Callable[[Ritz], bool], inverse: Inverse | None = None
    ) -> Ritz:
        """Improve the leading pair until `settled` is content or it is exact.

        `diagonal` is that of the current matrix: the column least seen by the search space is
        tried first, so that a direction the space lost cannot hide. `inverse`, if there is
        one, solves systems with the shifted matrix: then a few steps do, whatever the spectrum.
        """
        values, turn = self._eigen()
        seen = np.square(self._basis[:, : self.size] @ turn) @ np.maximum(values, 0.0)
        start = np.zeros(diagonal.size)
        start[int(np.argmax(diagonal - seen))] = 1.0
        self._expand(start)
        for _ in range(_MAX_EXPANSIONS):
            ritz, residual = self._find_leading()
            if ritz.error <= NEGLIGIBLE or settled(ritz):
                return ritz
            if inverse is not None:
                # Some eigenvalue lies within the norm of the residual of the Ritz value.
                solve = inverse(ritz.value + float(np.linalg.norm(residual)))
                fresh = self._expand(solve(ritz.vector))
                fresh = fresh and self._expand(solve(self._basis[:, self.size - 1]))
            else:
                fresh = self._expand(residual)
                # Go on along the Krylov sequence: a new Ritz vector each time costs more.
                fresh = fresh and self._expand(self._image[:, self.size - 1])
            if not fresh and self.size < self._basis.shape[1]:
                return ritz
        return ritz

    def _eigen(self) -> tuple[Floats, Floats]:
        # NumPy's own LAPACK: SciPy's would wake a second pool of BLAS threads.
        values, turn = np.linalg.eigh(self._small[: self.size, : self.size])
        return values[::-1], turn[:, ::-1]

    def _find_leading(self) -> tuple[Ritz, Floats]:
        values, turn = self._eigen()
        if self.size == self._basis.shape[1] < self._basis.shape[0]:
            self._compress(turn[:, : min(_KEEP, self.size)])
            values, turn = self._eigen()
        weights = turn[:, 0]
        # Where the largest eigenvalue repeats a rule chooses: a solver returns any vector.
        first = turn[:, values >= values[0] * (1 - TIE)]
        if first.shape[1] > 1:
            weights = first @ most_peaked(self._basis[:, : self.size] @ first)
        vector = self._basis[:, : self.size] @ weights
        image = self._image[:, : self.size] @ weights
        value = max(float(values[0]), np.finfo(float).tiny)
        residual = image - value * vector
        second = max(float(values[1]), 0.0) if self.size > 1 else 0.0
        gap = max(value - second, EPS * value)
        error = float(np.linalg.norm(residual)) / gap
        if self.size == self._basis.shape[0]:
            error = 0.0
        return Ritz(value, vector, image, error, error * np.sqrt(second / value)), residual

    def _compress(self, turn: Floats) -> None:
        keep = turn.shape[1]
        self._basis[:, :keep] = self._basis[:, : self.size] @ turn
        self._image[:, :keep] = self._image[:, : self.size] @ turn
        self.size = keep
        basis, image = self._basis[:, : self.size], self._image[:, : self.size]
        small = basis.T @ image
        self._small[: self.size, : self.size] = (small + small.T) / 2

    def _expand(self, direction: Floats) -> bool:
        """Add one direction to the search space; say whether it brought anything new."""
        if self.size == self._basis.shape[1]:
            return False
        basis = self._basis[:, : self.size]
        length = float(np.linalg.norm(direction))
        if length == 0.0:
            return False
        fresh = direction / length
        for _ in range(2):
            fresh = fresh - basis @ (fresh @ basis)
        length = float(np.linalg.norm(fresh))
        if length < RANK_TOL:
            return False
        fresh /= length
        image = self._dot(fresh)
        self.products += 1
        self._basis[:, self.size], self._image[:, self.size] = fresh, image
        self.size += 1
        products = image @ self._basis[:, : self.size]
        self._small[self.size - 1, : self.size] = products
        self._small[: self.size, self.size - 1] = products
        return True
