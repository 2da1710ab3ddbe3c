"""How much the kept columns repeat each other, in three numbers.

They come from the Gram matrix: the mean absolute correlation over pairs, and the largest variance
inflation factor, 1 / (1 - R²) of a kept column regressed on the other kept ones. The third, the
mean normalised mutual information over pairs, also sees non-linear dependence; it is
given when its matrix is.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri

from tamis.errors import TamisError
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram
from tamis.values import dataclass


@dataclass(frozen=True)
class Redundancy:
    """Repetition among kept columns; 0, 1 and 0 when there is none.

    `correlation` is the mean absolute correlation over pairs, `inflation` the largest variance
    inflation factor (infinite when some kept columns reproduce another), `information` the mean
    normalised mutual information over pairs, or None when it was not given.
    """

    correlation: float
    inflation: float
    information: float | None = None


def redundancy(
    gram: Gram, columns: Sequence[int] | Indices, *, information: Floats | None = None
) -> Redundancy:
    """Measure how much the kept columns repeat each other.

    Parameters
    ----------
    gram
        The Gram matrix of the centred table; its scale does not matter.
    columns
        The kept columns.
    information
        Normalised mutual information of all columns of the table, pair by pair.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> redundancy(gram, [0, 1])
    Redundancy(correlation=0.6, inflation=1.5625, information=None)
    >>> redundancy(gram, [0, 2])
    Redundancy(correlation=0.0, inflation=1.0, information=None)
    """
    size = np.sqrt(np.maximum(gram.diagonal(), 0.0))
    kept = _check_columns(columns, size, information)
    count = len(kept)
    pairs = count * (count - 1) / 2
    # More columns than the largest possible rank repeat each other for sure.
    dependent = count > gram.rank_bound
    links = np.eye(0 if dependent else count)
    total = shared = 0.0
    for position, j in enumerate(kept):
        row = gram.column(int(j))[kept] / size[kept] / size[j]
        total += float(np.abs(row[:position]).sum())
        if not dependent:
            links[position, :position] = links[:position, position] = row[:position]
        if information is not None:
            shared += float(information[j, kept[:position]].sum())
    correlation = min(1.0, total / pairs) if pairs else 0.0
    inflation = np.inf if dependent else _inflation(links)
    if information is None:
        return Redundancy(correlation, inflation)
    return Redundancy(correlation, inflation, shared / pairs if pairs else 0.0)


def _check_columns(
    columns: Sequence[int] | Indices, size: Floats, information: Floats | None
) -> Indices:
    d = len(size)
    kept = np.asarray(columns, dtype=np.intp)
    wrong = kept[(kept < 0) | (kept >= d)]
    if wrong.size:
        raise TamisError(f"columns has {wrong[0]}: give positions from 0 to {d - 1}.")
    if len(np.unique(kept)) < len(kept):
        raise TamisError("columns names a column twice: give each kept column once.")
    if (size[kept] == 0).any():
        still = kept[size[kept] == 0][0]
        raise TamisError(f"Column {still} is constant and has no correlation: drop it.")
    if information is not None and information.shape != (d, d):
        raise TamisError(
            f"information has the shape {information.shape}: give {d} x {d}, as the Gram matrix."
        )
    return kept


def _inflation(links: Floats) -> float:
    """Give the largest diagonal entry of the inverse correlations, infinite when there is none."""
    if not len(links):
        return 1.0
    factor, failed = dpotrf(links, lower=0)
    if failed:
        return np.inf
    inverse, failed = dpotri(factor, lower=0, overwrite_c=1)
    largest = float(np.diagonal(inverse).max())
    return np.inf if failed or largest * RANK_TOL > 1.0 else max(1.0, largest)
