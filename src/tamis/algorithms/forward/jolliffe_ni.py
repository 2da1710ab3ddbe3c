"""`jolliffe-ni`: one column for each leading component, by largest loading (Jolliffe's B4).

Components are taken in order of their eigenvalues; a column already taken is skipped in favour of
the next largest loading. Redundancy between the columns taken is ignored.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.greedy import search
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.numerics.types import Floats, Mask
from tamis.statistics.gram import Gram


def one_pass_loadings(
    gram: Gram, k: int, *, retain: float = 1.0, include: Sequence[int] = ()
) -> Path:
    """Take for each of the first `k` components the open column that loads most on it.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> one_pass_loadings(DenseGram(np.diag([1.0, 3.0, 2.0])), k=2).indices
    array([1, 2])
    """
    loadings = np.abs(gram.find_leading(k)[1]).T

    def score(residual: Residual, offered: Mask) -> Floats:  # noqa: ARG001 - a component for each step
        # More columns than components (rank-deficient tables): the last component serves the rest.
        return loadings[min(residual.size, len(loadings) - 1)]

    return search(
        Residual(gram, k),
        k,
        score,
        retain=retain,
        include=include,
        usable=lambda residual: np.ones_like(residual.free),
    )
