"""`relpca`: rank columns by the variance that the leading principal components reproduce of each.

Peluffo et al.: with eigenvalues `lam_i` and eigenvectors `v_i` of the Gram matrix, the relevance of
the columns is `eta = sum_i lam_i v_i * v_i` over the first p components: the squared length of each
column in the rank-p approximation of the table. Its sum is the variance explained by the
components. Variances are relative to their mean over the columns, so that the scores do not depend
on the unit of the table.

With all components `eta` is the variance of each column, which is the same for all standardised
columns; so p, by the 95% rule unless given, is always below the rank, and a larger p is refused
where all columns have the same variance. The paper uses p for the components and for the columns
kept; here `components` is the first, and the share of the summed relevance decides the second.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.path import Path
from tamis.algorithms.relevance.relevance_ranking import count_leading, rank_by_relevance
from tamis.errors import TamisError, spell
from tamis.numerics.tolerances import RANK_TOL, TIE
from tamis.numerics.types import Floats
from tamis.statistics.gram import Gram


def rank_by_components(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
    rule: str = "ceil",
    components: int | None = None,
) -> Path:
    """Rank the columns by their part in the leading components; scores are `eta`.

    Examples
    --------
    The third column stands alone: the first component has nothing of it.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.6, 0.0], [0.6, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> rank_by_components(gram, 3, components=1).scores
    array([0.8, 0.8, 0. ])
    """
    return rank_by_relevance(
        gram,
        component_relevance(gram, components=components, rule=rule),
        k,
        retain=retain,
        include=include,
        threshold=threshold,
        rule=rule,
    )


def component_relevance(gram: Gram, *, components: int | None = None, rule: str = "ceil") -> Floats:
    """Give `eta`, the squared length of every column as reproduced by the leading components.

    Without `components` as many are used as explain 95% of the variance by the rule, but fewer than
    the rank.
    """
    sizes = gram.diagonal()
    count = count_leading(gram, rule) if components is None else components
    found = _rebuilt(gram, count)
    if count == 1 or found.sum() < (1.0 - RANK_TOL) * sizes.sum():
        return found
    if components is None:
        return _rebuilt(gram, count - 1)
    if sizes.max() - sizes.min() <= TIE * sizes.max():
        raise TamisError(
            f"{spell('components', components)}: so many components reproduce the full table, in "
            "which every scaled column counts the same; give fewer, or leave the columns unscaled."
        )
    return found


def _rebuilt(gram: Gram, components: int) -> Floats:
    values, V = gram.find_leading(min(components, gram.rank_bound))
    return np.asarray(V**2 @ values)
