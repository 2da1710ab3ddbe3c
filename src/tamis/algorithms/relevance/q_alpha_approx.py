"""`q-alpha-approx`: column weights by squared inner products with all other columns, in one step.

Peluffo et al., after Wolf & Bileschi: the affinity `A = sum_j alpha_j f_j f_j'` of the weighted
columns has `tr(AA) = alpha' H alpha` with `H_kl = (f_k' f_l)^2`, so the unit vector of weights that
maximises it is the leading eigenvector of `H`. All entries of `H` are non-negative, and so are the
weights. The paper writes rows where columns are meant. Scores are the weights; their squares, which
sum to 1, are the shares that decide how many columns are kept.

Redundancy is rewarded: copies of a column raise each other's weight. Combine it with a method that
removes redundancy, or use it to find columns that belong together.
"""

from collections.abc import Callable, Sequence

import numpy as np

from tamis.algorithms.pairs import Pairs
from tamis.algorithms.path import Path
from tamis.algorithms.relevance.relevance import leading_vector, ranked_by
from tamis.numerics.types import Floats
from tamis.statistics.gram import DenseGram, Gram, RowGram, SparseGram

_CELLS = 1 << 20


def rank_by_common_variance(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
    rule: str = "ceil",
) -> Path:
    """Rank the columns by the leading eigenvector of the squared Gram entries.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.5, 1.0]]))
    >>> rank_by_common_variance(gram, 3).scores.round(6)
    array([0.      , 0.707107, 0.707107])
    """
    return ranked_by(
        gram,
        common_weights(gram),
        k,
        retain=retain,
        include=include,
        threshold=threshold,
        rule=rule,
        squared=True,
    )


def common_weights(gram: Gram) -> Floats:
    """Give the unit vector `alpha` of weights, none negative."""
    sizes = gram.diagonal()
    # Equal weights as start: what is symmetric in the table stays so in the weights.
    return np.abs(leading_vector(_squared_dot(gram), np.ones(sizes.size)))


def _squared_dot(gram: Gram) -> Callable[[Floats], Floats]:
    """Make the product of `G o G` with a vector, without a d x d array where G has none."""
    if isinstance(gram, DenseGram):
        H = np.square(gram.matrix)
        return lambda v: H @ v
    if isinstance(gram, RowGram) and gram.kernel is not None:
        return lambda v: _through_rows(gram.rows, v)
    if isinstance(gram, SparseGram) and gram.kernel is not None:
        return lambda v: _through_sparse_rows(gram, v)
    pairs = Pairs(gram)
    return lambda v: np.concatenate([np.square(pairs.products(p)) @ v for p in pairs.parts()])


def _through_rows(rows: Floats, v: Floats) -> Floats:
    # ((G o G)v)_j = sum_l (f_j'f_l)^2 v_l = f_j' (X diag(v) X') f_j
    found, step = np.zeros(v.size), max(1, _CELLS // v.size)
    for first in range(0, len(rows), step):
        block = rows[first : first + step]
        found += np.einsum("ij,ij->j", block, ((block * v) @ rows.T) @ rows)
    return found


def _through_sparse_rows(gram: SparseGram, v: Floats) -> Floats:
    """Do the same with the means taken off; they drop out of the outer products (Xc'1 = 0)."""
    shift = gram.rows @ (v * gram.mean)
    middle = ((gram.rows * v[None, :]) @ gram.by_column.T).toarray()
    middle += gram.mean @ (v * gram.mean) - shift
    middle -= shift[:, None]
    found, step = np.zeros(v.size), max(1, _CELLS // len(middle))
    for first in range(0, v.size, step):
        block = gram.by_column[:, first : first + step]
        found[first : first + step] = np.asarray(block.multiply(middle @ block).sum(axis=0)).ravel()
    return found
