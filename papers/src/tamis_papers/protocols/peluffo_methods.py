"""How the nine methods of Peluffo et al. present a table to K-means.

Each runs as in the library, with the options of the reading. How many columns or components are
kept follows from the shares that the method gives, by the rule `count_kept`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import tamis
from tamis_papers.laboratory.numbers import NEGLIGIBLE, Floats

SHARE = 0.95
FEW = "q-alpha, few directions"  # as many as PCA keeps components, fewer than columns


@dataclass(frozen=True, eq=False)
class Representation:
    """Rows as K-means sees them, and how many columns or components the rule keeps.

    `p` may exceed the columns of `rows`: components without variance are counted and not computed.
    """

    rows: Floats
    p: int


def count_kept(shares: Floats, width: int) -> int:
    """Count the shares whose running sum is at most 95%; if there is none, keep all.

    Examples
    --------
    >>> count_kept(np.array([0.6, 0.3, 0.1]), 3), count_kept(np.array([0.97, 0.03]), 4)
    (2, 4)
    """
    if shares[0] > SHARE:
        return width
    return max(1, int(np.count_nonzero(np.cumsum(shares) <= SHARE + NEGLIGIBLE)))


def present_rows(X: Floats, method: str) -> Representation:
    """Give the rows as the method presents them: all columns, kept columns or scores."""
    if method == "raw":
        return Representation(X, X.shape[1])
    if method == "pca":
        return _extract(X, "pca")
    if method == "gdfe":  # in the limit of a narrow kernel only identical rows are related
        return _extract(X, "gdfe", {"sigma": 0.0})
    if method.startswith("wpca-"):
        return _extract(X, "wpca", {"weights": _measure_relevance(X, method.removeprefix("wpca-"))})
    relevance = _measure_relevance(X, method)
    order = np.argsort(-relevance, kind="stable")
    if method == "relpca":
        p = count_kept(relevance[order] / relevance.sum(), X.shape[1])
    else:
        p = _extract(X, "pca").p
    return Representation(X[:, order[:p]], p)


def _extract(X: Floats, method: str, options: Mapping[str, Any] | None = None) -> Representation:
    """Compute all components of the centred, unscaled columns and keep those of the rule."""
    width = X.shape[1]
    found = tamis.extract(X, width, method=method, scale=False, options=options)
    p = count_kept(found.shares, width)
    return Representation(found.transform(X)[:, :p], p)


def _measure_relevance(X: Floats, method: str) -> Floats:
    """Give the relevance of every column, 0 for constant ones."""
    if method == "relpca":
        options, scale = {"components": _extract(X, "pca").p}, False
    else:  # as many directions as there are columns: the sum in the paper's equation 7
        count = {"q-alpha": X.shape[1], FEW: _extract(X, "pca").p}.get(method)
        options, scale = ({} if count is None else {"clusters": count}), True
    own = "q-alpha" if method == FEW else method
    found = tamis.select(X, 1, method=own, scale=scale, options=options)
    return np.nan_to_num(found.scores, nan=0.0)
