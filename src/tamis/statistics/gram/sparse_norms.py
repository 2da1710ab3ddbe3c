"""Squared column norms of the Gram matrix of sparse rows; no d x d array is made for them.

The columns are split by how many of their values are not 0. Pairs of the fuller columns are
multiplied as arrays, where a product takes a hundredth of the time that one of stored values takes;
all other pairs by their stored values. Everything is float64. The means are taken off entry by
entry where columns are full, and off the sums of squares elsewhere: a column that is 0 in all but
4% of the rows has a mean that is small beside its length, so no digits are lost by that.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import scipy.sparse

from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.threads import is_machine_busy
from tamis.numerics.types import Floats, Indices
from tamis.statistics.column_spread import count_stored

MIN_FULL_SHARE = 0.04  # of values that are not 0: above, pairs of columns are quicker as arrays
_FULL_STRIP_BYTES = 1 << 28  # of the matrix of the fuller columns, held at once
_CHUNK_BYTES = 1 << 25  # of the rows of fuller columns, written out at once
_PRODUCT_BYTES = 1 << 26  # of a product of stored values, if it had no 0


def square_sparse_norms(rows: Any, mean: Floats) -> Floats:
    """Give the squared column norms of `X'X - n mean mean'`, `mean` being that of the columns.

    Examples
    --------
    >>> X = scipy.sparse.csr_array([[1.0, 0.0], [0.0, 2.0]])
    >>> square_sparse_norms(X, np.array([0.5, 1.0])).tolist()
    [1.25, 5.0]
    """
    n, d = rows.shape
    is_full = count_stored(rows) > MIN_FULL_SHARE * n
    full, thin = np.flatnonzero(is_full), np.flatnonzero(~is_full)
    norms = np.zeros(d)
    norms[thin], beside = _square_thin(scipy.sparse.csc_array(rows[:, thin]), rows)
    norms[full] = beside[full]
    # sum_i (a_i - n m_i m)^2 = |a|^2 - 2 n m (m'a) + n^2 m^2 |m|^2: over all i for a thin column,
    # over the thin ones for a full one.
    for columns, others in ((thin, mean), (full, np.where(is_full, 0.0, mean))):
        own, met = mean[columns], (rows.T @ (rows @ others))[columns]
        norms[columns] += n * own * (n * own * (others @ others) - 2.0 * met)
    norms[full] += _square_full(rows, full, mean[full])
    return norms


def _square_full(rows: Any, full: Indices, mean: Floats) -> Floats:
    """Give the squared column norms of the matrix of fuller columns, a strip of it at a time."""
    n, d = rows.shape[0], len(full)
    norms = np.zeros(d)
    for strip in row_blocks(d, d, room=_FULL_STRIP_BYTES):
        found = np.zeros((strip.stop - strip.start, d - strip.start))
        width = strip.stop - strip.start
        for part in row_blocks(n, d - strip.start, room=_CHUNK_BYTES):
            values = rows[part][:, full[strip.start :]].toarray()
            found += values[:, :width].T @ values
        found -= np.outer(n * mean[strip], mean[strip.start :])
        norms[strip] += np.einsum("ij,ij->i", found, found)
        after = found[:, width:]  # the matrix is symmetric: these stand below the strip, too
        norms[strip.stop :] += np.einsum("ij,ij->j", after, after)
    return norms


def _square_thin(thin: Any, rows: Any) -> tuple[Floats, Floats]:
    """Square the products of thin columns with all: add them by thin column, and by the other."""
    d = rows.shape[1]

    def multiply(part: slice) -> tuple[Floats, Floats]:
        products = scipy.sparse.csr_array(thin[:, part].T) @ rows
        squares = np.square(products.data)
        lines = np.repeat(np.arange(products.shape[0]), np.diff(products.indptr))
        own = np.bincount(lines, squares, products.shape[0])
        return own.astype(float), np.bincount(products.indices, squares, d).astype(float)

    norms, beside = np.zeros(thin.shape[1]), np.zeros(d)
    parts = row_blocks(thin.shape[1], d, room=_PRODUCT_BYTES)
    for part, (own, other) in zip(parts, _map_on_cores(multiply, parts), strict=True):
        norms[part] = own
        beside += other
    return norms, beside


def _map_on_cores(
    work: Callable[[slice], tuple[Floats, Floats]], parts: list[slice]
) -> Iterator[tuple[Floats, Floats]]:
    """Do some work on every part, in order, by as many threads as there are free cores."""
    workers = 1 if is_machine_busy() else min(os.cpu_count() or 1, len(parts))
    if workers <= 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, parts)
