"""How the nine methods of Peluffo et al. present a table to K-means.

Each runs as in the library, with the options of the reading. How many columns or components are
kept follows from the shares that the method gives, by the rule `kept_by`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamis.algorithms.path import head_size
from tamis.numerics.types import Floats
from tamis.run.extraction import find_components
from tamis.run.request import Request
from tamis.run.selection import select_columns
from tamis.sources.arrays import ArraySource

SHARE = 0.95


@dataclass(frozen=True, eq=False)
class Representation:
    """Rows as K-means sees them, and how many columns or components the rule keeps.

    `p` may exceed the columns of `rows`: components without variance are counted and not computed.
    """

    rows: Floats
    p: int


def kept_by(shares: Floats, width: int) -> int:
    """Count the shares whose running sum is at most 95%; if there is none, keep all.

    Examples
    --------
    >>> kept_by(np.array([0.6, 0.3, 0.1]), 3), kept_by(np.array([0.97, 0.03]), 4)
    (2, 4)
    """
    return head_size(shares, SHARE, "floor") if shares[0] <= SHARE else width


def represented(X: Floats, method: str) -> Representation:
    """Give the rows as the method presents them: all columns, kept columns or scores."""
    if method == "raw":
        return Representation(X, X.shape[1])
    if method == "pca":
        return _extracted(X, "pca")
    if method == "gdfe":  # in the limit of a narrow kernel only identical rows are related
        return _extracted(X, "gdfe", {"sigma": 0.0})
    if method.startswith("wpca-"):
        return _extracted(X, "wpca", {"weights": _relevance(X, method.removeprefix("wpca-"))})
    relevance = _relevance(X, method)
    order = np.argsort(-relevance, kind="stable")
    if method == "relpca":
        p = kept_by(relevance[order] / relevance.sum(), X.shape[1])
    else:
        p = _extracted(X, "pca").p
    return Representation(X[:, order[:p]], p)


def _extracted(X: Floats, method: str, options: Mapping[str, Any] | None = None) -> Representation:
    """Compute all components of the centred, unscaled columns and keep those of the rule."""
    width = X.shape[1]
    request = Request.of(method, "extraction", k=width, scale=False, options=options)
    found = find_components(request, ArraySource(X)).projection
    p = kept_by(found.shares, width)
    return Representation(found.project(X)[:, :p], p)


def _relevance(X: Floats, method: str) -> Floats:
    """Give the relevance of every column, 0 for constant ones."""
    if method == "relpca":
        options, scale = {"components": _extracted(X, "pca").p}, False
    else:  # as many directions as there are columns: the sum in the paper's equation 7
        options, scale = ({"clusters": X.shape[1]} if method == "q-alpha" else {}), True
    request = Request.of(method, k=1, scale=scale, options=options, least=1)
    found = select_columns(request, ArraySource(X))
    relevance = np.zeros(X.shape[1])
    relevance[found.used] = found.path.scores
    return relevance
