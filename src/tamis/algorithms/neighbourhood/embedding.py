"""The smoothest vectors on a graph: solutions of `L y = lam D y`, without the constant one."""

from typing import Any

import numpy as np
import scipy.sparse

from tamis.numerics.eigen import find_leading_pairs, fix_signs
from tamis.numerics.tolerances import ACCEPTED
from tamis.numerics.types import Floats, Indices

_MAX_DENSE_ROWS = 400
_MAX_EMBEDDING_RESTARTS = 60
_SHIFT = 1e-6  # of the largest eigenvalue, 1: so far the factored matrix stays from singular


def spectral_embedding(graph: Any, count: int) -> Floats:
    """Give the `count` smoothest vectors as columns, with `y'Dy = 1`, smoothest first.

    A graph of several connected parts has one vector for each part that is constant on it. Of these
    only the constant one is omitted; the others are contrasts between parts, the heaviest part
    against the rest first. Rows without any weight get 0.

    Examples
    --------
    >>> pair = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> two_parts = scipy.sparse.csr_array(np.kron(np.eye(2), pair))
    >>> spectral_embedding(two_parts, 1).ravel()
    array([ 0.5,  0.5, -0.5, -0.5])
    """
    from scipy.sparse.csgraph import connected_components

    S = scipy.sparse.csr_array(graph, dtype=np.float64, copy=True)
    S.eliminate_zeros()
    degrees = np.asarray(S.sum(axis=1)).ravel()
    live = np.flatnonzero(degrees > 0)
    S, degrees = S[live][:, live], degrees[live]
    count = min(count, max(len(live) - 1, 0))
    vectors = np.zeros((graph.shape[0], count))
    if count == 0:
        return vectors
    parts, labels = connected_components(S, directed=False)
    masses = np.asarray(np.bincount(labels, degrees), dtype=np.float64)
    contrasts = _contrasts(masses, min(count, parts - 1))
    vectors[live, : contrasts.shape[1]] = contrasts[labels]
    more = count - contrasts.shape[1]
    if more:
        within = _WithinParts(S, degrees, labels).smoothest(more)
        vectors[live, -more:] = fix_signs(within / np.sqrt(degrees)[:, None])
    return vectors


def _contrasts(masses: Floats, count: int) -> Floats:
    """Set each part, heaviest first, against all parts that follow it."""
    order = np.argsort(-masses, kind="stable")
    found = np.zeros((len(masses), count))
    rest = np.concatenate([np.cumsum(masses[order][::-1])[::-1][1:], [0.0]])
    for i in range(count):
        mass, after = masses[order[i]], rest[i]
        found[order[i], i] = np.sqrt(after / (mass * (mass + after)))
        found[order[i + 1 :], i] = -np.sqrt(mass / (after * (mass + after)))
    return found


class _WithinParts:
    """The matrix `D^-1/2 S D^-1/2` on vectors that sum to 0 (with weights) in every part."""

    def __init__(self, S: Any, degrees: Floats, labels: Indices) -> None:
        self._roots = np.sqrt(degrees)
        scaled = scipy.sparse.diags_array(1.0 / self._roots)
        self._A = scipy.sparse.csr_array(scaled @ S @ scaled)
        self._labels, self._masses = labels, np.bincount(labels, degrees)

    def smoothest(self, count: int) -> Floats:
        """Give the eigenvectors of the largest eigenvalues, largest first."""
        n = len(self._roots)
        if n <= _MAX_DENSE_ROWS or 4 * count >= n:
            sums = np.zeros((n, len(self._masses)))
            sums[np.arange(n), self._labels] = self._roots
            sums /= np.sqrt(self._masses)
            matrix = self._A.toarray() - 3.0 * (sums @ sums.T)
            return find_leading_pairs(matrix, count)[1]
        return self._iterate_parts(count)

    def _iterate_parts(self, count: int) -> Floats:
        from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, splu

        n = len(self._roots)
        start = self._off(np.random.default_rng(0).standard_normal(n))
        wide = min(n - 1, max(4 * count, 40))

        def solve(dot: Any, restarts: int) -> Floats:
            operator = LinearOperator((n, n), matvec=dot, dtype=np.float64)
            values, vectors = eigsh(
                operator, count, which="LA", v0=start, ncv=wide, tol=ACCEPTED, maxiter=restarts
            )
            return vectors[:, np.argsort(-values, kind="stable")]

        try:
            # Omitted directions get the eigenvalue -2, below all others.
            return solve(lambda u: self._A @ u - 3.0 * (u - self._off(u)), _MAX_EMBEDDING_RESTARTS)
        except ArpackNoConvergence:
            # Long thin graphs: eigenvalues crowd at 1, and the inverse pulls them apart.
            eye = scipy.sparse.eye_array(n)
            inverse = splu(scipy.sparse.csc_array((1.0 + _SHIFT) * eye - self._A))
            return solve(
                lambda u: self._off(inverse.solve(self._off(u))), 100 * _MAX_EMBEDDING_RESTARTS
            )

    def _off(self, u: Floats) -> Floats:
        """Subtract what is constant in each part."""
        u = np.asarray(u).ravel()
        level = np.bincount(self._labels, self._roots * u) / self._masses
        return u - self._roots * level[self._labels]
