"""`relpca-first`: rank columns by their squared loading on the first principal component.

The case p = 1 of `relpca` (Peluffo et al.): `eta = lam_1 v_1 * v_1`, which needs one eigenvector
only. Where the two largest eigenvalues are equal, the first component, and with it the ranking, is
arbitrary; a warning says so.
"""

import warnings
from collections.abc import Sequence

import numpy as np

from tamis.algorithms.path import Path
from tamis.algorithms.relevance.relevance_ranking import rank_by_relevance
from tamis.numerics.types import Floats
from tamis.statistics.gram import Gram

_GAP = 1e-6  # between the two largest, of the largest: below it they are called equally strong


def rank_by_first_component(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
    rule: str = "ceil",
) -> Path:
    """Rank the columns by their squared weights in the first component; scores are `eta`.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.5, 1.0]]))
    >>> rank_by_first_component(gram, 3).indices
    array([1, 2, 0])
    """
    return rank_by_relevance(
        gram,
        first_component_relevance(gram),
        k,
        retain=retain,
        include=include,
        threshold=threshold,
        rule=rule,
    )


def first_component_relevance(gram: Gram) -> Floats:
    """Give `lam_1 v_1 * v_1`; warn where a second component is as large as the first."""
    values, V = gram.find_leading(min(2, gram.rank_bound))
    if len(values) > 1 and values[0] - values[1] < _GAP * values[0]:
        warnings.warn(
            "The two largest components are equally strong, so which is the first is arbitrary "
            "and so is the ranking by it: use relpca with components=2 or more.",
            stacklevel=2,
        )
    return np.asarray(values[0] * V[:, 0] ** 2)
