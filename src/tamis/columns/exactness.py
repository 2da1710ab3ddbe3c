"""When an equation between columns holds: to rounding of the numbers, or of what was written."""

from typing import NamedTuple

import numpy as np

from tamis.numerics.tolerances import EPS, ROUNDING
from tamis.numerics.types import Floats

__all__ = ["FINE_STEP", "Fit", "find_step", "fit_linear", "holds_rounded"]

MAX_DECIMALS = 9
FINE_STEP = 2e-3  # of a standard deviation: a coarser last digit leaves room for coincidence
PLAIN_STEP = 2e-2  # the same of a plain sum or mean, which has no coefficients to choose
_SINGLE = float(np.finfo(np.float32).eps)
_SHORT = (0, 1, 2, 3, 4, 6, 9, 12)  # decimals and digits of a coefficient that somebody chose


class Fit(NamedTuple):
    """A linear equation that holds in all rows; `rounded` but for the last digit."""

    weights: tuple[float, ...]
    constant: float
    rounded: bool


def find_step(values: Floats) -> float:
    """Give the smallest difference that a column was written with, 0 where it has all digits.

    >>> find_step(np.array([1.25, 3.0])), find_step(np.array([1.0, 7.0]))
    (0.01, 1.0)
    >>> find_step(np.array([np.pi, np.e]))
    0.0
    """
    size = float(np.abs(values).max(initial=0.0))
    for decimals in range(MAX_DECIMALS + 1):
        step = 10.0**-decimals
        if step <= 1e4 * EPS * size:
            break
        if (np.abs(values - np.rint(values / step) * step) <= 8 * EPS * size).all():
            return step
    return 0.0


def fit_linear(parts: Floats, whole: Floats, fine: float = FINE_STEP) -> Fit | None:
    """Find the equation by which columns add up to another; None where there is none.

    The error that is allowed is that of adding up numbers of this size in float64, or in float32
    where all are such numbers. Where the sum has few decimals it is half a step of the last: the
    equation, rounded, then gives every row as it is written. The step must be `fine` beside the
    spread of the column.

    Examples
    --------
    >>> celsius = np.array([[0.0], [10.0], [25.0], [30.5]])
    >>> fit_linear(celsius, 1.8 * celsius[:, 0] + 32)
    Fit(weights=(1.8,), constant=32.0, rounded=False)
    >>> fit_linear(celsius, np.array([1.0, 2.0, 0.0, 1.0])) is None
    True
    """
    middle, centre = parts.mean(axis=0), float(whole.mean())
    centred, spread = parts - middle, float(whole.std())
    lengths = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    if spread == 0.0 or not lengths.all():
        return None
    found = np.linalg.lstsq(centred / lengths, whole - centre, rcond=None)[0] / lengths
    limit, step = _limit_rounding(parts, whole, found), find_step(whole)
    sizes = lengths / np.sqrt(len(whole)) / spread
    tried, rounded = _shorten(found, sizes), None
    if step and float(np.abs(whole - centre - centred @ found).max()) <= step:
        # Most units start at 0: without a constant the coefficients are found more sharply.
        through: Floats = np.linalg.lstsq(parts, whole, rcond=None)[0].astype(np.float64)
        tried = [*(_shorten(through, sizes) if through.all() else ()), *tried]
    for weights in tried:
        left = whole - parts @ weights
        constant = float(left.min() + left.max()) / 2  # the one of the smallest error
        coarse = step > max(fine, _choose_step(weights)) * spread
        allowed = 0.0 if coarse else _allow_rounding(whole, step)
        for shorter in _shorten_constant(constant, limit + allowed):
            error = float(np.abs(left - shorter).max())
            if error <= limit:
                return Fit(tuple(weights.tolist()), shorter, rounded=False)
            if rounded is None and error <= limit + allowed:
                rounded = Fit(tuple(weights.tolist()), shorter, rounded=True)
    return rounded


def holds_rounded(parts: Floats, whole: Floats, weights: Floats, constant: float) -> bool:
    """Whether an equation gives every row as it is written, but for rounding."""
    limit = _limit_rounding(parts, whole, weights) + _allow_rounding(whole, find_step(whole))
    return float(np.abs(whole - parts @ weights - constant).max()) <= limit


def _allow_rounding(whole: Floats, step: float) -> float:
    """Give half a step of the last digit, and what single precision took before that was written.

    Numbers of seven digits mostly come from there: its own rounding is of the size of their last.
    """
    size = float(np.abs(whole).max())
    return step / 2 + (size * _SINGLE / 2 if 0 < step <= 10 * size * _SINGLE else 0.0)


def _choose_step(weights: Floats) -> float:
    """Say how coarse the last digit may be: more so where no coefficient was chosen freely."""
    size = float(np.abs(weights[0]))
    plain = bool((np.abs(weights) == size).all()) and (1 / size).is_integer()
    return PLAIN_STEP if plain and len(weights) > 1 else FINE_STEP


def _shorten_constant(constant: float, limit: float) -> list[float]:
    """List constants near to one that was found, the shortest first."""
    tried = [0.0, *(float(f"{constant:.{digits}g}") for digits in (3, 6, 12)), constant]
    return [one for one in tried if abs(one - constant) <= limit]


def _limit_rounding(parts: Floats, whole: Floats, weights: Floats) -> float:
    """Bound the rounding of a sum of these numbers, each rounded itself when it was written."""
    size = float(np.abs(whole).max() + np.abs(parts).max(axis=0) @ np.abs(weights))
    single = all((one == one.astype(np.float32)).all() for one in (*parts.T, whole))
    whole_numbers = find_step(whole) == 1.0 and all(find_step(one) == 1.0 for one in parts.T)
    return size * (_SINGLE if single and not whole_numbers else ROUNDING)


def _shorten(weights: Floats, sizes: Floats) -> list[Floats]:
    """List coefficients that somebody may have chosen, the shortest first.

    They differ little from those found; whether the equation holds with them is checked.
    """
    found: list[Floats] = []
    equal = np.abs(weights).mean() * np.sign(weights)
    counts = np.sign(weights) / max(round(1 / np.abs(weights).mean()), 1)
    tried = [np.rint(weights), counts]
    tried += [np.round(weights, digits) for digits in _SHORT[1:]]
    tried += [np.array([float(f"{w:.{n}g}") for w in weights]) for n in _SHORT[1:]]
    for one in [*tried, equal, weights]:
        near = (np.abs(one - weights) * sizes <= 1e-3).all()
        if near and (one != 0.0).all() and not any((one == known).all() for known in found):
            found.append(one)
    return found
