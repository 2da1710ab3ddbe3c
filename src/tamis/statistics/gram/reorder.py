"""The columns of a Gram matrix in another order, whatever form it is held in."""

import numpy as np

from tamis.numerics.types import Indices
from tamis.statistics.gram.dense import DenseGram
from tamis.statistics.gram.protocol import Gram
from tamis.statistics.gram.row_gram import RowGram


def reorder_columns(gram: Gram, order: Indices) -> Gram:
    """Put the columns of a Gram matrix in another order.

    >>> gram = DenseGram(np.array([[1.0, 0.5], [0.5, 2.0]]))
    >>> reorder_columns(gram, np.array([1, 0])).diagonal()
    array([2., 1.])
    """
    if np.array_equal(order, np.arange(len(order))):
        return gram
    if gram.samples is not None:
        return RowGram(gram.samples.to_array()[:, order])
    return DenseGram(gram.block(order, order))
