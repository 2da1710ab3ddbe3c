"""Biclusters by simulated annealing, after Bryan, Cunningham and Bolshakova.

What is minimised is the sum of squared residues less a price for every value in the bicluster, so
that it grows by all that fits while its mean squared residue stays below the price. (The mean
squared residue alone is smallest for the smallest biclusters.) Rows, then columns, are taken or
left at random, the more surely the better they fit, while the temperature falls; the price falls
from the residue of the full table, at which nearly everything fits, to the limit.
"""

from dataclasses import dataclass

import numpy as np
import scipy.special
from numpy.typing import NDArray

from tamis.algorithms.local.residue import mean_residue
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Indices

_SWEEPS = 40
_COOLED = 0.8  # of the sweeps until the price is the limit; the rest only settles
_HEAT = 0.5  # in units of the noise of a row's residue: with 3 nothing is found, 0.3 to 1 are alike
_N_ANNEALING_STARTS = 4
_MIN_LISTED = 2
_CELLS, _FEW_ROWS = 400_000, 200  # of a table whose rows are not sampled, and rows in any case


@dataclass(frozen=True, eq=False)
class AnnealedBlock:
    """Rows and columns by position, and the sum of squared residues less the price of all."""

    rows: Indices
    columns: Indices
    energy: float


def anneal(values: Floats, limit: float, rng: np.random.Generator) -> AnnealedBlock:
    """Find the bicluster of lowest energy, the best of several runs.

    Of a large table the runs see a sample of the rows; at the end all rows are taken or left.
    """
    n, d = values.shape
    most = max(_FEW_ROWS, _CELLS // d)
    few = np.arange(n) if n <= most else np.sort(rng.choice(n, most, replace=False))
    found = []
    for _ in range(_N_ANNEALING_STARTS):
        rows, columns = _run(values[few], limit, rng)
        sides = [few[rows], columns]
        _settle(values, sides, limit)
        found.append(
            AnnealedBlock(sides[0], sides[1], measure_energy(values[np.ix_(*sides)], limit))
        )
    return found[first_best(-np.array([one.energy for one in found]))]


def measure_energy(part: Floats, limit: float) -> float:
    """Give the sum of squared residues less `limit` for every value."""
    return part.size * (mean_residue(part) - limit)


def _run(values: Floats, limit: float, rng: np.random.Generator) -> list[Indices]:
    sides = [np.arange(size) for size in values.shape]
    whole = mean_residue(values)
    first = max(whole, limit)
    for sweep in range(_SWEEPS):
        price = first * (limit / first) ** min(1.0, sweep / (_COOLED * _SWEEPS))
        heat = _HEAT * price * (1 - sweep / _SWEEPS)
        for axis in (0, 1):
            cost = _costs(values, sides, axis, price)
            chance = scipy.special.expit(-cost / (heat * np.sqrt(sides[1 - axis].size)))
            sides[axis] = _list_cheapest(cost, rng.random(cost.size) < chance)
    return sides


def _settle(values: Floats, sides: list[Indices], limit: float) -> None:
    """Take all that lowers the energy and leave the rest, until nothing changes."""
    for _ in range(_SWEEPS):
        before = list(sides)
        for axis in (0, 1):
            cost = _costs(values, sides, axis, limit)
            sides[axis] = _list_cheapest(cost, cost <= TIE * limit)
        if all(np.array_equal(a, b) for a, b in zip(before, sides, strict=True)):
            break


def _costs(values: Floats, sides: list[Indices], axis: int, price: float) -> Floats:
    """Give what every row or column would add to the energy: squared residues less a price."""
    strip = values[:, sides[1]] if axis == 0 else values[sides[0]].T
    size, add = strip.shape[1], np.add.reduce  # as `mean` does, which takes longer to begin
    level = add(strip[sides[axis]], axis=0) / len(sides[axis])
    effect = level - add(level) / size
    # Effects sum to 0: sum (a - mean a - e)^2 = sum a^2 - size (mean a)^2 - 2 sum a e + sum e^2.
    squares = add(np.square(strip), axis=1) - size * np.square(add(strip, axis=1) / size)
    return squares - 2 * strip @ effect + effect @ effect - price * size


def _list_cheapest(cost: Floats, mask: NDArray[np.bool_]) -> Indices:
    """List what is taken, the cheapest two at least."""
    if np.count_nonzero(mask) >= _MIN_LISTED:
        return np.flatnonzero(mask)
    return np.sort(np.argsort(cost, kind="stable")[:_MIN_LISTED])
