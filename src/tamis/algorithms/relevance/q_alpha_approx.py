"""`q-alpha-approx`: column weights by squared inner products with all other columns, in one step.

Peluffo et al., after Wolf & Bileschi: the affinity `A = sum_j alpha_j f_j f_j'` of the weighted
columns has `tr(AA) = alpha' H alpha` with `H_kl = (f_k' f_l)^2`, so the unit vector of weights that
maximises it is the leading eigenvector of `H`. All entries of `H` are non-negative, and so are the
weights. The paper writes rows where columns are meant. Scores are the weights; their squares, which
sum to 1, are the shares that decide how many columns are kept.

Redundancy is rewarded: copies of a column raise each other's weight. Combine it with a method that
removes redundancy, or use it to find columns that belong together.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.path import Path
from tamis.algorithms.relevance.relevance_ranking import rank_by_relevance
from tamis.numerics.eigen import find_leading_vector
from tamis.numerics.types import Floats
from tamis.statistics.gram import Gram


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
    return rank_by_relevance(
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
    # Equal weights as start: what is symmetric in the table stays so in the weights.
    return np.abs(find_leading_vector(gram.squared_dot(), np.ones(gram.diagonal().size)))
