"""`mcfs`: multi-cluster feature selection, the columns that predict the clusters of the rows.

Every row is connected to its nearest neighbours, as for `laplacian`. The smoothest vectors on that
graph (`L y = lam D y`, one for each of the `clusters`) separate the clusters of rows. Least angle
regression predicts each of them from `k` columns; the score of a column is its largest coefficient
in absolute value, and the `k` columns of largest score are kept. Columns that enter no regression
have score 0 and are ranked by their largest correlation with one of the vectors.

Sets for different `k` are not nested, since the coefficients depend on `k`. With `retain`, the
smallest `k` whose columns reproduce that share of the variance is found by bisection.

Vectors are normalised to `y'Dy = 1`, so that their coefficients are comparable. If the graph has
several connected components, only the constant vector is omitted, not the vectors that separate the
components. Columns are standardised before the regression unless `scale=False`, which the paper
uses. A column that is reproduced by those taken before it is skipped. The regression works on the
Gram matrix: its cost does not depend on the number of rows.

The graph is that of `laplacian`, with its weights and its width `t`. The authors' code uses heat
weights `exp(-d^2 / (2 t^2))` with `t` the mean distance between rows, so its vectors and sets may
differ from those found here.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

from tamis.algorithms.orders import Pairs, best_in_order, find_smallest, order_of
from tamis.algorithms.path import Goal, Path
from tamis.numerics.eigen import find_leading_pairs, fix_signs
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices, Mask
from tamis.progress import track
from tamis.rules.tolerances import ACCEPTED, RANK_TOL
from tamis.statistics.neighbours import Neighbours
from tamis.values import dataclass

_FIRST_MCFS_COLUMNS = 16


def describe_clusters(
    near: Neighbours,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    clusters: int = 5,
) -> Path:
    """Take the `k` columns with the largest coefficients in sparse regressions of the clusters."""
    descriptions = _Descriptions(near, clusters)

    def find(size: int) -> Path:
        scores = descriptions.scores(size)
        # Columns of score 0 come together at the end.
        levels = np.where(scores > 0, _positions(scores), len(scores))
        order = np.lexsort((_positions(descriptions.closeness), levels))
        goal = Goal(retain=max(retain, 1.0), include=include)
        return best_in_order(near.gram, order, scores, size, nested=False, **goal)

    if retain >= 1.0:
        return find(k)
    least = max(1, len(include))
    reach = min(k, max(_FIRST_MCFS_COLUMNS, least))
    while reach < k and find(reach).share < retain:
        least, reach = reach, min(k, 2 * reach)
    return find_smallest(find, reach, retain, least=least)


def _positions(scores: Floats) -> Floats:
    """Give the position of each column in the order of its score."""
    positions = np.empty(len(scores))
    positions[order_of(scores)] = np.arange(len(scores))
    return positions


class _Descriptions:
    """The regressions of the smoothest vectors on the columns, as far as they were needed."""

    def __init__(self, near: Neighbours, clusters: int) -> None:
        self._pairs = Pairs(near.gram)
        vectors = spectral_embedding(near.graph, clusters)
        lengths = np.einsum("ij,ij->j", near.rows, near.rows)
        # The Gram matrix may be that of the rows times a number.
        self._factor = float(np.sqrt(self._pairs.sizes.sum() / lengths.sum()))
        self._products = self._factor * (vectors.T @ near.rows)
        self._paths: list[LarsPath] = []
        self._steps = 0
        self.closeness: Floats = np.zeros(self._pairs.count)
        if len(self._products):
            self.closeness = np.abs(self._products).max(axis=0) / np.sqrt(self._pairs.sizes)

    def scores(self, size: int) -> Floats:
        """Give the largest coefficient of every column after `size` steps."""
        if size > self._steps:
            vectors = track("regressions done", self._products, len(self._products))
            self._paths = [least_angles(self._pairs, products, size) for products in vectors]
            self._steps = size
        found = np.zeros(self._pairs.count)
        for path in self._paths:
            weights = np.abs(path.coefficients(size)) * self._factor
            columns = path.columns[: len(weights)]
            found[columns] = np.maximum(found[columns], weights)
        return found


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


# Least angle regression on a Gram matrix: the columns that predict a vector, one after the other.
#
# The columns taken are made orthogonal (`W`, as in the forward methods), which makes the direction
# of all correlations the running sum `a = sum z_i w_i`: a step costs one product with `W`. The
# coefficients are not followed. After any number of steps all correlations of the taken columns
# are equal in size, and the coefficients follow from that size by two triangular solves.
@dataclass(frozen=True, eq=False)
class LarsPath:
    """The columns in the order in which they joined, and how the correlations fell.

    `levels` is the size of the correlations of the taken columns after each step, `signs` are
    their signs, `start` their correlations before the first step, and `factor` is the Cholesky
    factor of their Gram matrix.
    """

    columns: Indices
    signs: Floats
    start: Floats
    levels: Floats
    factor: Floats

    def coefficients(self, steps: int) -> Floats:
        """Give the coefficients of the columns after so many steps, or after the last one."""
        m = min(steps, len(self.columns))
        if m == 0:
            return np.zeros(0)
        explained = self.start[:m] - self.levels[m - 1] * self.signs[:m]
        return np.asarray(
            scipy.linalg.cho_solve((self.factor[:m, :m], True), explained, check_finite=False)
        )


def least_angles(pairs: Pairs, products: Floats, steps: int) -> LarsPath:
    """Follow least angle regression for `steps` steps or until the vector is predicted.

    `products` are those of the columns with the vector. A column that those taken reproduce is
    skipped. A step ends when the next column correlates as much as those taken.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> path = least_angles(Pairs(DenseGram(np.eye(2))), np.array([1.0, -3.0]), 2)
    >>> path.columns, path.coefficients(1), path.coefficients(2)
    (array([1, 0]), array([-2.]), array([-3.,  1.]))
    """
    c, level = products.copy(), float(np.abs(products).max())
    floor = RANK_TOL * level
    open_ = np.ones(pairs.count, dtype=bool)
    W, a = np.zeros((min(steps, pairs.count), pairs.count)), np.zeros(pairs.count)
    taken: list[int] = []
    signs: list[float] = []
    levels: list[float] = []
    while len(taken) < len(W) and level > floor and open_.any():
        j = first_best(np.where(open_, np.abs(c), -1.0))
        open_[j] = False
        done = W[: len(taken)]
        left = pairs.sizes[j] - done[:, j] @ done[:, j]
        if left <= RANK_TOL * pairs.sizes[j]:
            continue
        w = (pairs.products(np.array([j]))[0] - done[:, j] @ done) / np.sqrt(left)
        W[len(taken)] = w
        sign = float(np.sign(c[j]))
        a += (sign - a[j]) / w[j] * w
        taken.append(j)
        signs.append(sign)
        length = _step(c, a, level, open_)
        c -= length * a
        level -= length
        levels.append(level)
    columns = np.array(taken, dtype=np.intp)
    factor = np.tril(W[: len(taken), columns].T)
    return LarsPath(columns, np.array(signs), products[columns], np.array(levels), factor)


def _step(c: Floats, a: Floats, level: float, open_: Mask) -> float:
    """Give the step until an open column correlates as much as those taken."""
    length = level
    for side in (1.0, -1.0):
        slower = open_ & (1.0 - side * a > RANK_TOL)
        if slower.any():
            reach = (level - side * c[slower]) / (1.0 - side * a[slower])
            length = min(length, float(reach.min()))
    return max(length, 0.0)
