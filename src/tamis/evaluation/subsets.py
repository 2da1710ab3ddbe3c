"""How good a set of columns is, whoever chose it: McCabe's M1 to M4, RM, RV, GCD and redundancy.

McCabe (Principal Variables, 1984) judges what the other columns still hold once the set is known;
Cadima and Jolliffe (2001) how close the set comes to the full table or to its leading components.
All are functions of the Gram matrix, on its scale. A column that the others of the set reproduce
adds nothing: inverses are pseudo-inverses and dimensions are ranks.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri

from tamis.algorithms.residual import Residual
from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import RANK_TOL
from tamis.statistics.gram import Gram
from tamis.values import dataclass

Columns = Sequence[int] | Indices


def mccabe_m1(gram: Gram, columns: Columns) -> float:
    """Give the determinant of what is left of the other columns; the smaller, the better.

    0 as soon as one of them is reproduced by the set and the rest; 1 when there are none.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> round(mccabe_m1(gram, [0]), 6), round(mccabe_m2(gram, [0]), 6)
    (0.64, 1.64)
    """
    inside, outside = _sides(gram, columns)
    residual = Residual(gram, len(inside) + len(outside))
    _take(residual, inside)
    # det C = det C_SS det P, and a determinant is the product of the pivots.
    pivots = _take(residual, outside)
    return float(np.exp(np.log(pivots).sum())) if len(pivots) == len(outside) else 0.0


def mccabe_m2(gram: Gram, columns: Columns) -> float:
    """Give the variance that is left of the other columns; the smaller, the better."""
    return float(_condition_on(gram, columns).left.sum())


def mccabe_m3(gram: Gram, columns: Columns) -> float:
    """Give the sum of squared covariances left of the other columns; the smaller, the better."""
    known = _condition_on(gram, columns)
    return float(gram.residual_norms(known.taken, known.W).sum())


def mccabe_m4(gram: Gram, columns: Columns) -> float:
    """Give the sum of squared canonical correlations of the set with the other columns.

    The larger, the better.
    """
    inside, outside = _sides(gram, columns)
    known, others = _condition_on(gram, inside), _condition_on(gram, outside)
    basis = known.taken
    # Over a basis of S: tr(C_SS^-1 C_SU C_UU^-1 C_US), from the triangle C_SS = T'T.
    explained = others.W[:, basis]
    return float(np.square(np.linalg.solve(known.W[:, basis].T, explained.T)).sum())


def rm(gram: Gram, columns: Columns) -> float:
    """Give the correlation of the table with its regression on the set; its square is the share.

    Examples
    --------
    Two copies and one column of its own: one of the copies reproduces two thirds.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> round(rm(gram, [0]) ** 2, 6), round(rm(gram, [0, 2]), 6)
    (0.666667, 1.0)
    """
    known = _condition_on(gram, columns)
    return float(np.sqrt(max(0.0, 1.0 - known.left.sum() / known.total)))


def rv(gram: Gram, columns: Columns) -> float:
    """Give the RV coefficient of the rows' configuration with that of the regression on the set."""
    W = _condition_on(gram, columns).W
    nothing = np.zeros(0, dtype=np.intp)
    total = gram.residual_norms(nothing, np.zeros((0, W.shape[1]))).sum()
    # With an orthonormal basis Q of S and W = Q'Z: tr((QQ'ZZ'QQ')^2) = ||WW'||^2.
    return float(min(1.0, np.sqrt(np.square(W @ W.T).sum() / total)))


def gcd(gram: Gram, columns: Columns, *, n_components: int | None = None) -> float:
    """Give Yanai's coefficient of the set's span with that of the leading components.

    As many components as the set has dimensions, unless `n_components` is given. Where the last one
    shares its eigenvalue with the next, the components themselves are arbitrary.
    """
    W = _condition_on(gram, columns).W
    count = len(W) if n_components is None else n_components
    if len(W) == 0 or count == 0:
        return 0.0
    values, vectors = gram.find_leading(count)
    nonzero = values > RANK_TOL * values[0]
    # The squared multiple correlation of component m with S is ||W v_m||^2 / lambda_m.
    explained = np.square(W @ vectors[:, nonzero]).sum(axis=0) / values[nonzero]
    return float(min(1.0, explained.sum() / np.sqrt(len(W) * nonzero.sum())))


def _condition_on(gram: Gram, columns: Columns) -> Residual:
    inside, _ = _sides(gram, columns)
    residual = Residual(gram, len(inside))
    _take(residual, inside)
    residual.left[inside] = 0.0
    return residual


def _take(residual: Residual, columns: Indices) -> list[float]:
    pivots: list[float] = []
    size = np.where(residual.start > 0, residual.start, 1.0)[columns]
    for _ in columns:
        unknown = residual.left[columns] / size
        best = int(np.argmax(unknown))
        if unknown[best] <= RANK_TOL:
            break
        pivots.append(float(residual.left[columns[best]]))
        residual.take(int(columns[best]))
    return pivots


def _sides(gram: Gram, columns: Columns) -> tuple[Indices, Indices]:
    """Separate the columns inside the set from those outside, each named once and in order."""
    every = np.arange(gram.diagonal().size)
    inside = np.unique(np.asarray(columns, dtype=np.intp))
    if len(inside) and not 0 <= inside[0] <= inside[-1] < len(every):
        wrong = inside[0] if inside[0] < 0 else inside[-1]
        raise TamisError(f"columns has {wrong}: give positions from 0 to {every[-1]}.")
    return inside, np.setdiff1d(every, inside)


# How much the kept columns repeat each other, in three numbers.
#
# They come from the Gram matrix: the mean absolute correlation over pairs, and the largest variance
# inflation factor, 1 / (1 - R²) of a kept column regressed on the other kept ones. The third, the
# mean normalised mutual information over pairs, also sees non-linear dependence; it is
# given when its matrix is.
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
    if not len(links):
        return 1.0
    factor, failed = dpotrf(links, lower=0)
    if failed:
        return np.inf
    inverse, failed = dpotri(factor, lower=0, overwrite_c=1)
    largest = float(np.diagonal(inverse).max())
    return np.inf if failed or largest * RANK_TOL > 1.0 else max(1.0, largest)
