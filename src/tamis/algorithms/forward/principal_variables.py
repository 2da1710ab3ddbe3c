"""`principal-variables`: the column most correlated with all others, given those taken.

Cumming and Wooff's `h` criterion, the sum of squared covariances. Yen, Chen and Lin describe it as
a sum of loadings times eigenvalues; the squared form used here is the correct one. Residuals are
partial covariances, not rescaled to partial correlations.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.greedy import search
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.numerics.types import Floats, Mask
from tamis.statistics.gram import Gram


def principal_variables(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    limits: Limits | None = None,
) -> Path:
    """Take `k` columns, each with the largest sum of squared covariances with all columns.

    Examples
    --------
    Column 1 is correlated with both others, so it is taken first.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.5], [0.0, 0.5, 1.0]]))
    >>> principal_variables(gram, k=2).indices
    array([1, 2])
    """
    return search(Residual(gram, k), k, _relatedness, limits, retain=retain, include=include)


def _relatedness(residual: Residual, offered: Mask) -> Floats:
    """Give `h_j`, the sum of squares of column `j` of what is left."""
    return np.where(offered, residual.norms, 0.0)
