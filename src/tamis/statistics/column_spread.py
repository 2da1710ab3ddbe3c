"""Means and spreads of columns, dense or sparse, of rows that may have weights."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.numerics.types import Floats
from tamis.rules.tolerances import CONSTANT

MIN_SQUARE_RATIO = 1.1  # of squares to those of the mean: below, the mean is far from zero
_STORED_AT_ONCE = 1 << 24  # values of sparse rows
Weights = NDArray[Any]  # of rows, above 0: integers as given, other numbers as float64


def count_rows(X: Any, weights: Weights | None = None) -> Any:
    """Give how many rows there are, or how many they count for: the sum of their weights."""
    return X.shape[0] if weights is None else weights.sum().item()


def take_mean_off(X: Any, out: Floats, weights: Weights | None = None) -> tuple[Floats, Floats]:
    """Write the rows less their mean; give the mean as a number and what it is off by.

    Far from zero a mean is rounded; the mean of what is left says by how much.
    """
    mean = _mean_of(X, weights)
    np.subtract(X, mean, out=out)
    rest = _mean_of(out, weights)
    out -= rest
    return mean, rest


def _mean_of(X: Any, weights: Weights | None) -> Floats:
    if weights is None:
        return np.asarray(X.mean(axis=0, dtype=np.float64))
    return np.asarray(weights.astype(np.float64) @ X / weights.sum())


def centre_rows(X: Any, weights: Weights | None = None) -> tuple[Floats, Floats, Floats]:
    """Give the rows less their mean, the mean, and the standard deviation of every column."""
    rows, count = np.empty(X.shape), count_rows(X, weights)
    mean, rest = take_mean_off(X, rows, weights)
    mean += rest
    squares = _sum_squares(rows, weights)
    unit = fine_units(X, squares)
    if unit is None:
        return rows, mean, compute_spread(squares, mean, count)
    squares = _sum_squares(rows / unit, weights)
    return rows, mean, compute_spread(squares, mean / unit, count) * unit


def _sum_squares(rows: Floats, weights: Weights | None) -> Floats:
    if weights is None:
        return np.asarray(np.einsum("ij,ij->j", rows, rows))
    return np.asarray(np.einsum("i,ij,ij->j", weights.astype(np.float64), rows, rows))


def compute_spread(squares: Floats, mean: Floats, count: float) -> Floats:
    """Turn sums of squares about the mean into standard deviations, 0 where nothing varies."""
    std = np.sqrt(np.maximum(squares, 0.0) / (count or 1))
    return np.where(std > CONSTANT * np.abs(mean), std, 0.0)


def measure_spread(rows: Floats, weights: Weights | None = None) -> tuple[Floats, Floats, Floats]:
    """Give how many values every column has, their mean and squares about it; only finite ones."""
    known = np.isfinite(rows)
    each = np.ones(len(rows)) if weights is None else weights.astype(np.float64)
    count = each @ known
    mean = each @ np.where(known, rows, 0.0) / np.where(count > 0, count, 1.0)
    apart = np.where(known, rows - mean, 0.0)
    return count, mean, np.einsum("i,ij,ij->j", each, apart, apart)


def merge_means(
    count: Any, mean: Floats, other_count: Any, other_mean: Floats
) -> tuple[Any, Floats, Floats]:
    """Merge counts and means of two sets of rows; give also what it adds to squares about the mean.

    >>> merge_means(np.array([1]), np.array([2.0]), np.array([3]), np.array([6.0]))
    (array([4]), array([5.]), array([12.]))
    """
    total = count + other_count
    share = other_count / np.where(total > 0, total, 1)
    with np.errstate(over="ignore", invalid="ignore"):  # values too large to square
        apart = other_mean - mean
        return total, mean + apart * share, np.square(apart) * count * share


def sparse_spread(X: Any, weights: Weights | None = None) -> tuple[Floats, Floats]:
    """Give the mean of every column of sparse rows, and the sum of squares about it.

    Both come from the distances of the stored values to a first mean, so nothing cancels.

    Examples
    --------
    >>> mean, squares = sparse_spread(scipy.sparse.csr_array([[0.0, 5.0], [2.0, 5.0]]))
    >>> mean.tolist(), squares.tolist()
    ([1.0, 5.0], [2.0, 0.0])
    """
    d, n = X.shape[1], count_rows(X, weights)
    X = _once(X)
    mean, zeros = np.zeros(d), np.full(d, float(n))
    for positions, values, each in read_stored(X, weights):
        mean += np.bincount(positions, values * each, d)
        zeros -= np.bincount(positions, None if weights is None else each, d)
    mean /= n
    shift, squares = -zeros * mean, zeros * mean**2
    for positions, values, each in read_stored(X, weights):
        distances = values - mean[positions]
        shift += np.bincount(positions, distances * each, d)
        np.square(distances, out=distances)
        squares += np.bincount(positions, distances * each, d)
    shift /= n
    return mean + shift, np.maximum(squares - n * shift**2, 0.0)


def count_stored(X: Any) -> Floats:
    """Count the stored values of every column of sparse rows."""
    counts = np.zeros(X.shape[1])
    for positions, _, _ in read_stored(X):
        counts += np.bincount(positions, minlength=X.shape[1])
    return counts


def read_stored(X: Any, weights: Weights | None = None) -> Iterator[tuple[Any, Any, Any]]:
    """Yield columns, stored values and weights, some at a time: they may fill half the memory."""
    every = None if weights is None else np.repeat(weights.astype(float), np.diff(X.indptr))
    for start in range(0, X.nnz, _STORED_AT_ONCE):
        part = slice(start, start + _STORED_AT_ONCE)
        each = 1.0 if every is None else every[part]
        yield X.indices[part].astype(np.intp), X.data[part], each


def level_columns(
    X: Any, mean: Floats, squares: Floats, weights: Weights | None = None
) -> tuple[Any, Floats]:
    """Take the mean off the columns that lie far from zero; give what is left to take off.

    Far is a mean above three times the standard deviation, as for `Moments`. At most a tenth of
    such a column can be zeros, so the rows stay almost as sparse as they are.
    """
    count = count_rows(X, weights)
    far = find_far_columns(mean, squares, count)
    if not len(far):
        return X, mean
    rows, left = take_level_off(X, mean, far), mean.copy()
    each = np.ones(X.shape[0]) if weights is None else weights.astype(np.float64)
    left[far] = (each @ rows)[far] / count  # one number cannot hold a large mean exactly
    return rows, left


def find_far_columns(mean: Floats, squares: Floats, count: float) -> NDArray[np.intp]:
    """Give the columns that lie far from zero; `squares` are sums about the mean."""
    return np.flatnonzero(squares < (MIN_SQUARE_RATIO - 1.0) * count * mean**2)


def take_level_off(X: Any, mean: Floats, far: NDArray[np.intp]) -> Any:
    """Take the mean off some columns of sparse rows."""
    n = X.shape[0]
    positions = (np.tile(far.astype(X.indices.dtype), n), np.arange(n + 1) * len(far))
    return X - scipy.sparse.csr_array((np.tile(mean[far], n), *positions), shape=X.shape)


def _once(X: Any) -> Any:
    """Give sparse rows in which no cell is stored twice."""
    if X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


_FAINT = 1e-250  # sums of squares below have lost digits, or are rounding
_MIN_UNIT = 1e-100  # the squares of a varying column with larger values are above
_VANISHING = 1e-150  # the square of such a share of the largest column is no longer a number
_FINEST = 2.0**-1000  # one over it is finite


def compute_level(std: Floats) -> float:
    """Give the root of the mean variance of the columns that vary: what is 1 once they are scaled.

    Examples
    --------
    >>> round(compute_level(np.array([1e-200, 7e-200, 0.0])) * 1e200, 9)
    5.0
    """
    largest = float(std.max(initial=0.0))
    varying = std[std > 0] / (largest or 1.0)
    return largest * float(np.sqrt(np.square(varying).mean())) if largest else 1.0


def find_varying(std: Floats, *, scale: bool) -> NDArray[np.intp]:
    """Give the columns that vary; unscaled, those whose squares do not vanish beside the others."""
    least = 0.0 if scale else _VANISHING * float(std.max(initial=0.0))
    return np.flatnonzero(std > least)


def fine_units(X: Any, squares: Floats) -> Floats | None:
    """Give a power of two for each column to divide it by, None where all can stay as they are.

    Below 1e-162 squares vanish; a power of two takes nothing from the digits. `squares` are the
    sums of squares about the mean, found without a unit.
    """
    faint = np.flatnonzero(squares < _FAINT)
    if not len(faint) or not X.shape[0]:
        return None
    largest = abs(X[:, faint]).max(axis=0)
    peak = np.ravel(largest.toarray() if scipy.sparse.issparse(largest) else largest)
    small = (peak > 0) & (peak < _MIN_UNIT)
    if not small.any():
        return None
    unit = np.ones(len(squares))
    unit[faint[small]] = np.maximum(np.ldexp(1.0, np.frexp(peak[small])[1]), _FINEST)
    return unit


def divide_columns(X: Any, unit: Floats) -> Any:
    """Divide every column of a dense or sparse table."""
    if not scipy.sparse.issparse(X):
        return X / unit
    X = scipy.sparse.csr_array(X)
    values = np.take(1.0 / unit, X.indices)  # one new array of the stored values, no other copy
    values *= X.data
    return scipy.sparse.csr_array((values, X.indices, X.indptr), shape=X.shape)
