"""Sums over the largest eigenpairs of a matrix without each of its rows, none of which is found.

With `A = Q diag(values) Q'` and a row h of Q the matrix without that row has the resolvent
`R - R h h'R / h'R h` in the basis Q, `R = 1 / (z - values)`. The sum of `c'(A - K)c` over the unit
eigenvectors c with eigenvalues above x is half the sum over all of them, and half that with the
signs of what they are above x. Zolotarev's rational function is the best of its degree for the
sign: a sum of resolvents at some points beside x, whose traces are products of matrices for all
rows at once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ellipj, ellipkm1

from tamis.numerics.tolerances import ROUNDING
from tamis.numerics.types import Floats

_BAND = 1e-4  # of the distance to the next pole: roots so near to the border are not counted
_SIGN_ERROR = 1e-8  # of the rational function, outside of the band
_MAX_POINTS = 60
_GRID_POINTS = 2000  # where its error is measured
_SAFETY = 2.0  # times the measured error


class LeadingSums(NamedTuple):
    """For each row the sum, how far it may be off, and whether an eigenvalue is at the border."""

    sums: Floats
    errors: Floats
    unknown: NDArray[np.bool_]


class _Sign(NamedTuple):
    """The sign of y as the sum of `weights * y / (y^2 + heights^2)`, but for an error."""

    heights: Floats
    weights: Floats
    error: float


def sum_leading(values: Floats, Q: Floats, half: Floats, count: int) -> LeadingSums | None:
    """Sum `c'(A - K)c` over the `count` largest eigenpairs without each row, `K = half half'`.

    `values` are distinct, smallest first. None where two of them are so near that the border
    between what counts and what does not cannot be drawn.

    Examples
    --------
    >>> values, Q = np.linalg.eigh(np.diag([1.0, 2.0, 4.0]) + 0.3)
    >>> found = sum_leading(values, Q, np.zeros((3, 1)), 1)
    >>> expected = [np.linalg.eigvalsh(np.diag(d) + 0.3)[-1] for d in ([2, 4], [1, 4], [1, 2])]
    >>> bool(np.allclose(found.sums, expected, atol=1e-6))
    True
    """
    border = values[-count - 1]
    around = values[[-count, max(-count - 2, -len(values))]]
    gap = float(np.abs(around - border)[: 2 if count + 2 <= len(values) else 1].min())
    sign = _approximate_sign(_BAND * gap, float(max(values[-1] - border, border - values[0])))
    if sign is None:
        return None
    squares, gaps = np.square(Q), values[:, None] - values
    np.fill_diagonal(gaps, np.inf)
    Y = (half @ half.T) / gaps
    own = values - np.einsum("ij,ij->i", half, half)
    across, beside = 2.0 * Q * (Q @ Y.T), squares * own
    R = 1.0 / (border - 1j * sign.heights - values[:, None])
    below = _multiply(squares, R)
    above = _multiply(beside, R * R) - _multiply(across, R)
    traces = (own @ R - above / below).real
    whole = own.sum() - (squares @ values - np.square(Q @ half).sum(axis=1))
    # What rounding does to the products, and the function to each of the eigenpairs.
    lost = 2.0 * np.linalg.norm(Y) * _lengths(R) + _lengths(beside, 1)[:, None] * _lengths(R * R)
    errors = ROUNDING * ((lost / np.abs(below)) @ sign.weights)
    errors += sign.error * float(values.sum() + np.square(half).sum())
    return LeadingSums(
        (whole - traces @ sign.weights) / 2.0,
        errors,
        _mark_near(values, squares, border, _BAND * gap),
    )


def _mark_near(values: Floats, squares: Floats, border: float, band: float) -> NDArray[np.bool_]:
    """Mark the rows without which an eigenvalue is within the band around the border."""
    above, below = (squares @ (1.0 / (values - border - side)) for side in (band, -band))
    return np.asarray((above >= 0) | (below <= 0))


def _multiply(matrix: Floats, R: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Multiply a real matrix with a complex one, by real products."""
    both = matrix @ np.hstack([R.real, R.imag])
    return np.asarray(both[:, : R.shape[1]] + 1j * both[:, R.shape[1] :])


def _lengths(matrix: NDArray[np.complex128] | Floats, axis: int = 0) -> Floats:
    return np.asarray(np.linalg.norm(matrix, axis=axis), dtype=np.float64)


def _approximate_sign(least: float, most: float) -> _Sign | None:
    """Approximate the sign of numbers of sizes from `least` to `most`; None if these are too far.

    Its error is measured: where the sizes are far apart the elliptic functions lose digits.
    """
    if not 0.0 < least < most:
        return None
    sizes = np.geomspace(1.0, most / least, _GRID_POINTS)
    points = int(np.ceil(np.log(4.0 / _SIGN_ERROR) * np.log(4.0 * most / least) / np.pi**2)) + 1
    if points > _MAX_POINTS:
        return None
    nome = (least / most) ** 2
    # Those of the second half mirror the first: there, digits would be lost.
    sn, cn, _, _ = ellipj(np.arange(1, points + 1) * ellipkm1(nome) / (2 * points), 1.0 - nome)
    places = np.square(sn / cn)
    places = np.append(places, 1.0 / (nome * places[-2::-1]))
    poles, zeros = places[::2], places[1::2]
    weights = np.empty(points)
    for i, pole in enumerate(poles):
        weights[i] = np.prod((zeros - pole) / (np.delete(poles, i) - pole))
    found = (sizes[:, None] / (np.square(sizes)[:, None] + poles)) @ weights
    weights *= 2.0 / (found.max() + found.min())
    error = _SAFETY * float((found.max() - found.min()) / (found.max() + found.min()))
    if not error < 100 * _SIGN_ERROR:
        return None
    return _Sign(least * np.sqrt(poles), least * weights, error)
