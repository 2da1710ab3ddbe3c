"""Eigenpairs of a matrix without one of its rows and columns, from those of the whole matrix.

With `A = Q diag(values) Q'`, an eigenvalue of A without row and column j is a root x of
`f(x) = sum_l Q[j, l]^2 / (values[l] - x)`, and `Q c` with `c_l = Q[j, l] / (values[l] - x)` is its
eigenvector, 0 in place j. Roots and poles alternate, so each root has an interval of its own.
"""

from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ellipj, ellipkm1

from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import NEGLIGIBLE, ROUNDING
from tamis.values import dataclass

_MIN_RELATIVE_STEP = 1e-8  # of a step: the next one, at least quadratic, would be below rounding
_MAX_SECULAR_STEPS = 100
_EXACT = 1e-17  # of a sum: what interpolation may miss
_FEW_POLES = 64  # which are not worth the interpolation of any
_CACHE = 1 << 20  # bytes: each block is worked on some ten times over


@dataclass(frozen=True, eq=False)
class WithoutEachRow:
    """The largest eigenpairs without the first row, without the second, and so on.

    `values` and `Q` decompose the whole matrix. A root is `origin + x`, a pole and the distance
    from it.
    """

    values: Floats
    Q: Floats
    origin: Floats
    x: Floats
    far: "_FarPoles"

    @classmethod
    def of(cls, values: Floats, Q: Floats, count: int, rows: Indices | None = None) -> Self:
        """Find the `count` largest eigenvalues without each row; `values` are smallest first.

        With `rows` without each of these only, which then are the first, the second, and so on.

        Examples
        --------
        >>> values, Q = np.linalg.eigh(np.array([[2.0, 1.0], [1.0, 3.0]]))
        >>> WithoutEachRow.of(values, Q, 1).roots.round(9).tolist()
        [[3.0], [2.0]]
        """
        values, Q = set_apart(values), make_present(Q if rows is None else Q[rows])
        far = _FarPoles.of(values, count)
        poles, squares = far.poles, far.merge(Q**2)
        below = len(poles) - 2 - np.arange(count)
        origin, x = np.empty((len(squares), count)), np.empty((len(squares), count))
        for part in row_blocks(len(squares), count * len(poles), room=_CACHE):
            some = np.repeat(squares[part], count, axis=0)
            found = _roots(poles, some, np.tile(below, len(some) // count))
            origin[part], x[part] = (one.reshape(-1, count) for one in found)
        return cls(values, Q, origin, x, far)

    @property
    def roots(self) -> Floats:
        """The eigenvalues, largest first, of the shape (rows, count)."""
        return self.origin + self.x

    def of_rows(self, rows: Indices) -> Self:
        """Keep the eigenvalues without each of some rows only."""
        return replace(self, Q=self.Q[rows], origin=self.origin[rows], x=self.x[rows])

    def project(self, B: Floats) -> Floats:
        """Give the unit vectors c times `B` without each row."""
        rows, count = self.x.shape
        projected = np.empty((rows, count, B.shape[1]))
        for part in row_blocks(rows, count * len(self.values)):
            C = _invert_distances(self.values, self.origin[part].ravel(), self.x[part].ravel())
            C = C.reshape(-1, count, len(self.values)) * self.Q[part, None]
            norms = np.einsum("ijl,ijl->ij", C, C)
            projected[part] = (C @ B) / np.sqrt(norms)[:, :, None]
        return projected

    def sum_products(self, K: Floats) -> tuple[Floats, float]:
        """Give the sum of `c'Kc` over the unit vectors without each row, and what it may miss.

        `1 / ((a - x)(b - x))` is the difference of `1 / (a - x)` and `1 / (b - x)` over `b - a`: so
        one product for all rows leaves as many terms for each root as there are poles. Where poles
        are close, digits are lost.
        """
        gaps = self.values - self.values[:, None]
        np.fill_diagonal(gaps, np.inf)
        Z = K / gaps
        weights = (2.0 * self.Q * (self.Q @ Z.T), self.Q**2, self.Q**2 * np.diagonal(K))
        found, lengths = np.empty(len(self.x)), np.empty(len(self.x))
        far = self.far
        single, *double = (far.merge(some)[:, :, None] for some in weights)
        both = np.dstack(double)
        for part in row_blocks(len(found), self.x.shape[1] * len(far.poles), room=_CACHE):
            inverse = _invert_distances(far.poles, self.origin[part].ravel(), self.x[part].ravel())
            inverse = inverse.reshape(*self.x[part].shape, -1)
            products = (inverse @ single[part])[:, :, 0]
            norms, same = np.moveaxis(np.square(inverse, out=inverse) @ both[part], 2, 0)
            found[part] = ((products + same) / norms).sum(axis=1)
            lengths[part] = (1.0 / np.sqrt(norms)).sum(axis=1)
        # Cauchy and Schwarz: the terms of a root together are at most 2 |Z| / sqrt(its norm).
        return found, len(found) * ROUNDING * 2.0 * float(np.linalg.norm(Z)) * float(lengths.max())


@dataclass(frozen=True)
class _FarPoles:
    """Poles, of which the first are nodes that stand for all those far below the largest roots.

    Seen from above, `1 / (pole - x)` is a smooth function of the pole: its interpolation at the
    nodes of Chebyshev between the first and the last of them is exact to rounding. `onto` gives the
    weights that each far pole puts on the nodes.
    """

    poles: Floats
    onto: Floats

    def merge(self, weights: Floats) -> Floats:
        """Put the weights of far poles, of each row, on the nodes."""
        head = len(self.onto)
        if not head:
            return weights
        return np.hstack([weights[:, :head] @ self.onto, weights[:, head:]])

    @classmethod
    def of(cls, poles: Floats, count: int) -> Self:
        """Find how many poles are far, so that those left and the nodes are fewest."""
        if len(poles) <= _FEW_POLES:
            return cls(poles, np.empty((0, 0)))
        kept = np.arange(count + 2, len(poles))
        width = poles[-kept - 1] - poles[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            away = 1.0 + 2.0 * (poles[-count - 1] - poles[-kept - 1]) / width
            nodes = np.nan_to_num(np.ceil(-np.log(_EXACT) / np.arccosh(away)), nan=np.inf) + 1
        if not kept.size or np.min(kept + nodes) >= len(poles):
            return cls(poles, np.empty((0, 0)))
        best = int(np.argmin(kept + nodes))
        head, order = len(poles) - kept[best], np.arange(int(nodes[best]))
        angles = (order + 0.5) * np.pi / len(order)
        here = np.arccos(np.clip(2.0 * (poles[:head] - poles[0]) / width[best] - 1.0, -1.0, 1.0))
        weights = np.where(order > 0, 2.0, 1.0) / len(order)
        onto = (np.cos(np.outer(here, order)) * weights) @ np.cos(np.outer(order, angles))
        at = poles[0] + width[best] * (np.cos(angles) + 1.0) / 2.0
        return cls(np.append(at, poles[head:]), onto)


def without_row(values: Floats, Q: Floats, j: int) -> tuple[Floats, Floats]:
    """Give all eigenvalues and eigenvectors without row and column `j`.

    The vectors are made with the weights that have the computed roots exactly (Gu and Eisenstat),
    so that they stay orthogonal however close the eigenvalues are.

    Examples
    --------
    >>> values, Q = np.linalg.eigh(np.array([[2.0, 1.0], [1.0, 3.0]]))
    >>> without_row(values, Q, 0)[0].round(9).tolist()
    [3.0]
    """
    n = len(values)
    poles, weights = set_apart(values), make_present(Q[j])
    below = np.arange(n - 1)
    origin, x = _roots(poles, np.broadcast_to(weights**2, (n - 1, n)), below)
    gaps = (poles - origin[:, None]) - x[:, None]
    others = poles - poles[below[:, None] + (below[:, None] >= np.arange(n))]
    C = np.copysign(np.sqrt(np.prod(gaps / others, axis=0)), weights) / gaps
    C /= np.sqrt(np.einsum("il,il->i", C, C))[:, None]
    return origin + x, np.delete(Q, j, axis=0) @ C.T


def set_apart(values: Floats) -> Floats:
    """Move equal eigenvalues apart, by no more than rounding does."""
    steps = np.arange(len(values)) * ROUNDING * float(values[-1])
    return np.maximum.accumulate(values - steps) + steps


def make_present(rows: Floats) -> Floats:
    """Give every row a part in every eigenvector, by no more than rounding does."""
    return np.where(np.abs(rows) < NEGLIGIBLE, NEGLIGIBLE, rows)


@np.errstate(divide="ignore", invalid="ignore")  # of steps that are not taken
def _roots(poles: Floats, squares: Floats, below: int | Indices) -> tuple[Floats, Floats]:
    """Find the root above one pole for each row of `squares`: the same pole for all, or its own.

    It is given as the nearer of its two poles and the distance from there, which is exact however
    small. Rational interpolation with the true weight of the nearer pole (the "fixed weight" of
    LAPACK's dlaed4), halving where it would leave the interval.
    """
    pole = np.broadcast_to(below, len(squares))
    gap = poles[pole + 1] - poles[pole]
    x = gap / 2
    f, slope = _function(poles, squares, poles[pole], x)
    upper = f <= 0
    place = pole + upper
    origin, near = poles[place], squares[np.arange(len(squares)), place]
    x, far = np.where(upper, -x, x), np.where(upper, -gap, gap)
    low, high = np.minimum(x, 0.0), np.maximum(x, 0.0)
    active = np.arange(len(squares))
    for _ in range(_MAX_SECULAR_STEPS):
        here = x[active]
        low[active] = np.where(f < 0, here, low[active])
        high[active] = np.where(f < 0, high[active], here)
        moved = here + _step(f, slope, near[active], -here, far[active] - here)
        inside = (moved >= low[active]) & (moved <= high[active]) & (moved != 0.0)
        moved = np.where(inside, moved, (low[active] + high[active]) / 2)
        x[active] = moved
        active = active[np.abs(moved - here) > _MIN_RELATIVE_STEP * np.abs(moved)]
        if not active.size:
            break
        some = squares if len(active) == len(squares) else squares[active]
        f, slope = _function(poles, some, origin[active], x[active])
    return origin, x


def _function(poles: Floats, squares: Floats, origin: Floats, x: Floats) -> tuple[Floats, Floats]:
    """Give f at `origin + x`, and its slope."""
    inverse = _invert_distances(poles, origin, x)
    terms = squares * inverse
    return terms.sum(axis=1), np.einsum("ij,ij->i", terms, inverse)


def _invert_distances(poles: Floats, origin: Floats, x: Floats) -> Floats:
    """Give `1 / (pole - root)` for every root `origin + x` and every pole."""
    inverse = poles - origin[:, None]
    inverse -= x[:, None]
    return np.reciprocal(inverse, out=inverse)


def _step(f: Floats, slope: Floats, near: Floats, A: Floats, B: Floats) -> Floats:
    """Go to the root of `near / (A - t) + p / (B - t) + c`, which has f and its slope at t = 0."""
    rest = slope - near / A**2
    c = f - near / A - B * rest
    e = c * (A + B) + near + B**2 * rest
    g = A * B * f
    root = np.sqrt(np.maximum(e**2 - 4.0 * g * c, 0.0))
    return np.where(e > 0, 2.0 * g / (e + root), (e - root) / (2.0 * c))


# Sums over the largest eigenpairs of a matrix without each of its rows, none of which is found.
#
# With `A = Q diag(values) Q'` and a row h of Q the matrix without that row has the resolvent `R -
# R h h'R / h'R h` in the basis Q, `R = 1 / (z - values)`. The sum of `c'(A - K)c` over the unit
# eigenvectors c with eigenvalues above x is half the sum over all of them, and half that with the
# signs of what they are above x. Zolotarev's rational function is the best of its degree for the
# sign: a sum of resolvents at some points beside x, whose traces are products of matrices for all
# rows at once.
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
    heights, weights, missed = sign
    squares, gaps = np.square(Q), values[:, None] - values
    np.fill_diagonal(gaps, np.inf)
    Y = (half @ half.T) / gaps
    own = values - np.einsum("ij,ij->i", half, half)
    across, beside = 2.0 * Q * (Q @ Y.T), squares * own
    R = 1.0 / (border - 1j * heights - values[:, None])
    below = _multiply(squares, R)
    above = _multiply(beside, R * R) - _multiply(across, R)
    traces = (own @ R - above / below).real
    whole = own.sum() - (squares @ values - np.square(Q @ half).sum(axis=1))
    # What rounding does to the products, and the function to each of the eigenpairs.
    lost = 2.0 * np.linalg.norm(Y) * _lengths(R) + _lengths(beside, 1)[:, None] * _lengths(R * R)
    errors = ROUNDING * ((lost / np.abs(below)) @ weights)
    errors += missed * float(values.sum() + np.square(half).sum())
    # Rows without which an eigenvalue is within the band around the border.
    upper, lower = (squares @ (1.0 / (values - border - d)) for d in (_BAND * gap, -_BAND * gap))
    unknown = np.asarray((upper >= 0) | (lower <= 0))
    return LeadingSums((whole - traces @ weights) / 2.0, errors, unknown)


def _multiply(matrix: Floats, R: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Multiply a real matrix with a complex one, by real products."""
    both = matrix @ np.hstack([R.real, R.imag])
    return np.asarray(both[:, : R.shape[1]] + 1j * both[:, R.shape[1] :])


def _lengths(matrix: NDArray[np.complex128] | Floats, axis: int = 0) -> Floats:
    return np.asarray(np.linalg.norm(matrix, axis=axis), dtype=np.float64)


def _approximate_sign(least: float, most: float) -> tuple[Floats, Floats, float] | None:
    """Approximate the sign of numbers of sizes from `least` to `most`; None if these are too far.

    It is the sum of `weights * y / (y^2 + heights^2)`: give heights, weights and the error, which
    is measured: where the sizes are far apart the elliptic functions lose digits.
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
    return least * np.sqrt(poles), least * weights, error
