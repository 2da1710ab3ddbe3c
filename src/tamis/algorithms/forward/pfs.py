"""`pfs`: the column most correlated with the leading component of the residual (Cui & Dy).

The paper divides a loading by the norm of the column without saying which norm; the default is that
of the residual column, which makes the score a correlation at every step.

Where the largest eigenvalue is repeated (one-hot columns of a balanced factor) all columns of the
tie are equally good. With up to 56 columns the choice follows a rule; with more it may differ
between processors.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal, Unpack

import numpy as np

from tamis.algorithms.greedy import search
from tamis.algorithms.limits import LimitedGoal, no_limits
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.numerics.leading import Inverse, LeadingVector, Ritz
from tamis.numerics.types import Floats, Mask
from tamis.rules.tolerances import TIE
from tamis.statistics.gram import Gram, Samples

Norm = Literal["residual", "original", "none"]

_COARSE = 1e-3  # with a larger error no pick is settled: the scores need not be looked at
_MIN_ROTATED_COLUMNS = 200
_TRIAL = 8
_ROTATION = 0.6  # products that cost as much as a decomposition, in multiples of d
_FALL = 1e6  # how far the variance left may fall before the rounding of what is gone shows


def principal_features(
    gram: Gram, k: int, *, norm: Norm = "residual", **goal: Unpack[LimitedGoal]
) -> Path:
    """Take `k` columns, each the one closest to the leading component of the residual."""
    limits = goal.get("limits") or no_limits(len(gram.diagonal()))
    return search(Residual(gram, k), k, _Correlation(norm, limits.price), **goal)


class _Correlation:
    """Score every column by its correlation with the leading component of the residual."""

    def __init__(self, norm: Norm, price: Floats) -> None:
        self._norm, self._price = norm, price
        self._component: _Component | None = None
        self._trace = 0.0

    def __call__(self, residual: Residual, offered: Mask) -> Floats:
        trace = float(residual.left.sum())
        if self._component is None or trace * _FALL < self._trace:
            samples = None if _is_near_rounding(residual) else residual.gram.samples
            self._component = (
                _ResidualInColumns(residual) if samples is None else _ResidualInSamples(samples)
            )
            self._trace = trace
        self._component = component = self._component.next(residual)
        component.follow(residual)
        weight = self._weigh(residual, offered)
        worth = weight / self._price  # what decides which column is taken
        # A correlation is off by at most the error; a score by that times norm over norm.
        slack = float((worth * np.sqrt(residual.left)).max())
        found = component.leading.search(
            component.diagonal,
            lambda ritz: is_settled(lambda: component.pull(ritz) * worth, slack * ritz.image_error),
            component.inverse(),
        )
        return component.pull(found) * weight

    def _weigh(self, residual: Residual, offered: Mask) -> Floats:
        """Give one over the norm of each column, 0 for columns that are not offered."""
        norms = {
            "residual": residual.left,
            "original": residual.start,
            "none": np.ones_like(residual.left),
        }[self._norm]
        weight = np.zeros_like(norms)
        np.divide(1.0, np.sqrt(norms), out=weight, where=offered)
        return weight


class _Component(ABC):
    """The leading component of the residual, followed from pick to pick."""

    leading: LeadingVector
    diagonal: Floats

    def next(self, residual: Residual) -> "_Component":  # noqa: ARG002  # some forms look at it
        """Go on with this form, or with a better one."""
        return self

    def inverse(self) -> Inverse | None:
        """Give what solves shifted systems, if this form can."""
        return None

    @abstractmethod
    def follow(self, residual: Residual) -> None:
        """Take note of the columns taken since the last call."""

    @abstractmethod
    def pull(self, ritz: Ritz) -> Floats:
        """Give the products of all columns with the component's scores, scaled to length 1."""


