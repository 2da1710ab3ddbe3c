"""Shrunken searches on a table of few rows, one for each shrinkage, step by step together.

A shrinkage is one number, or one for every column.

With the centred rows `Z` what is left of the Gram matrix is `R = Z'MZ`, at first with `M = I`. To
take the column `z` is `M <- M - aa'` with `a = Mz / sqrt(z'Mz + s)`, `s` being the shrinkage. The
row of the factor is `w = Z'a`, and `Rw = Z'MKa` with the kernel `K = ZZ'`: all but these two
products is as short as the rows are few, and they are one for all searches. (Searches on several
tables do not gain by going together: what they read no longer stays in the cache.)
"""

from collections.abc import Sequence

import numpy as np

from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram, Samples

_REFRESH = 30.0  # a trace so many times smaller has lost two digits more than it should
_FIRST_ROOM = 16  # columns for which there is room at first


class JointSearches:
    """What is left of the columns in each search (`left`, searches x columns), and their gains."""

    def __init__(self, gram: Gram, samples: Samples, shrinkages: Sequence[float | Floats]) -> None:
        count = len(shrinkages)
        self.start = gram.diagonal()
        self._samples, self._shrink = samples, _stack_shrinkages(shrinkages, len(self.start))
        self._plain = np.flatnonzero(~self._shrink.any(axis=1)).tolist()
        self.left = np.tile(self.start, (count, 1))
        self._floor = RANK_TOL * self.start
        self._norms = np.tile(gram.start_norms, (count, 1))  # squared column norms of R
        self._totals = self.left.sum(axis=1)  # as the factors say, which is enough to know when
        self._traces = self._totals.copy()  # at the last refresh
        self._taken = np.zeros((count, _FIRST_ROOM), dtype=np.intp)
        self._factors = np.zeros((count, _FIRST_ROOM, len(samples.sample(0))))  # rows a
        self._size = 0

    def gains(self) -> Floats:
        """Give what each column would add in each search: `||R e_j||^2 / (R_jj + s)`."""
        for i in np.flatnonzero(self._totals * _REFRESH < self._traces).tolist():
            taken = self._taken[i, : self._size]
            shrink = np.broadcast_to(self._shrink[i], self.start.shape)[taken]
            self._norms[i] = find_shrunk_norms(self._samples, taken, shrink)
            self._traces[i] = self._totals[i] = self.left[i].sum()
        gains = np.maximum(self._norms, 0.0)
        gains /= np.maximum(self.left + self._shrink, self._floor)
        gains[self.left <= self._floor] = 0.0
        return gains

    def take(self, picks: Sequence[int]) -> None:
        """Condition every search on its column; one that has ended goes on with nothing."""
        each = np.arange(len(picks))
        own = self._shrink if self._shrink.shape[1] == 1 else self._shrink[each, picks][:, None]
        whole = self.left[each, picks][:, None] + own
        roots = np.sqrt(np.maximum(whole, 0.0))
        a = self._project(np.stack([self._samples.sample(j) for j in picks]))
        a = np.divide(a, roots, out=np.zeros_like(a), where=whole > 0)
        b = self._project(self._samples.kernel_dot(a.T).T)
        products = self._samples.transposed_dot(np.concatenate([a, b]).T).T
        w, v = products[: len(a)], products[len(a) :]
        for i in self._plain:  # taken columns have nothing left, not even rounding
            w[i, self._taken[i, : self._size]] = 0.0
        sizes = np.einsum("ij,ij->i", w, w)[:, None]
        self._totals -= sizes[:, 0]
        # ||(R - ww')e_j||^2 = ||Re_j||^2 - 2 w_j (Rw)_j + (w'w) w_j^2: no second pass over Z.
        v *= -2.0
        v += sizes * w
        v *= w
        self._norms += v
        w *= w
        self.left -= w
        for i in self._plain:
            self.left[i, picks[i]] = 0.0
        self._note(picks, a)

    def _project(self, vectors: Floats) -> Floats:
        """Multiply one vector of each search with its `M`."""
        factors = self._factors[:, : self._size]
        parts = np.matmul(factors, vectors[:, :, None])
        return np.asarray(vectors - np.matmul(parts.transpose(0, 2, 1), factors)[:, 0])

    def _note(self, picks: Sequence[int], a: Floats) -> None:
        if self._size == self._taken.shape[1]:
            self._taken = np.concatenate([self._taken, np.zeros_like(self._taken)], axis=1)
            self._factors = np.concatenate([self._factors, np.zeros_like(self._factors)], axis=1)
        self._taken[:, self._size], self._factors[:, self._size] = picks, a
        self._size += 1


def _stack_shrinkages(shrinkages: Sequence[float | Floats], width: int) -> Floats:
    """Give one row for each search, as short as it can be."""
    alike = all(np.ndim(one) == 0 for one in shrinkages)
    return np.stack([np.broadcast_to(one, 1 if alike else width) for one in shrinkages])


def find_shrunk_norms(samples: Samples, known: Indices, shrink: float | Floats) -> Floats:
    """Give the squared column norms of `R = Z'(I + Z_S D^-1 Z_S')^-1 Z` from the rows `Z`.

    D has the shrinkage of each column, or of all. With the singular values of `Z_S` over its root
    the inverse has a root, so `R = Y'Y`; without shrinkage it is a projection.
    """
    shrunk = bool(np.all(shrink))
    columns = np.column_stack([samples.sample(int(j)) for j in known])
    U, sizes, _ = np.linalg.svd(columns / np.sqrt(shrink if shrunk else 1.0), full_matrices=False)
    if shrunk:
        taken = 1.0 - 1.0 / np.sqrt(1.0 + np.square(sizes))
    else:
        taken = (np.square(sizes) > RANK_TOL * sizes[0] ** 2).astype(np.float64)
    Z = samples.to_array()
    Y = Z - (U * taken) @ (U.T @ Z)
    norms = np.asarray(np.einsum("ij,ij->j", Y, (Y @ Y.T) @ Y))
    if not shrunk:
        norms[known] = 0.0
    return norms
