"""`jolliffe-b3`: the columns with the smallest loadings on all the small components together.

Jolliffe (1972): to keep k of d columns, square and add up the loadings of every column on the d - k
smallest components; the d - k columns with the largest sums are removed. The loadings of a column
on all components have squares that add up to 1, so those kept have the largest sums over the k
leading components. A set for one k need not contain the set for a smaller one.

A table of rank r has only r components of its own: for more columns than that, the sums go over
these r. Redundancy between the columns kept is ignored: two copies have the same sums.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.by_score import order_of, put_included_first
from tamis.algorithms.column_pairs import find_smallest, order_by_gain
from tamis.algorithms.path import Path
from tamis.numerics.types import Floats
from tamis.statistics.gram import Gram


def summed_loadings(
    gram: Gram, k: int, *, retain: float = 1.0, include: Sequence[int] = ()
) -> Path:
    """Take the `k` columns with the largest squared loadings on the `k` leading components.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> sorted(summed_loadings(DenseGram(np.diag([1.0, 3.0, 2.0])), k=2).indices.tolist())
    [1, 2]
    """
    loadings = gram.find_leading(k)[1]

    def find(size: int) -> Path:
        scores = squares_on_leading(loadings, size)
        chosen = put_included_first(order_of(scores), include)[:size]
        return order_by_gain(gram, chosen, scores, include=include)

    return find_smallest(find, min(k, len(loadings)), retain, least=max(1, len(include)))


def squares_on_leading(loadings: Floats, size: int) -> Floats:
    """Add up the squared loadings of every column on the first `size` components."""
    return np.asarray(np.square(loadings[:, :size]).sum(axis=1))