class _ResidualInColumns(_Component):
    """The leading eigenvector of the residual d x d matrix."""

    def __init__(self, residual: Residual) -> None:
        self.leading = LeadingVector(residual.dot, residual.left)
        self.diagonal = residual.left
        self._first = self._followed = residual.size

    def next(self, residual: Residual) -> _Component:
        """Rotate to the eigenvectors of the full table once that promises to be cheaper."""
        d, steps = residual.left.size, self._followed - self._first
        if d < _MIN_ROTATED_COLUMNS or steps < _TRIAL or _is_near_rounding(residual):
            return self
        forecast = self.leading.products / steps * (residual.capacity - residual.size)
        return self if forecast < _ROTATION * d else _Rotated(residual)

    def follow(self, residual: Residual) -> None:
        for w in residual.W[self._followed :]:
            self.leading.subtract(w)
        self._followed = residual.size
        self.diagonal = residual.left

    def pull(self, ritz: Ritz) -> Floats:
        return np.abs(ritz.image) / np.sqrt(ritz.value)


class _Rotated(_Component):
    """The same in the coordinates of the eigenvectors of the full table.

    There the residual is a diagonal matrix less one row product for each column taken: products
    are cheap, and Woodbury's identity solves shifted systems.
    """

    def __init__(self, residual: Residual) -> None:
        self._values, self._vectors = residual.gram.decomposition()
        self._rows = np.zeros((residual.capacity, self._values.size))
        self._size = 0
        self.diagonal = self._values.copy()
        self.leading = LeadingVector(self._dot, self.diagonal)

    def follow(self, residual: Residual) -> None:
        for w in residual.W[self._size :]:
            row = w @ self._vectors
            self._rows[self._size] = row
            self._size += 1
            self.diagonal -= row * row
            self.leading.subtract(row)

    def pull(self, ritz: Ritz) -> Floats:
        return np.abs(self._vectors @ ritz.image) / np.sqrt(ritz.value)

    def inverse(self) -> Inverse:
        return self._shift_product

    def _shift_product(self, shift: float) -> Callable[[Floats], Floats]:
        rows = self._rows[: self._size]
        gaps = self._values - shift
        gaps = np.where(np.abs(gaps) < TIE * shift, TIE * shift, gaps)
        scaled = rows / gaps
        # NumPy's own LAPACK: SciPy's would wake a second pool of BLAS threads.
        small = np.linalg.inv(np.eye(self._size) - scaled @ rows.T)

        def solve(u: Floats) -> Floats:
            plain = u / gaps
            return plain + (small @ (rows @ plain)) @ scaled

        return solve

    def _dot(self, u: Floats) -> Floats:
        rows = self._rows[: self._size]
        return self._values * u - (rows @ u) @ rows


class _ResidualInSamples(_Component):
    """The leading eigenvector of the residual N x N kernel: the component's own scores."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        self.diagonal = samples.kernel_diagonal()
        self._basis = np.zeros((self.diagonal.size, 0))
        self.leading = LeadingVector(self._dot, self.diagonal)

    def follow(self, residual: Residual) -> None:
        for step in range(self._basis.shape[1], residual.size):
            q = self._off(self._off(self._samples.sample(int(residual.taken[step]))))
            length = float(np.linalg.norm(q)) if step in residual.adding else np.inf
            q = q / length
            image = self._dot(q)
            self.leading.project(q, image)
            self._basis = np.column_stack([self._basis, q])
            # diag(PAP) = diag(A) - 2 q * (Aq) + (q'Aq) q * q
            self.diagonal = self.diagonal - 2 * q * image + (q @ image) * q**2

    def pull(self, ritz: Ritz) -> Floats:
        return np.abs(self._samples.transposed_dot(ritz.image)) / np.linalg.norm(ritz.image)

    def _dot(self, u: Floats) -> Floats:
        return self._off(self._samples.kernel_dot(self._off(u)))

    def _off(self, u: Floats) -> Floats:
        return u - self._basis @ (u @ self._basis)


def _is_near_rounding(residual: Residual) -> bool:
    """Check whether so little is left that the rounding of full products would hide it."""
    return float(residual.left.sum()) * _FALL < residual.total


def is_settled(scores: Callable[[], Floats], error: float) -> bool:
    """Check that no error within the bound can change which column scores best."""
    if error > _COARSE:
        return False
    values = scores()
    if values.size == 1:
        return True
    second, best = np.partition(values, -2)[-2:]
    return bool(best - second > 2 * error + 2 * TIE * best)
