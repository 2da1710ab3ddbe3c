"""Importance of columns by the leading components of their mutual information, and the loop on it.

The scores are those that the paper calls VIMICA: each leading component of the matrix gives out its
eigenvalue to the columns in proportion to the size of their entries. Negative eigenvalues, which
such a matrix may have, are ignored. Components with equal eigenvalues are chosen by a rule
(`eigen.canonical`), not by the solver.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tamis.algorithms.greedy import UnsharedInformation, search
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.numerics.eigen import decompose
from tamis.numerics.types import Floats, Indices
from tamis.statistics.shared_information import Information


def score_importance(information: Information, mi_threshold: float = 0.9) -> Floats:
    """Score every column by the components that explain more than `mi_threshold` of the spectrum.

    Examples
    --------
    >>> M = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> score_importance(Information(M)).round(12)
    array([1., 1., 1.])
    """
    values, vectors = decompose(information.matrix)
    values, vectors = values[::-1], vectors[:, ::-1]
    positive = np.maximum(values, 0.0)
    shares = np.cumsum(positive) / positive.sum()
    # The share must be above the threshold, except where that is 1.
    count = min(int(np.searchsorted(shares, mi_threshold, side="right")) + 1, len(values))
    parts = np.abs(vectors[:, :count])
    return np.asarray((parts / parts.sum(axis=0)) @ positive[:count])


def take_informative(
    information: Information,
    k: int,
    scores: Floats,
    preference: Callable[[Indices], Floats],
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    limits: Limits | None = None,
) -> Path:
    """Take columns in order of a preference that may depend on those taken.

    Their share is the mean, over all columns, of the mutual information with the most informative
    column taken: 1 for a taken column itself.
    """
    within = Limits.of(len(scores)) if limits is None else limits
    path = search(
        UnsharedInformation(information, k),
        k,
        lambda state, _: preference(state.taken),
        within,
        retain=retain,
        include=include,
        usable=lambda state: np.ones_like(state.free),
    )
    return replace(path, scores=scores, stopped=path.stopped if within.any else "")
