"""`ufs`: remove redundant columns by Gaussian elimination on eigenvectors (Yen, Chen & Lin).

Every eigenvector of the correlation matrix is a linear equation between the columns, with its
eigenvalue as squared error. The equation of smallest error removes the column with the largest
coefficient and is then used to eliminate that column from all other equations. The paper updates
the error vectors; only their Gram matrix is needed. Columns that are exact linear combinations of
others, where the paper's result depends on the solver, are removed first, by smallest leverage. The
paper stops when the smallest error is above a threshold, given here on the scale of the eigenvalues
(mean 1).
"""

from collections.abc import Sequence

import scipy.linalg

from tamis.algorithms.backward.elimination import (
    RemovalGuard,
    chain_removals,
    eliminate,
    rank_by_removal,
    split_independent,
)
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.numerics.types import Floats
from tamis.statistics.gram import Gram


def remove_redundant(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
    limits: Limits | None = None,
) -> Path:
    """Remove columns, each the one best predicted by the remaining ones.

    Examples
    --------
    The third column is nearly the sum of the first two.

    >>> import numpy as np
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.0, 0.7], [0.0, 1.0, 0.7], [0.7, 0.7, 1.0]]))
    >>> remove_redundant(gram, k=2).kept
    array([0, 1])
    """
    guard = RemovalGuard.of(len(gram.diagonal()), include, limits)
    rest = split_independent(gram, include, guard)
    # The live rows of the eliminated system are the inverse of the kept rows of V.
    W: Floats = rest.V.T if len(rest.removed.columns) == 0 else scipy.linalg.inv(rest.V)
    then = eliminate(W, rest.values, guard=guard.among(rest.left))
    removals = chain_removals(rest.removed, then, rest.left)
    return rank_by_removal(
        gram,
        removals,
        k,
        rank=len(rest.left),
        retain=retain,
        threshold=threshold,
        include=include,
        guard=guard,
    )
