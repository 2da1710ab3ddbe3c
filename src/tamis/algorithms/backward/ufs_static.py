"""`ufs-static`: remove one column for each of the smallest eigenvalues, without updating.

Yen, Chen and Lin compare their method with this one, which is Jolliffe's B2 run to the end. If the
column with the largest loading on a component has already been removed, the next largest loading
decides. In a rank-deficient table the paper's result depends on the basis that the solver returns
for the null space; here the columns of smallest leverage are removed first, with leverages computed
once ("without updating"). The method does not notice when the kept columns explain all others, so
it always keeps `k` columns.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.backward.elimination import ranked
from tamis.algorithms.path import Path, no_removals, note_equation
from tamis.numerics.ties import last_best
from tamis.statistics.gram import Gram


def remove_by_smallest_components(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
) -> Path:
    """Remove for each component, smallest first, the column that loads most on it.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.0, 0.7], [0.0, 1.0, 0.7], [0.7, 0.7, 1.0]]))
    >>> remove_by_smallest_components(gram, k=2).kept
    array([0, 1])
    """
    values, V = gram.decomposition()
    d, r = V.shape
    may_go = np.ones(d, dtype=bool)
    may_go[list(include)] = False
    count = d - max(1, len(include))
    found = no_removals(count)
    dependence = 1.0 - np.einsum("ij,ij->i", V, V)
    for step in range(count):
        component = step - (d - r)
        loadings = dependence if component < 0 else np.abs(V[:, component])
        j = last_best(np.where(may_go, loadings, -1.0))
        may_go[j], found.columns[step] = False, j
        if component >= 0:
            found.errors[step] = values[component]
            weights = np.delete(V[:, component], j) / -V[j, component] if V[j, component] else None
            if weights is not None:
                note_equation(found, step, weights, np.delete(np.arange(d), j))
    return ranked(
        gram,
        found,
        k,
        rank=r,
        retain=retain,
        threshold=threshold,
        include=include,
        independent_head=r == d,
    )
