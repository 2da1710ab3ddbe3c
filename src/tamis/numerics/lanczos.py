"""The leading eigenvector of a matrix that is only multiplied with vectors, from a given start.

Unlike a solver with a random start, it keeps symmetry: what is symmetric in the start and in the
matrix is so in the vector.
"""

from collections.abc import Callable

import numpy as np

from tamis.numerics.tolerances import EXACT
from tamis.numerics.types import Floats

_MAX_LANCZOS_STEPS = 32
_MAX_LANCZOS_RESTARTS = 30


def find_leading_vector(dot: Callable[[Floats], Floats], start: Floats) -> Floats:
    """Find the leading eigenvector of a matrix without negative eigenvalues, by Lanczos steps.

    Where the largest eigenvalue is repeated, it is the part of `start` in its eigenspace.

    Examples
    --------
    >>> found = find_leading_vector(np.diag([3.0, 3.0, 1.0]).dot, np.array([4.0, 3.0, 5.0]))
    >>> np.abs(found).round(6)
    array([0.8, 0.6, 0. ])
    """
    v = start / np.linalg.norm(start)
    for _ in range(_MAX_LANCZOS_RESTARTS):
        v, done = _lanczos(dot, v)
        if done:
            break
    return v


def _lanczos(dot: Callable[[Floats], Floats], v: Floats) -> tuple[Floats, bool]:
    """Search the space of a few products; say whether the vector found is good enough."""
    most = min(_MAX_LANCZOS_STEPS, v.size)
    basis, T = np.zeros((most, v.size)), np.zeros((most, most))
    weights = np.ones(1)
    for m in range(most):
        basis[m] = v
        w = dot(v)
        T[m, m] = w @ v
        w = take_off(w, basis[: m + 1])
        beta = float(np.linalg.norm(w))
        values, vectors = np.linalg.eigh(T[: m + 1, : m + 1])
        weights = vectors[:, -1]
        if beta * abs(weights[-1]) <= EXACT * values[-1]:
            return weights @ basis[: m + 1], True
        if m + 1 < most:
            T[m, m + 1] = T[m + 1, m] = beta
            v = w / beta
    found = weights @ basis
    return found / np.linalg.norm(found), most == found.size


def take_off(vector: Floats, basis: Floats) -> Floats:
    """Take off what the rows of an orthonormal `basis` span; once leaves its rounding."""
    for _ in range(2):
        vector = vector - (basis @ vector) @ basis
    return vector
