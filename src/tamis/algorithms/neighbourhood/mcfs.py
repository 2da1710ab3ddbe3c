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

import numpy as np

from tamis.algorithms.by_score import best_in_order, order_of
from tamis.algorithms.column_pairs import Pairs
from tamis.algorithms.fixed_size import find_smallest
from tamis.algorithms.neighbourhood.embedding import spectral_embedding
from tamis.algorithms.neighbourhood.lars import LarsPath, least_angles
from tamis.algorithms.path import Path
from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.statistics.neighbours import Neighbours

_FIRST_MCFS_COLUMNS = 16


def describe_clusters(
    near: Neighbours,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    clusters: int = 5,
) -> Path:
    """Take the `k` columns with the largest coefficients in sparse regressions of the clusters.

    Examples
    --------
    The first column separates two groups of rows.

    >>> from tamis.statistics.gram import RowGram
    >>> from tamis.statistics.neighbours import neighbour_graph
    >>> X = np.array([[9.0, 0.1], [9.1, 0.3], [9.3, 0.2], [0.0, 0.1], [0.1, 0.2], [0.3, 0.3]])
    >>> X -= X.mean(axis=0)
    >>> near = Neighbours(X, neighbour_graph(X, 2), RowGram(X))
    >>> describe_clusters(near, 1, clusters=1).indices
    array([0])
    """
    descriptions = _Descriptions(near, clusters)

    def find(size: int) -> Path:
        scores = descriptions.scores(size)
        order = np.lexsort((_positions(descriptions.closeness), _levels(scores)))
        goal = max(retain, 1.0)
        return best_in_order(
            near.gram, order, scores, size, retain=goal, include=include, nested=False
        )

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


def _levels(scores: Floats) -> Floats:
    """Give the same, all columns of score 0 together at the end."""
    return np.where(scores > 0, _positions(scores), len(scores))


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
