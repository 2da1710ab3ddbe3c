"""`ufs`: remove what the rest already says, by Gaussian elimination on eigenvectors (Yen et al.).

Every eigenvector of the correlation matrix is an equation between the columns with its eigenvalue
as squared error. The equation of smallest error removes the column with the largest coefficient and
is then used to eliminate that column from all others. The paper carries the error vectors along;
only their Gram matrix is needed. Columns that depend on others exactly, where the paper's result
depends on the solver, go first, by smallest leverage. The paper stops when the smallest error is
above a threshold, given here on the scale of the eigenvalues (mean 1).
"""

from collections.abc import Sequence

import scipy.linalg

from tamis.algorithms.backward.backward import eliminate
from tamis.algorithms.backward.elimination import independent, joined, ranked
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
) -> Path:
    """Remove columns, each the one best expressed by those that remain.

    Examples
    --------
    The third column is nearly the sum of the first two.

    >>> import numpy as np
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.0, 0.7], [0.0, 1.0, 0.7], [0.7, 0.7, 1.0]]))
    >>> remove_redundant(gram, k=2).kept
    array([0, 1])
    """
    rest = independent(gram, include)
    # The live rows of the eliminated system are the inverse of the kept rows of V.
    W: Floats = rest.V.T if len(rest.gone.columns) == 0 else scipy.linalg.inv(rest.V)
    places = {int(j): place for place, j in enumerate(rest.left)}
    then = eliminate(W, rest.values, [places[int(j)] for j in include])
    removals = joined(rest.gone, then, rest.left)
    return ranked(
        gram,
        removals,
        k,
        rank=len(rest.left),
        retain=retain,
        threshold=threshold,
        include=include,
    )
