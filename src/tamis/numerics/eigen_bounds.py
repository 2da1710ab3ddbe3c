"""Upper bounds of the leading eigenvalues, for matrices whose product with a vector is dear."""

from collections.abc import Callable

import numpy as np
import scipy.linalg

from tamis.numerics.lanczos import take_off
from tamis.numerics.tolerances import EPS
from tamis.numerics.types import Floats

_CHECKED_EVERY = 10  # steps: a look at the tridiagonal matrix costs less than one of them
_MAX_STEPS_PER_VALUE = 8
_MIN_STEPS = 60
_RESIDUAL_SHARE = 0.1  # of the slack


def bound_leading_values(dot: Callable[[Floats], Floats], d: int, k: int, slack: float) -> Floats:
    """Give `k` numbers that the largest eigenvalues do not exceed, largest first.

    Together they are at most `slack` larger than eigenvalues of the matrix, or wider where the
    steps run out. Such a search can miss eigenvalues: copies of a repeated one, and some among many
    that are close. So what it found is taken off, and no number is given below the largest that is
    left. Where that costs too much, what was missed is added, and the rest is searched again.

    Examples
    --------
    >>> values = np.array([5.0, 3.0, 3.0, 1.0])
    >>> bound_leading_values(lambda v: values * v, 4, 3, slack=1e-9).round(6).tolist()
    [5.0, 3.0, 3.0]
    """
    k, half = min(k, d), slack / 2
    bounds, vectors = _bound_ritz(dot, np.zeros((0, d)), k, half)
    while len(vectors) < d:
        missed, direction = _bound_ritz(dot, vectors, 1, half / k)
        raised = np.maximum(bounds, missed)
        if len(bounds) == k and (raised - bounds).sum() <= half:
            bounds = raised
            break
        bounds = np.sort(np.append(bounds, missed))[::-1][:k]
        vectors = np.vstack([vectors, direction])
    return np.sort(np.maximum(bounds, 0.0))[::-1]


def _bound_ritz(
    dot: Callable[[Floats], Floats], known: Floats, k: int, slack: float
) -> tuple[Floats, Floats]:
    """Take Lanczos steps, orthogonal to the `known` vectors, until the bounds are close enough.

    With a basis Q of m vectors, Q'AQ is tridiagonal, and a Ritz vector Qs has a residual of length
    b |s_m|, b being the length of what the last step left: an eigenvalue lies within it. Where
    eigenvalues are close it need not be the one of the same rank, so the residuals may use up a
    tenth of the slack only, and the rest of it is added.
    """
    first, d = known.shape
    room = min(d - first, max(_MIN_STEPS, _MAX_STEPS_PER_VALUE * k))
    # The known vectors stand in front: taken off apart, they come back, larger with every step.
    basis, diagonal, beside = np.empty((first + room, d)), np.empty(room), np.empty(room)
    basis[:first] = known
    start = np.random.default_rng(first).standard_normal((1, d))[0]
    left = take_off(start, known)
    for step in range(room):
        vector = basis[first + step] = left / np.linalg.norm(left)
        product = dot(vector)
        diagonal[step] = product @ vector
        left = take_off(product, basis[: first + step + 1])
        beside[step] = length = float(np.linalg.norm(left))
        ended = length <= EPS * d * np.abs(diagonal[: step + 1]).max() or step + 1 == room
        if ended or (step + 1 > k and (step + 1) % _CHECKED_EVERY == 0):
            values, weights = scipy.linalg.eigh_tridiagonal(diagonal[: step + 1], beside[:step])
            errors = length * np.abs(weights[-1, ::-1][:k])
            if ended or errors.sum() <= _RESIDUAL_SHARE * slack:
                break
    vectors = weights[:, ::-1][:, :k].T @ basis[first : first + step + 1]
    return values[::-1][:k] + errors + (1.0 - _RESIDUAL_SHARE) * slack / k, vectors
